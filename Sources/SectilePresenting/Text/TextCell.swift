/// One cell of a table of text.
///
/// It may hold anything: what a terminal could act upon is written out when it is shown.
public struct TextCell: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// What the cell shows.
  public let text: String
  /// Whether the cell lines up on the right.
  public let isNumber: Bool

  /// Creates a cell.
  public init(_ text: String, isNumber: Bool = false) {
    self.text = text
    self.isNumber = isNumber
  }

  /// Creates a cell that lines up on the left.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Creates a cell with a number, which lines up on the right.
  public init(_ number: some BinaryInteger) {
    self.init(String(number), isNumber: true)
  }

  /// The cell with everything a terminal could act upon written out.
  package var escaped: TextCell { TextCell(TerminalText.escaped(text), isNumber: isNumber) }
}
