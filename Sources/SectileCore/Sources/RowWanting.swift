/// A snapshot whose rows may stand for items that are loaded once somebody wants them.
package protocol RowWanting {
  /// Whether wanting a row may do anything: false where none ever does, which is told without
  /// looking for the row.
  var loadsWantedRows: Bool { get }

  /// Takes note that the row at a path is wanted; a path that is not there is passed over.
  func noteWanted(at path: ItemPath)
}

extension DataSourceSnapshot {
  /// Says that the item at a path is wanted: it is shown, or about to be.
  ///
  /// Where there is a placeholder for it, of a source that loads what is read, its page begins to
  /// be loaded; through compositions, too. Everywhere else nothing happens. It is what
  /// ``DataSource/item(at:)`` of such a source, and of the compositions of it, does beside reading.
  /// Reading from a snapshot does not, since whoever filters, sorts, compares or exports reads all
  /// rows, and shows none.
  ///
  /// ```swift
  /// for path in visiblePaths { snapshot.prefetchItem(at: path) }
  /// ```
  ///
  /// - Parameter path: Where the item is in this version; one that is not there is passed over.
  public func prefetchItem(at path: ItemPath) {
    guard let snapshot = self as? any RowWanting, snapshot.loadsWantedRows else { return }
    snapshot.noteWanted(at: path)
  }

  /// Whether wanting a row may do anything.
  package var loadsWantedRows: Bool { (self as? any RowWanting)?.loadsWantedRows ?? false }
}
