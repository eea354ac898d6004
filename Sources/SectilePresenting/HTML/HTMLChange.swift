public import SectileCore

/// What happens to a page that shows an ``HTMLList``: the whole of it, or one step.
///
/// Positions suppose that the earlier steps were applied. A section is a `section` element; its
/// rows are the children of the list, or of the table's body, inside of it.
public enum HTMLChange: Hashable, Sendable {
  /// Replace everything.
  case whole(HTMLFragment)
  /// Insert a section, without rows, before the one at the ordinal.
  case insertSection(at: Int, HTMLFragment)
  /// Take a section out, with its rows, and insert it at `to`.
  case moveSection(from: Int, to: Int)
  /// Remove a section, which has no rows any more.
  case removeSection(at: Int)
  /// Replace the heading and the footer of a section; either may be empty.
  case replaceHeading(at: Int, HTMLFragment, footer: HTMLFragment)
  /// Insert a row before the one at the path.
  case insertRow(at: ItemPath, HTMLFragment)
  /// Take a row out, and insert it at `to`.
  case moveRow(from: ItemPath, to: ItemPath)
  /// Remove a row.
  case removeRow(at: ItemPath)
  /// Replace a row.
  case replaceRow(at: ItemPath, HTMLFragment)
}
