public import SectileCore

/// What changed about the cells that a target shows.
///
/// A target takes the rendering that it can apply: all at once, as batches that a strict list view
/// accepts, or step by step.
///
/// ```swift
/// func update(_ update: PresentationUpdate<Int64, Row>) throws {
///   for batch in update.changes.batches { try list.perform(batch) }
/// }
/// ```
///
/// Cells are made when they are asked for: `insert.item`, `update.item`.
public struct PresentationUpdate<ItemID: Hashable & Sendable, Cell: Sendable>: Sendable {
  /// The changes as one batch, and with ``/Sectile/Changeset/batches`` and
  /// ``/Sectile/Changeset/sequentialEdits`` in the other renderings.
  public let changes: Changeset<ItemID, Cell>
  /// All that is to be shown after the changes.
  public let contents: any PresentedContents<ItemID, Cell>

  init(changes: Changeset<ItemID, Cell>, contents: any PresentedContents<ItemID, Cell>) {
    self.changes = changes
    self.contents = contents
  }
}
