internal import Sectile

/// The SQL and the dot commands of a command line.
enum ShellArguments {
  /// Returns what arguments ask for, in order.
  ///
  /// An argument is SQL or a dot command. A dot command without a space may have its own arguments
  /// behind it, as far as they are words that are no SQL: `.schema package`.
  static func pieces(of arguments: [String]) -> [StatementBuffer.Piece] {
    var pieces: [StatementBuffer.Piece] = []
    var rest = arguments[...]
    while let first = rest.popFirst() {
      guard first.hasPrefix(".") else {
        pieces.append(.sql(ScriptText(ByteArguments.bytes(of: first))))
        continue
      }
      var line = first
      if !first.contains(where: \.isWhitespace), let command = try? DotCommand.find(first) {
        var count = 0
        while count < command.counts.upperBound, let word = rest.first, isWord(word) {
          line += " " + DotCommandWords.quoted(word)
          rest.removeFirst()
          count += 1
        }
      }
      pieces.append(.command(line, line: 1))
    }
    return pieces
  }

  private static func isWord(_ argument: String) -> Bool {
    !argument.hasPrefix(".") && !argument.isEmpty
      && !argument.contains { $0.isWhitespace || $0 == ";" || $0 == "(" }
      && !["VACUUM", "ANALYZE", "REINDEX", "BEGIN", "COMMIT", "END", "ROLLBACK"]
        .contains(argument.uppercased())
  }
}
