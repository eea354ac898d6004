/// A row of a table of text: the cell that a ``TerminalTable`` shows for an item.
///
/// ```swift
/// let row: TextRow = ["apple", TextCell(12)]
/// ```
public struct TextRow: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The row's cells, one for each column.
  public var cells: [TextCell]

  /// Creates a row.
  public init(_ cells: [TextCell]) {
    self.cells = cells
  }

  /// Creates a row of the given cells.
  public init(arrayLiteral cells: TextCell...) {
    self.cells = cells
  }
}
