internal import CCSV
internal import Glibc
internal import Sectile

/// Splits bytes into rows of fields, by libcsv.
///
/// A quote inside a field that does not begin with one is a sign like others; text behind a closing
/// quote makes a bad row, which ends with its line. Spaces belong to fields. Rows are gathered
/// while libcsv runs and handed out between its calls, since nothing can be thrown through it.
final class CSVSplitter {
  /// A row with the number of the line it begins on, or why there is none; an empty line has no
  /// fields.
  enum Row {
    case fields(SeparatedRow)
    case bad(String, line: Int)
  }

  /// How large a field gets: a blob of the size that SQLite stores, in hexadecimal.
  private static let fieldLimit = 2_000_000_003

  private let csv: UnsafeMutablePointer<sectile_csv>
  private let hasQuotes: Bool
  // Whether the rest of a bad line is passed over.
  private var isSkipping = false

  /// Creates a splitter.
  ///
  /// - Parameters:
  ///   - delimiter: The byte between fields.
  ///   - hasQuotes: Whether double quotes have a meaning.
  init(delimiter: UInt8, hasQuotes: Bool) {
    self.hasQuotes = hasQuotes
    csv = .allocate(capacity: 1)
    sectile_csv_begin(csv, delimiter, hasQuotes)
  }

  deinit {
    sectile_csv_end(csv)
    csv.deallocate()
  }

  /// Takes note of a line that was read by somebody else, before the first chunk.
  func countLine() {
    csv.pointee.line += 1
    csv.pointee.firstLine = csv.pointee.line
  }

  /// Calls a closure with each row that ends in a chunk.
  func append(_ chunk: UnsafeRawBufferPointer, _ body: (Row) throws -> Void) throws {
    // Without quotes a byte that UTF-8 has not stands for the quote, so it must not be there.
    if !hasQuotes && chunk.contains(UInt8(SECTILE_CSV_NO_QUOTE)) {
      throw CommandFailure(.data, "the byte 0xFF is in the input, so it is not UTF-8")
    }
    var rest = chunk[...]
    while !rest.isEmpty {
      if isSkipping { skipLine(&rest) }
      if rest.isEmpty { break }
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let used = sectile_csv_read(csv, piece.baseAddress, piece.count)
      rest = rest.dropFirst(used)
      try handOut(body)
      if used < piece.count { try body(recover()) }
      if csv_get_buffer_size(&csv.pointee.parser) > Self.fieldLimit {
        throw CommandFailure(
          .data, "line \(csv.pointee.firstLine): a field of more than \(Self.fieldLimit) bytes",
          hint: "A quote that is never closed looks like this.")
      }
    }
  }

  /// Calls a closure with what comes last.
  func finish(_ body: (Row) throws -> Void) throws {
    let isWhole = isSkipping || sectile_csv_finish(csv)
    try handOut(body)
    if !isWhole {
      try body(.bad(Self.openQuote, line: Int(csv.pointee.firstLine)))
    }
  }

  private func handOut(_ body: (Row) throws -> Void) throws {
    if csv.pointee.hasNoMemory {
      throw CommandFailure(.inputOutput, "no memory for the rows of the input")
    }
    defer { sectile_csv_forget(csv) }
    let bytes = UnsafePointer(csv.pointee.bytes)
    for position in 0..<csv.pointee.rowCount {
      let row = csv.pointee.rows[position]
      let fields = UnsafeBufferPointer(
        start: csv.pointee.fields.map { UnsafePointer($0 + row.firstField) },
        count: row.fieldCount)
      let found = SeparatedRow(line: Int(row.line), bytes: bytes, fields: fields)
      if !row.isPlain, let reason = Self.problem(of: found) {
        try body(.bad(reason, line: found.line))
      } else {
        try body(.fields(found))
      }
    }
  }

  /// Why a row with more than ASCII in it cannot be taken; nil where it can.
  private static func problem(of row: SeparatedRow) -> String? {
    for position in 0..<row.count {
      let bytes = row[position].bytes
      if String(validating: bytes, as: UTF8.self) == nil {
        return "field \(position + 1) is not UTF-8"
      }
      if bytes.contains(0) { return "field \(position + 1) holds the byte NUL" }
    }
    return nil
  }

  // MARK: - Bad rows

  /// Why a row is bad in which quotes cannot be meant as such.
  static let afterQuote = "text follows a closing quote"
  /// Why what is left at the end is no row.
  static let openQuote = "a quote is never closed: all lines from here on are in it"

  private func recover() throws -> Row {
    guard csv_error(&csv.pointee.parser) == CSV_EPARSE else {
      throw CommandFailure(.inputOutput, "no memory for a field of the input")
    }
    let parser = csv.pointee.parser
    let row = Row.bad(Self.afterQuote, line: Int(csv.pointee.firstLine))
    let bytes = UnsafeRawBufferPointer(start: parser.entry_buf, count: Int(parser.entry_pos))
    csv.pointee.line += bytes.count { $0 == UInt8(CSV_LF) }
    isSkipping = true
    sectile_csv_restart(csv)
    return row
  }

  private func skipLine(_ rest: inout Slice<UnsafeRawBufferPointer>) {
    let isEnd = { (byte: UInt8) in byte == UInt8(CSV_LF) || byte == UInt8(CSV_CR) }
    guard let end = rest.firstIndex(where: isEnd) else {
      rest = rest[rest.endIndex...]
      return
    }
    // A line feed that follows a return is still to come, and then no line of its own.
    csv.pointee.endedWithReturn = rest[end] == UInt8(CSV_CR)
    rest = rest[(end + 1)...]
    csv.pointee.line += 1
    csv.pointee.firstLine = csv.pointee.line
    isSkipping = false
  }
}
