internal import Sectile

/// Reads separated values as records.
struct SeparatedInput {
  /// The names that take the place of the header's, or of one that is not there.
  var names: [String]?
  /// Whether the first row names the columns.
  let hasHeader: Bool
  /// The byte between fields.
  let delimiter: UInt8
  /// Whether double quotes have a meaning.
  let hasQuotes: Bool

  /// Calls a closure with each record.
  func read(_ source: InputSource, _ body: (ImportRecord) throws -> Void) throws {
    let splitter = CSVSplitter(delimiter: delimiter, hasQuotes: hasQuotes)
    var state = State(needsHeader: hasHeader)
    var isFirst = true
    try source.read { chunk in
      let bytes = isFirst ? try Self.withoutMark(chunk, of: source.name) : chunk
      isFirst = false
      try splitter.append(bytes) { try take($0, &state, of: source, body) }
    }
    try splitter.finish { try take($0, &state, of: source, body) }
  }

  private struct State {
    var needsHeader: Bool
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
      try body(.bad(number: line, reason: reason))
    case .fields(var fields, let line):
      if fields.isEmpty {
        // In a file of one column an empty line is a row: NULL. In others it is nothing.
        guard state.columnCount == 1 else { return }
        fields = [.null]
      }
      if state.columnCount == nil {
        let columns =
          state.needsHeader
          ? try names ?? Self.header(fields, at: "\(source.name):\(line)")
          : names ?? (1...fields.count).map { "c\($0)" }
        state.columnCount = columns.count
        try body(.columns(columns))
        if state.needsHeader {
          state.needsHeader = false
          return
        }
      }
      guard fields.count == state.columnCount else {
        let count = fields.count == 1 ? "1 field" : "\(fields.count) fields"
        return try body(
          .bad(number: line, reason: "\(count), where \(state.columnCount ?? 0) are expected"))
      }
      try body(.row(number: line, values: fields))
    }
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

  private static func withoutMark(
    _ chunk: UnsafeRawBufferPointer, of name: String
  ) throws -> UnsafeRawBufferPointer {
    if chunk.starts(with: [0xFF, 0xFE]) || chunk.starts(with: [0xFE, 0xFF]) {
      throw CommandFailure(
        .data, "\(name) is UTF-16", hint: "Convert it: iconv -f UTF-16 -t UTF-8.")
    }
    guard chunk.starts(with: [0xEF, 0xBB, 0xBF]) else { return chunk }
    return UnsafeRawBufferPointer(rebasing: chunk.dropFirst(3))
  }
}
