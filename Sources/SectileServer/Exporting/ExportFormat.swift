#if Server
  internal import SectileInspecting

  /// How the rows of an export are written: as `sectile export` writes them.
  enum ExportFormat: String, CaseIterable, Sendable {
    case csv
    case tsv
    case json
    case ndjson
    case sql

    /// Reads the parameter; CSV where it is not given.
    ///
    /// - Throws: ``Refusal`` for a format that there is not.
    init(_ parameters: QueryParameters) throws(Refusal) {
      guard let name = try parameters.one("format") else {
        self = .csv
        return
      }
      guard let format = ExportFormat(rawValue: name) else {
        throw Refusal(
          .badRequest, "'\(name.prefix(40))' is no format of an export",
          hint: "There are \(Self.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      self = format
    }

    /// What programs take the bytes for.
    var mediaType: String {
      switch self {
      case .csv: "text/csv; charset=utf-8; header=present"
      case .tsv: "text/tab-separated-values; charset=utf-8"
      case .json: "application/json"
      case .ndjson: "application/x-ndjson"
      case .sql: "application/sql; charset=utf-8"
      }
    }

    /// Returns what writes the rows.
    ///
    /// - Parameters:
    ///   - table: What statements name as their table.
    ///   - columns: The columns' names.
    ///   - mixed: The positions of columns that can hold numbers as well as text.
    ///   - output: Where the rows go.
    /// - Returns: The writer.
    func makeWriter(
      table: String, columns: [String], mixed: Set<Int>, output: any RowOutput
    ) -> any RowWriting {
      switch self {
      case .csv, .tsv:
        SeparatedRowWriter(
          self == .csv ? .comma : .tab, header: columns, output: output, isTerminal: false,
          quotedColumns: mixed)
      case .json, .ndjson:
        JSONRowWriter(columns: columns, isArray: self == .json, output: output)
      case .sql:
        LiteralRowWriter(into: table, columns: columns, output: output, isTerminal: false)
      }
    }

    /// Returns the value of `Content-Disposition` for the rows of a table.
    ///
    /// Names come from the file, which may be anybody's: letters, digits, hyphens and underscores
    /// stay. Letters beyond ASCII are told in the form of RFC 8187.
    func disposition(of table: String) -> String {
      let scalars = table.unicodeScalars.prefix(64)
      let plain = String(
        String.UnicodeScalarView(scalars.map { Self.isWord($0) && $0.isASCII ? $0 : "_" }))
      let full = String(String.UnicodeScalarView(scalars.map { Self.isWord($0) ? $0 : "_" }))
      let name = plain.isEmpty ? "export" : plain
      let disposition = "attachment; filename=\"\(name).\(rawValue)\""
      if full == plain { return disposition }
      var encoded = ""
      for byte in full.utf8 {
        if byte < 0x80 {
          encoded.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          encoded += "%" + String(byte, radix: 16, uppercase: true)
        }
      }
      return disposition + "; filename*=UTF-8''\(encoded).\(rawValue)"
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
      if scalar.isASCII {
        return Character(scalar).isLetter || Character(scalar).isNumber || scalar == "_"
          || scalar == "-"
      }
      return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }
#endif
