internal import Sectile
internal import SectileInspecting

/// Reads separated values as records.
struct SeparatedInput {
  /// The names that take the place of the header's, or of one that is not there.
  var names: [String]?
  /// Whether the first row names the columns.
  let hasHeader: Bool
  /// The byte between fields.
  var delimiter: UInt8
  /// Whether double quotes have a meaning.
  let hasQuotes: Bool
  /// Whether fields that a row lacks at its end are NULL.
  var fillsRows = false
  /// Words without quotes that stand for NULL.
  var nullWords: [String] = []

  /// Calls a closure with each record.
  func read(_ source: InputSource, _ body: (ImportRecord) throws -> Void) throws {
    let splitter = CSVSplitter(delimiter: delimiter, hasQuotes: hasQuotes)
    var state = State(needsHeader: hasHeader, rules: FieldRules(nullWords: nullWords))
    var isFirst = true
    try source.read { chunk in
      var bytes = isFirst ? ByteOrderMark.withoutMark(chunk) : chunk
      if isFirst, let line = SeparatorLine(beginning: bytes) {
        bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(line.byteCount))
        splitter.countLine()
      }
      isFirst = false
      try splitter.append(bytes) { try take($0, &state, of: source, body) }
    }
    try splitter.finish { try take($0, &state, of: source, body) }
  }

  /// What can be done about quotes that are not meant as such.
  private static let quoteHint = "--no-quotes takes quotes as they are"

  /// Returns why a row with another number of fields than there are columns is bad, with the first
  /// of the causes that it can have: a quote that was not closed, a separator that was not quoted,
  /// fields that are missing.
  private func ragged(_ fields: SeparatedRow, _ columnCount: Int) -> ImportRecord {
    let reason = "\(CountText.text(fields.count, "field")), where \(columnCount) are expected"
    let lineCounts = (0..<fields.count).map { position in
      fields[position].isQuoted ? fields[position].bytes.count { $0 == 0x0A } + 1 : 1
    }
    if let position = lineCounts.firstIndex(where: { $0 > 1 }) {
      return .bad(
        number: fields.line,
        reason: reason
          + "; field \(position + 1) is in quotes, and has \(lineCounts[position]) lines",
        hint: "A quote that is not closed takes in the lines behind it, and \(Self.quoteHint)")
    }
    guard fields.count > columnCount else {
      return .bad(number: fields.line, reason: reason, hint: "--fill-rows fills short rows")
    }
    let signs = DelimiterGuess.name(of: delimiter)
    return .bad(
      number: fields.line, reason: reason,
      hint: hasQuotes
        ? "Fields with \(signs) in them need quotes"
        : "With --no-quotes no field can have \(signs) in it")
  }

  private struct State {
    var needsHeader: Bool
    let rules: FieldRules
    var columnCount: Int?
  }

  private func take(
    _ row: CSVSplitter.Row, _ state: inout State, of source: InputSource,
    _ body: (ImportRecord) throws -> Void
  ) throws {
    switch row {
    case .bad(let reason, let line):
      if state.needsHeader {
        throw CommandFailure(.data, "\(source.name):\(line): the header cannot be read: \(reason)")
      }
      let isOfQuotes = [CSVSplitter.afterQuote, CSVSplitter.openQuote].contains(reason)
      try body(.bad(number: line, reason: reason, hint: isOfQuotes ? Self.quoteHint : nil))
    case .fields(let fields):
      // In a file of one column an empty line is a row: NULL. In others it is nothing.
      if fields.count == 0 && state.columnCount != 1 { return }
      guard let columnCount = state.columnCount else {
        return try takeFirst(fields, &state, of: source, body)
      }
      let isWhole =
        max(fields.count, 1) == columnCount || (fillsRows && fields.count < columnCount)
      guard isWhole else { return try body(ragged(fields, columnCount)) }
      try body(.fields(fields, state.rules))
    }
  }

  private func takeFirst(
    _ fields: SeparatedRow, _ state: inout State, of source: InputSource,
    _ body: (ImportRecord) throws -> Void
  ) throws {
    state.rules.quotesTell = !hasNeedlessQuotes(fields)
    let columns =
      state.needsHeader
      ? try names ?? Self.header(fields.values, at: "\(source.name):\(fields.line)")
      : names ?? (1...fields.count).map { "c\($0)" }
    state.columnCount = columns.count
    try body(.columns(columns))
    let isHeader = state.needsHeader
    state.needsHeader = false
    if !isHeader { try take(.fields(fields), &state, of: source, body) }
  }

  /// Returns whether all fields of the first row have quotes, and one does not need them: a writer
  /// that puts everything into quotes.
  private func hasNeedlessQuotes(_ row: SeparatedRow) -> Bool {
    let fields = (0..<row.count).map { row[$0] }
    return fields.allSatisfy(\.isQuoted)
      && fields.contains { !SeparatedRowWriter.needsQuotes($0.text, delimiter: delimiter) }
  }

  private static func header(_ fields: [StoredValue], at place: String) throws -> [String] {
    try fields.enumerated().map { offset, field in
      guard case .text(let name) = field, !name.isEmpty else {
        throw CommandFailure(
          .data, "\(place): column \(offset + 1) of the header has no name",
          hint: "Name the columns with --columns a,b,c; add --no-header if there is no header.")
      }
      return name
    }
  }
}
