#if Server
  internal import Sectile
  internal import SectileInspecting

  /// What people call the rows that keys lead to: `{"label":"Artist 3"}` for each key, null for a
  /// key that leads to no row.
  struct LabelsAnswer {
    let source: FileSource

    /// Looks for the rows.
    ///
    /// - Parameters:
    ///   - lookup: Which rows.
    ///   - label: The column that is shown of them; nil for the one that is likely a name.
    /// - Returns: The JSON; it has fewer rows than keys where looking for more would take too long.
    /// - Throws: ``Refusal`` and `RequestError` for what is not there; `StoreError`.
    func bytes(_ lookup: KeyLookup, label: String?) throws -> [UInt8] {
      try KeyLookup.read(source) { connection in
        let resolved = try lookup.resolved(on: connection)
        let shape = resolved.shape
        let column: String?
        if let label {
          column = try shape.columns(named: [label]).first
        } else {
          column = try TableSchema(of: shape.name, in: connection).flatMap {
            LabelColumn.likely(of: $0, besides: resolved.columns)
          }
        }
        let value = column.map { SQLName.quote(shape.name, $0) } ?? "NULL"
        let statement = try connection.prepare(
          """
          SELECT \(value) FROM \(SQLName.table(shape.name)) WHERE \(resolved.condition) LIMIT 1
          """)
        var bytes = Array("{\"format\":2,\"label\":".utf8)
        bytes += JSONValue(column).bytes()
        bytes += ",\"rows\":[".utf8
        var isComplete = true
        for (position, key) in lookup.keys.enumerated() {
          let outcome = try Self.find(key, by: statement)
          isComplete = outcome != .late
          guard isComplete else { break }
          if position > 0 { bytes.append(UInt8(ascii: ",")) }
          if case .row(let label) = outcome {
            bytes += "{\"label\":".utf8
            CellJSON.append(label, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
          } else {
            bytes += "null".utf8
          }
        }
        bytes += "],\"isComplete\":\(isComplete)}".utf8
        return bytes
      }
    }

    /// What looking for a row came to.
    private enum Outcome: Hashable {
      case row(CutValue)
      case noRow
      /// It took too long.
      case late
    }

    private static func find(
      _ key: [StoredValue], by statement: InspectionStatement
    ) throws(StoreError) -> Outcome {
      do {
        try statement.start(key)
        guard try statement.step() else { return .noRow }
        let label = CutValue(statement.exactValue(at: 0))
        statement.reset()
        return .row(label)
      } catch {
        guard error.code == .interrupted else { throw error }
        return .late
      }
    }
  }

  /// The column of a table that tells people which row it is.
  enum LabelColumn {
    /// The names of such columns, the likeliest first.
    private static let names = [
      "name", "title", "label", "displayname", "fullname", "username", "caption", "subject",
      "email", "description", "code",
    ]

    /// Returns the likeliest column: by its name, else the first of text.
    ///
    /// - Parameters:
    ///   - schema: The table.
    ///   - columns: Columns that are shown anyway.
    /// - Returns: The column; nil where none holds text, as far as the schema says.
    static func likely(of schema: TableSchema, besides columns: [String]) -> String? {
      let known = Set(columns.map { $0.lowercased() })
      let texts = schema.columns.filter { column in
        column.origin != .hidden && !known.contains(column.name.lowercased())
          && isText(column.declaredType)
      }.map(\.name)
      let plain = texts.map { $0.lowercased().filter { $0 != "_" && $0 != " " } }
      for name in names {
        if let position = plain.firstIndex(of: name) { return texts[position] }
      }
      let position = plain.firstIndex { $0.hasSuffix("name") || $0.hasSuffix("title") }
      return position.map { texts[$0] } ?? texts.first
    }

    private static func isText(_ type: String) -> Bool {
      let type = type.uppercased()
      // A column of no type holds anything, as one of a view does.
      return type.isEmpty || ["CHAR", "TEXT", "CLOB", "STRING"].contains { type.contains($0) }
    }
  }

  extension CutValue {
    /// Creates as much of a value as a list shows.
    init(_ value: ExactValue) {
      switch value {
      case .value(.text(let text)):
        let scalars = text.unicodeScalars
        let head = scalars.prefix(Self.wholeLimit)
        self =
          head.endIndex == scalars.endIndex
          ? .whole(.text(text))
          : .cutText(
            head: String(String.UnicodeScalarView(head)), byteCount: text.utf8.count)
      case .value(.blob(let bytes)) where bytes.count > Self.wholeLimit:
        self = .cutBlob(head: Array(bytes.prefix(Self.blobHeadLength)), byteCount: bytes.count)
      case .value(let value): self = .whole(value)
      case .invalidText(let bytes) where bytes.count > Self.wholeLimit:
        self = .cutText(
          head: String(decoding: bytes.prefix(Self.wholeLimit), as: UTF8.self),
          byteCount: bytes.count)
      case .invalidText(let bytes): self = .invalidText(bytes)
      }
    }
  }
#endif
