public import SectileCore

/// Shows cells: a table on a terminal, a page, a list view.
///
/// A target is told to show everything anew, or what changed since it was told last. Versions have
/// no gaps, whatever happens to the sources behind: an update leads from the version of the last
/// call to the next one. Calls come one at a time, in order, where the adapter's delivery says, and
/// never under a lock.
///
/// Where a call throws, the target is told of the error with ``didFail(with:)``, and the next call
/// is ``reload(_:)``.
///
/// ```swift
/// final class Printer: PresentationTarget {
///   func reload(_ contents: any PresentedContents<String, TextRow>) throws { … }
///   func update(_ update: PresentationUpdate<String, TextRow>) throws { … }
/// }
/// ```
public protocol PresentationTarget<ItemID, Cell>: AnyObject, Sendable {
  /// What identifies an item.
  associatedtype ItemID: Hashable & Sendable
  /// What shows an item.
  associatedtype Cell: Sendable

  /// Shows everything anew.
  ///
  /// A target that shows a part asks for the cells of that part.
  func reload(_ contents: any PresentedContents<ItemID, Cell>) throws

  /// Shows what changed.
  func update(_ update: PresentationUpdate<ItemID, Cell>) throws

  /// Tells that the source failed to load, or that the target's last call threw; does nothing
  /// unless implemented.
  ///
  /// The contents that are shown stay as they are.
  func didFail(with error: any Error)
}

extension PresentationTarget {
  /// Does nothing.
  public func didFail(with error: any Error) {}
}
