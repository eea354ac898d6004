import Sectile
import SectileInspecting
import Synchronization

@testable import SectileCLI

/// Separated values.
///
/// Rows do not depend on how the bytes arrive, no field has more than was given, what is written of
/// them is read to the same, and what counts as a number is one.
enum SeparatedProperties {
  /// A row in a form that can be compared.
  private enum Row: Equatable {
    case fields([StoredValue], line: Int)
    case bad(String, line: Int)

    var line: Int {
      switch self {
      case .fields(_, let line), .bad(_, let line): line
      }
    }
  }

  static func check(_ input: FuzzInput) throws {
    for (delimiter, hasQuotes) in [(",", true), ("\t", true), (",", false)] {
      let separator = UInt8(ascii: delimiter.unicodeScalars.first ?? ",")
      let whole = try rows(of: input.bytes, separator, hasQuotes, by: input.bytes.count)
      for size in [1, 3] {
        let pieces = try rows(of: input.bytes, separator, hasQuotes, by: size)
        require(
          pieces == whole, "rows depend on chunks of \(size): \(pieces as Any), \(whole as Any)")
      }
      guard let whole else { continue }
      requireGiven(whole, by: input.bytes)
      try requireReadBack(whole, isControl: input.isControl)
    }
    try requireRecords(of: input.bytes)
  }

  private static func rows(
    of bytes: [UInt8], _ delimiter: UInt8, _ hasQuotes: Bool, by size: Int
  ) throws -> [Row]? {
    try attempt(CommandFailure.self) {
      let splitter = CSVSplitter(delimiter: delimiter, hasQuotes: hasQuotes)
      var rows: [Row] = []
      func add(_ row: CSVSplitter.Row) {
        switch row {
        case .fields(let row): rows.append(.fields(row.values, line: row.line))
        case .bad(let reason, let line): rows.append(.bad(reason, line: line))
        }
      }
      try bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: max(size, 1)) {
          let end = min(start + size, bytes.count)
          try splitter.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), add)
        }
      }
      try splitter.finish(add)
      return rows
    }
  }

  private static func requireGiven(_ rows: [Row], by bytes: [UInt8]) {
    var (count, last) = (0, 1)
    for row in rows {
      require(row.line >= last, "line \(row.line) comes after line \(last)")
      last = row.line
      guard case .fields(let fields, _) = row else { continue }
      for field in fields {
        guard case .text(let text) = field else { continue }
        count += text.utf8.count
        requireNumber(text)
      }
    }
    require(count <= bytes.count, "the fields have \(count) of \(bytes.count) bytes")
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    require(last <= lines, "line \(last) of \(lines)")
    require(rows.count <= lines, "\(rows.count) rows in \(lines) lines")
  }

  /// Requires that a text which counts as a number or a blob comes back as the same text.
  private static func requireNumber(_ text: String) {
    switch NumberText(text) {
    case .integer(let isWide):
      guard let number = Int64(text) else { violated("\(text) counts as an integer") }
      require("\(number)" == text, "\(text) comes back as \(number)")
      require(
        isWide || Int64(exactly: Double(number)) == number, "\(text) is lost in a double")
    case .real:
      require(NumberText.number(text) != nil, "\(text) counts as a number")
    case .blob:
      require(NumberText.blob(text) != nil, "\(text) counts as a blob")
    case .text: break
    }
  }

  private static func requireReadBack(_ rows: [Row], isControl: Bool) throws {
    let good = rows.compactMap { row -> [StoredValue]? in
      guard case .fields(let fields, _) = row, !fields.isEmpty else { return nil }
      return fields
    }
    let collected = Mutex<[UInt8]>([])
    let output = Output { bytes in collected.withLock { $0 += bytes } }
    let writer = SeparatedRowWriter(.comma, header: [], output: output, isTerminal: false)
    for fields in good { try writer.write(fields) }
    try writer.finish()
    try output.flush()
    var written = collected.withLock { $0 }
    if isControl {
      // A writer that does not double quotes.
      written = Array(
        String(decoding: written, as: UTF8.self).replacing("\"\"\"\"", with: "\"\"\"").utf8)
    }
    let again = try Self.rows(of: written, UInt8(ascii: ","), true, by: max(written.count, 1))
    let read = again?.map { row -> [StoredValue]? in
      guard case .fields(let fields, _) = row else { return nil }
      return fields
    }
    require(read == good, "rows are read back differently: \(good), \(read as Any)")
  }

  private static func requireRecords(of bytes: [UInt8]) throws {
    let input = SeparatedInput(
      names: nil, hasHeader: true, delimiter: UInt8(ascii: ","), hasQuotes: true)
    var count: Int?
    _ = try attempt(CommandFailure.self) {
      try input.read(try MemoryFile.source(bytes)) { record in
        switch record {
        case .columns(let names):
          require(count == nil && !names.isEmpty && !names.contains(""), "a second header")
          count = names.count
        case .row: violated("separated values have no types")
        case .fields(let row, _):
          require(
            max(row.count, 1) == count, "a row of \(row.count) under a header of \(count ?? 0)")
        case .bad(_, let reason, _): require(!reason.isEmpty, "a bad row without a reason")
        }
      }
    }
  }
}
