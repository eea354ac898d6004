/// Reads what a person types, line by line.
protocol LineReading: AnyObject {
  /// Reads a line.
  ///
  /// - Parameter prompt: What is shown before it.
  /// - Returns: The line without its end, or why there is none.
  /// - Throws: ``CommandFailure`` where nothing can be read.
  func read(prompt: String) throws -> TypedLine

  /// Keeps an entry, to be had again with the arrow keys.
  func remember(_ entry: String)
}

/// What came of reading a line.
enum TypedLine: Equatable {
  /// A line, without its end.
  case line(String)
  /// Ctrl-C: what was typed is to be forgotten.
  case interrupted
  /// Ctrl-D, or the end of the input.
  case end
}
