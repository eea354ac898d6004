/// Reads what a person types: statements of as many lines as they need, and commands.
protocol StatementReading: AnyObject {
  /// Reads a text.
  ///
  /// - Parameter start: What stands there to begin with; nil for nothing.
  /// - Returns: The text, or why there is none.
  /// - Throws: ``CommandFailure`` where nothing can be read.
  func read(start: String?) throws -> TypedText

  /// Keeps an entry, to be had again with the arrow keys.
  func remember(_ entry: String)

  /// Takes the keys of vi, or those of Emacs again.
  func useVi(_ isVi: Bool)
}

/// What came of reading.
enum TypedText: Equatable {
  /// Whole statements, or a command.
  case text(String)
  /// Ctrl-C: what was typed is to be forgotten.
  case interrupted
  /// Ctrl-D, or the end of the input.
  case end
}
