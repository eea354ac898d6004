internal import CCSV
internal import Glibc
internal import Sectile

/// Splits bytes into rows of fields, by libcsv.
///
/// Quotes are taken strictly: one inside a field without quotes, and text behind a closing quote,
/// make a bad row, which ends with its line. Spaces belong to fields. An empty field is NULL, the
/// empty text has quotes. Rows are gathered while libcsv runs and handed out between its calls,
/// since nothing can be thrown through it.
final class CSVSplitter {
  /// A row with the number of the line it begins on, or why there is none; an empty line has no
  /// fields.
  enum Row {
    case fields([StoredValue], line: Int)
    case bad(String, line: Int)
  }

  /// How large a field gets: what SQLite stores in a value.
  private static let fieldLimit = 1_000_000_000

  private let parser: UnsafeMutablePointer<csv_parser>
  private let delimiter: UInt8
  private let hasQuotes: Bool
  private var fields: [StoredValue] = []
  private var reason: String?
  private var rows: [Row] = []
  // The line that is read, and the one the row began on.
  private var line = 1
  private var firstLine = 1
  private var endedWithReturn = false
  // Whether the rest of a bad line is passed over.
  private var isSkipping = false

  /// Creates a splitter.
  ///
  /// - Parameters:
  ///   - delimiter: The byte between fields.
  ///   - hasQuotes: Whether double quotes have a meaning.
  init(delimiter: UInt8, hasQuotes: Bool) {
    self.delimiter = delimiter
    self.hasQuotes = hasQuotes
    parser = .allocate(capacity: 1)
    setUp()
  }

  deinit {
    csv_free(parser)
    parser.deallocate()
  }

  /// Calls a closure with each row that ends in a chunk.
  func append(_ chunk: UnsafeRawBufferPointer, _ body: (Row) throws -> Void) throws {
    // Without quotes a byte that UTF-8 has not stands for the quote, so it must not be there.
    if !hasQuotes && chunk.contains(Self.noQuote) {
      throw CommandFailure(.data, "the byte 0xFF is in the input, so it is not UTF-8")
    }
    var rest = chunk[...]
    while !rest.isEmpty {
      if isSkipping { skipLine(&rest) }
      if rest.isEmpty { break }
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let context = Unmanaged.passUnretained(self).toOpaque()
      let used = csv_parse(
        parser, piece.baseAddress, piece.count, Self.fieldEnded, Self.rowEnded, context)
      rest = rest.dropFirst(used)
      if used < piece.count { try recover() }
      if csv_get_buffer_size(parser) > Self.fieldLimit {
        throw CommandFailure(
          .data, "line \(firstLine): a field of more than \(Self.fieldLimit) bytes",
          hint: "A quote that is never closed looks like this.")
      }
      try handOut(body)
    }
  }

  /// Calls a closure with what comes last.
  func finish(_ body: (Row) throws -> Void) throws {
    let context = Unmanaged.passUnretained(self).toOpaque()
    if !isSkipping, csv_fini(parser, Self.fieldEnded, Self.rowEnded, context) != 0 {
      rows.append(.bad("a quote is never closed", line: firstLine))
    }
    try handOut(body)
  }

  // MARK: - libcsv

  private static let noQuote: UInt8 = 0xFF

  private func setUp() {
    csv_init(
      parser,
      UInt8(CSV_STRICT | CSV_STRICT_FINI | CSV_EMPTY_IS_NULL | CSV_REPALL_NL))
    csv_set_delim(parser, delimiter)
    csv_set_quote(parser, hasQuotes ? UInt8(CSV_QUOTE) : Self.noQuote)
    csv_set_space_func(parser) { _ in 0 }
    csv_set_blk_size(parser, 1 << 14)
  }

  private static let fieldEnded:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void = {
      start, count, context in
      guard let context else { return }
      let splitter = Unmanaged<CSVSplitter>.fromOpaque(context).takeUnretainedValue()
      splitter.addField(start.map { UnsafeRawBufferPointer(start: $0, count: count) })
    }

  private static let rowEnded: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void = {
    sign, context in
    guard let context else { return }
    Unmanaged<CSVSplitter>.fromOpaque(context).takeUnretainedValue().endRow(sign)
  }

  private func addField(_ bytes: UnsafeRawBufferPointer?) {
    endedWithReturn = false
    guard let bytes else { return fields.append(.null) }
    let units = bytes.bindMemory(to: UInt8.self)
    guard let text = String(validating: units, as: UTF8.self) else {
      reason = reason ?? "field \(fields.count + 1) is not UTF-8"
      line += Self.lineCount(of: bytes)
      return fields.append(.null)
    }
    if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil {
      reason = reason ?? "field \(fields.count + 1) holds the byte NUL"
    }
    line += Self.lineCount(of: bytes)
    fields.append(.text(text))
  }

  /// Ends a row, or an empty line: with LF, CR, or -1 for the end of the input.
  private func endRow(_ sign: Int32) {
    defer {
      endedWithReturn = sign == Self.carriageReturn
      fields.removeAll(keepingCapacity: true)
      reason = nil
      firstLine = line
    }
    // The second half of CR LF.
    if sign == Self.lineFeed && endedWithReturn && fields.isEmpty { return }
    if sign > 0 { line += 1 }
    if let reason {
      rows.append(.bad(reason, line: firstLine))
    } else {
      rows.append(.fields(fields, line: firstLine))
    }
  }

  private static let lineFeed = Int32(CSV_LF)
  private static let carriageReturn = Int32(CSV_CR)

  // MARK: - Bad rows

  private func recover() throws {
    guard csv_error(parser) == CSV_EPARSE else {
      throw CommandFailure(.inputOutput, "no memory for a field of the input")
    }
    let isQuoted = parser.pointee.quoted != 0
    let bytes = UnsafeRawBufferPointer(
      start: parser.pointee.entry_buf, count: Int(parser.pointee.entry_pos))
    rows.append(
      .bad(
        isQuoted ? "text follows a closing quote" : "a quote stands in a field without quotes",
        line: firstLine))
    line += Self.lineCount(of: bytes)
    fields.removeAll(keepingCapacity: true)
    reason = nil
    isSkipping = true
    csv_free(parser)
    setUp()
  }

  private func skipLine(_ rest: inout Slice<UnsafeRawBufferPointer>) {
    let isEnd = { (byte: UInt8) in byte == UInt8(CSV_LF) || byte == UInt8(CSV_CR) }
    guard let end = rest.firstIndex(where: isEnd) else {
      rest = rest[rest.endIndex...]
      return
    }
    // A line feed that follows a return is still to come, and then no line of its own.
    endedWithReturn = rest[end] == UInt8(CSV_CR)
    rest = rest[(end + 1)...]
    line += 1
    firstLine = line
    isSkipping = false
  }

  private func handOut(_ body: (Row) throws -> Void) throws {
    defer { rows.removeAll(keepingCapacity: true) }
    for row in rows { try body(row) }
  }

  private static func lineCount(of bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var start = bytes.baseAddress
    var left = bytes.count
    while left > 0, let from = start, let found = memchr(from, CSV_LF, left) {
      count += 1
      left -= from.distance(to: found) + 1
      start = UnsafeRawPointer(found) + 1
    }
    return count
  }
}
