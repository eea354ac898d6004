/// Where a ``TerminalTable`` is written.
public struct TerminalSurface: Hashable, Sendable {
  /// How many columns a line may take; nil is any number.
  let width: Int?
  /// How many lines a table may have.
  let lineLimit: Int
  /// Whether a table is written over the one before.
  let isScreen: Bool

  /// A log: each table is written below the one before.
  ///
  /// - Parameter lineLimit: How many lines a table has at most; what is left out is counted.
  /// - Returns: The surface.
  public static func log(lineLimit: Int = 1000) -> TerminalSurface {
    TerminalSurface(width: nil, lineLimit: max(1, lineLimit), isScreen: false)
  }

  /// A terminal's screen: each table is written over the one before.
  ///
  /// Nothing else may be written to the screen meanwhile. Lines that do not fit are shortened.
  ///
  /// - Parameters:
  ///   - width: How many columns the terminal has.
  ///   - height: How many lines it has.
  /// - Returns: The surface.
  public static func screen(width: Int, height: Int) -> TerminalSurface {
    // The cursor stands below the last line; a line that reaches the edge may wrap.
    TerminalSurface(width: max(2, width) - 1, lineLimit: max(2, height) - 1, isScreen: true)
  }
}
