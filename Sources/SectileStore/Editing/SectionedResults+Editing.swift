internal import GRDB
public import SectileCore
internal import Synchronization

// What is edited is a row of the table, in a transaction of its own, and comes back as the
// changeset of that commit: nothing is changed in the contents themselves.

extension SectionedResults: ItemRemoving, ItemReplacing, ItemInserting, ItemMoving {
  /// Returns whether rows can be edited in a way: not those of views, of read-only stores, and of
  /// results that follow no commits; inserted and moved only where the request is
  /// `reorderable(by:)`.
  ///
  /// What is left, the closure decides that the results were made with. It is handed the item that
  /// is at the path; nil where there is none, as behind the last one of a section, where one may be
  /// inserted.
  ///
  /// - Complexity: Reads the schema, and with a closure the item.
  public func allows(_ capability: EditingCapability, at path: ItemPath) -> Bool {
    let plan = tracker.state.withLock { $0.isFollowing ? $0.request.plan : nil }
    guard let plan else { return false }
    let rules = EditingRules(plan: plan, isReadOnly: editing.isReadOnly)
    guard (try? items.reader.access.read { try rules.check(capability, in: $0) }) != nil else {
      return false
    }
    return allowing?(capability, path, try? item(at: path)) ?? true
  }

  /// Returns where a row lands that is moved; nil for another section, where sections are worked
  /// out from other columns.
  public func destination(forMovingItemAt path: ItemPath, to target: ItemPath) -> ItemPath? {
    let plan = tracker.plan
    let isFixed = plan.section != nil && plan.writtenSectionColumn == nil
    return isFixed && path.section != target.section ? nil : target
  }

  /// Deletes the row of the item at a path, and tells of it as of every commit.
  ///
  /// ```swift
  /// try results.remove(at: path)   // or of any list that shows it: list.removeItem(at: path)
  /// ```
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; a ``StoreError``: `editConflict` where
  ///   somebody changed the row since the results showed it; `notEditable`, `readOnly`; what
  ///   `Store.write(_:)` throws, such as `foreignKeyConstraint` where other rows refer to it.
  ///   Nothing was changed then.
  public func remove(at path: ItemPath) throws {
    let edit = try ResultsEdit(of: self)
    let key = try edit.key(at: path)
    try edit.write(.removing, unchanged: [path]) { transaction, table in
      let db = transaction.db
      try RowStatements(of: edit.plan, table, in: db).delete(key, in: db)
    }
  }

  /// Writes another state of the row of the item at a path, or another row in its place.
  ///
  /// With another identity, the row gets another key: rows that refer to it follow where they are
  /// declared `ON UPDATE CASCADE`.
  ///
  /// - Throws: As ``remove(at:)``; `encodingFailed` for an item that cannot be written;
  ///   `sectionFull` where the row would come into a section that has as many as it may have.
  public func replace(at path: ItemPath, with item: Item) throws {
    let edit = try ResultsEdit(of: self)
    let key = try edit.key(at: path)
    try edit.write(.replacing, unchanged: [path]) { transaction, table in
      let db = transaction.db
      let rows = try RowStatements(of: edit.plan, table, in: db)
      try edit.placeRow(key, as: self.key(of: item), in: transaction) {
        try rows.update(key, to: item, by: items.format, in: db)
      }
    }
  }

  /// Deletes the row with a key, wherever the results show it by now.
  ///
  /// ```swift
  /// let song = try results.item(at: path)
  /// try results.remove(id: song.id)                   // whatever others made of it
  /// try results.remove(id: song.id, ifStill: song)    // only what was read
  /// ```
  ///
  /// The row is compared in the transaction that deletes it, by what would be written for the two
  /// items.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - expected: What was read; nil for whatever the row is.
  /// - Throws: `DataSourceError` with the code `noSuchItem` where the results do not show the row;
  ///   else as ``remove(at:)``, `editConflict` where the row is not what was read, or is gone.
  public func remove(id: Item.ID, ifStill expected: Item?) throws {
    let edit = try ResultsEdit(of: self)
    let key = try edit.key(of: id, in: self)
    try edit.write(.removing, key, ifStill: expected) { transaction, table in
      let db = transaction.db
      try RowStatements(of: edit.plan, table, in: db).delete(key, in: db)
    }
  }

  /// Writes another state of the row with a key, or another row in its place, wherever the results
  /// show it by now.
  ///
  /// See ``remove(id:ifStill:)`` for more information.
  ///
  /// - Throws: As ``remove(id:ifStill:)``; `encodingFailed`, `sectionFull` as
  ///   ``replace(at:with:)``.
  public func replace(id: Item.ID, with item: Item, ifStill expected: Item?) throws {
    let edit = try ResultsEdit(of: self)
    let key = try edit.key(of: id, in: self)
    try edit.write(.replacing, key, ifStill: expected) { transaction, table in
      let db = transaction.db
      let rows = try RowStatements(of: edit.plan, table, in: db)
      try edit.placeRow(key, as: self.key(of: item), in: transaction) {
        try rows.update(key, to: item, by: items.format, in: db)
      }
    }
  }

  /// Inserts a row before the item at a path, or behind the last one of a section.
  ///
  /// The row gets the number that its place takes, and the value of the section, whatever the item
  /// has. Where the results are empty it stays in the section that it says. A row that the
  /// request's filter does not want is inserted, and not shown.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; a ``StoreError``: `editConflict` where
  ///   the items beside the place are elsewhere by now; else as ``replace(at:with:)``,
  ///   `uniqueConstraint` for a key that exists.
  /// - Complexity: A few index searches where one has section and number in its columns. Where no
  ///   number is free at the place, rows around it get new ones, few over many insertions.
  public func insert(_ item: Item, at path: ItemPath) throws {
    let edit = try ResultsEdit(of: self)
    try insert(item, at: try RowPlace(path, in: edit, of: nil), by: edit)
  }

  func insert(
    _ item: Item, at place: RowPlace, in section: StoredValue? = nil, by edit: ResultsEdit<Item>
  ) throws {
    try edit.write(.inserting, unchanged: []) { transaction, table in
      let db = transaction.db
      let rows = try RowStatements(of: edit.plan, table, in: db)
      let values = try RowPlacing(edit.plan, table, in: db).values(at: place)
      let new = edit.plan.key(key(of: item), with: values)
      try edit.placeRow(nil, as: new, in: transaction) {
        try rows.insert(item, by: items.format, with: values, in: db)
      }
      if let section {
        try edit.requireSection(section, of: edit.insertedKey(new, in: db), in: db)
      }
    }
  }

  private func key(of item: Item) -> RowKey {
    RowKey(of: item.id, forms: items.format.keyForms)
  }

  /// Moves the row of the item at a path to where another path points to once it is taken out.
  ///
  /// Its number changes, and its section's value where that is another one. It goes beside the item
  /// that it was put next to, wherever that is by now: behind the one before it on its way down its
  /// section, before the one behind it otherwise.
  ///
  /// - Throws: As ``insert(_:at:)``; `editConflict` also where somebody changed the row itself;
  ///   `notEditable` for a section that is worked out from other columns.
  /// - Complexity: As ``insert(_:at:)``.
  public func move(from path: ItemPath, to target: ItemPath) throws {
    let edit = try ResultsEdit(of: self)
    let key = try edit.key(at: path)
    let place = try RowPlace(target, in: edit, of: path)
    if path == target { return }
    try edit.write(.moving, unchanged: [path]) { transaction, table in
      try edit.move(key, to: place, table, in: transaction)
    }
  }
}
