import Sectile

@testable import SectileCLI
@testable import SectileStore

/// What is typed into the shell, or read from a script.
///
/// Its pieces are the lines of the input in order, each whole; what lies between them is blank to
/// SQLite; no statement that SQLite holds complete waits for more lines. Words that are quoted are
/// split to the same words. What begins or ends a transaction is what SQLite compiles to that.
enum StatementProperties {
  static func check(_ input: FuzzInput) throws {
    let lines = input.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    try requirePieces(of: lines, isControl: input.isControl)
    let text = input.text
    let typed = SectileCLI.SQLWords(text)
    require(typed.word.isEmpty || text.hasSuffix(typed.word), "a word that was not typed")
    try requireWords(of: text)
    requireTokens(of: text)
    try requireKeywords(of: input.bytes)
    _ = try attempt(CommandFailure.self) {
      let name = try MigrationName(text).next(after: ["V0009_a_b.sql", text])
      require((Migrations.File.version(of: name) ?? 0) > 9, "a migration is called \(name)")
    }
  }

  // MARK: - Pieces

  private static func requirePieces(of lines: [[UInt8]], isControl: Bool) throws {
    var buffer = StatementBuffer()
    var start = 0
    for (number, line) in lines.enumerated() {
      let wasOpen = buffer.isOpen
      if !wasOpen { start = number }
      let pending = text(of: lines[start...number])
      switch buffer.add(line) {
      case .command(let command, let place):
        require(!wasOpen && place == number + 1, "a command inside of a statement")
        var words = line.drop { $0 == 0x20 || $0 == 0x09 }
        if words.last == 0x0D { words.removeLast() }
        require(
          words.first == UInt8(ascii: ".") && ByteArguments.bytes(of: command) == Array(words),
          "a command that nobody typed: \(command)")
      case .sql(let script):
        require(script.bytes == pending, "a statement is not the lines it was typed in")
        require(script.firstLine == start + 1, "a statement does not know where it begins")
      case nil where buffer.isOpen:
        // What follows a NUL SQLite does not see.
        let isComplete = InspectionConnection.isComplete(String(decoding: pending, as: UTF8.self))
        require(!isComplete || pending.contains(0), "a complete statement waits for more")
      case nil:
        require(
          try pending.contains(0) || isBlank(pending, isControl: isControl),
          "lines are lost that are not blank")
      }
    }
    if case .sql(let script) = buffer.finish() {
      require(script.bytes == text(of: lines[start...]), "the last statement is not its lines")
    }
  }

  private static func text(of lines: ArraySlice<[UInt8]>) -> [UInt8] {
    Array(lines.map { $0 + [0x0A] }.joined())
  }

  private static func isBlank(_ bytes: [UInt8], isControl: Bool) throws -> Bool {
    // The mistake: comments are not known.
    if isControl { return bytes.allSatisfy { " \t\r\n\u{C}".utf8.contains($0) } }
    var rest = bytes[...]
    return try connection(for: bytes).nextStatement(of: &rest) == nil
  }

  /// Kept, since opening one takes longer than all else; used by one thread, libFuzzer's.
  nonisolated(unsafe) private static let connection: InspectionConnection? =
    try? InspectionConnection.inMemory()

  /// Returns a connection to compile a text with: one of its own where that may change it.
  private static func connection(for bytes: [UInt8]) throws -> InspectionConnection {
    let mayChangeIt = String(decoding: bytes, as: UTF8.self).uppercased().contains("PRAGMA")
    return try mayChangeIt ? .inMemory() : connection ?? .inMemory()
  }

  // MARK: - Words and tokens

  private static func requireWords(of text: String) throws {
    let line = text.prefix { $0 != "\n" && $0 != "\r\n" }
    guard
      let words = try attempt(CommandFailure.self, { try DotCommandWords.split(String(line)) })
    else { return }
    let quoted = words.map(DotCommandWords.quoted).joined(separator: " ")
    let again = try attempt(CommandFailure.self) { try DotCommandWords.split(quoted) }
    require(
      again.map { $0.map { Array($0.utf8) } } == words.map { Array($0.utf8) },
      "words are split differently when they are quoted: \(words), \(again as Any)")
  }

  private static func requireTokens(of text: String) {
    guard let tokens = SQLToken.tokens(of: text) else { return }
    var rest = text.utf8[...]
    for (_, piece) in tokens {
      rest = rest.drop { $0 == 0x20 || $0 == 0x0A }
      require(rest.starts(with: piece.utf8), "a token that is not in the text: \(piece)")
      rest = rest.dropFirst(piece.utf8.count)
    }
    require(rest.allSatisfy { $0 == 0x20 || $0 == 0x0A }, "text behind the last token")
  }

  // MARK: - Transactions

  private static func requireKeywords(of bytes: [UInt8]) throws {
    let connection = try connection(for: bytes)
    var rest = bytes[...]
    for _ in 0..<8 {
      guard
        let statement = try attempt(
          StoreError.self, { try connection.nextStatement(of: &rest) }) ?? nil
      else { return }
      let program = try attempt(StoreError.self) {
        try connection.prepare("EXPLAIN " + statement.sql)
      }
      guard let program else { continue }
      var endsOrBegins = false
      try program.run { if $0[1] == .text("AutoCommit") { endsOrBegins = true } }
      let keyword = TransactionKeyword(of: statement.sql)
      require(
        (keyword != nil) == endsOrBegins,
        "\(statement.sql) is taken for \(keyword.map { "\($0)" } ?? "no end of a transaction")")
    }
  }
}
