public import SectileCore

extension DataSource {
  /// Edits a list, and returns what takes each edit back that wrote rows of a store.
  ///
  /// The list may be results of a store or any composition that shows them; the edits are those
  /// that any list has: removing, replacing, inserting and moving, by path or by identity.
  ///
  /// ```swift
  /// let undos = try list.undoably { try $0.moveItem(from: path, to: target) }
  /// try store.undo(undos)
  /// ```
  ///
  /// Each edit is a transaction of its own, as always, and what takes it back is as of
  /// `Store.writeUndoably(author:tag:_:)`: all rows that it changed are put back, by triggers and
  /// cascades too. A move that gave rows around its place new positions gives them their old ones.
  /// An edit that writes nothing, such as a move to the same place, has none; nor has one of items
  /// that no store holds, as those of an array, which is made all the same. What delegates edit
  /// when they are told is their own, and so is what tasks do that the closure starts; what is
  /// edited by another call of this inside the closure is that one's alone.
  ///
  /// - Parameter edits: Edits the list that it is handed.
  /// - Returns: What takes back the edits, in their order: `store.undo(_:)` takes all of them back
  ///   in one transaction, or one after another, the last one first.
  /// - Throws: What `edits` throws; what it has edited before stays. ``StoreError`` with the code
  ///   `notUndoable` for an edit that cannot be taken back, which is not made then: triggers of the
  ///   table write what cannot be put back.
  /// - Complexity: That of the edits, and for each row that they touch a copy and one more read.
  @discardableResult
  public func undoably(_ edits: (Self) throws -> Void) throws -> [Store.Undo] {
    let collector = EditCollector()
    defer { collector.close() }
    try EditCollector.$current.withValue(collector) { try edits(self) }
    return collector.undos.compactMap { $0 as? Store.Undo }.filter { !$0.isEmpty }
  }
}
