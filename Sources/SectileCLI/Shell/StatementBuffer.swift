internal import Sectile

/// Gathers lines until they make statements, or a dot command.
struct StatementBuffer {
  /// What lines amount to.
  enum Piece {
    case sql(ScriptText)
    case command(String, line: Int)
  }

  private let name: String?
  private let hasLines: Bool
  private var scanner = StatementScanner()
  private var bytes: [UInt8] = []
  private var lineCount = 0
  private var firstLine = 1

  /// Creates a buffer.
  ///
  /// - Parameters:
  ///   - name: What messages call the file that the lines come from.
  ///   - hasLines: Whether the numbers of its lines mean something.
  init(name: String? = nil, hasLines: Bool = true) {
    self.name = name
    self.hasLines = hasLines
  }

  /// Whether a statement has begun.
  var isOpen: Bool { scanner.hasContent || !scanner.isOutside }

  /// Returns whether a text ends with the end of a statement, or is a command.
  static func isWhole(_ text: String) -> Bool {
    var buffer = StatementBuffer()
    _ = buffer.pieces(of: text)
    return !buffer.isOpen
  }

  /// Adds the lines of a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: What is complete with them.
  mutating func pieces(of text: String) -> [Piece] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .compactMap { add(Array($0)) }
  }

  /// Adds a line.
  ///
  /// - Parameter line: The line, without its line feed.
  /// - Returns: What is complete with it; nil where more lines are needed.
  mutating func add(_ line: [UInt8]) -> Piece? {
    lineCount += 1
    if !isOpen {
      bytes = []
      firstLine = lineCount
      if let command = Self.command(line) { return .command(command, line: lineCount) }
    }
    // A return before the line feed stays: it may be part of a text.
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
    scanner.scan(line)
    guard scanner.endsWithSemicolon,
      InspectionConnection.isComplete(String(decoding: bytes, as: UTF8.self))
    else { return nil }
    return take()
  }

  /// Returns what is left when no line follows; nil where it is nothing but space and comments.
  mutating func finish() -> Piece? {
    isOpen ? take() : nil
  }

  /// Forgets what was gathered.
  mutating func clear() {
    scanner = StatementScanner()
    bytes = []
  }

  private mutating func take() -> Piece {
    defer { clear() }
    return .sql(ScriptText(bytes, name: name, firstLine: hasLines ? firstLine : nil))
  }

  private static func command(_ line: [UInt8]) -> String? {
    var text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard text.first == UInt8(ascii: ".") else { return nil }
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    return ByteArguments.text(of: Array(text))
  }
}
