extension Store {
  /// What puts the rows of one transaction back to what they were: see
  /// `Store.writeUndoably(author:tag:_:)`.
  ///
  /// ```swift
  /// let (_, undo) = try store.writeUndoably {
  ///   try $0.execute("DELETE FROM package WHERE size = 0")
  /// }
  /// let redo = try store.undo(undo)
  /// ```
  ///
  /// It holds whole rows in memory, those that triggers and cascades have changed included, as they
  /// were before the transaction and as it left them; see
  /// ``StoreConfiguration/undoByteCountLimit``. It is a value: it keeps no version of the database
  /// from going away, and may be dropped or kept at will. It is of one process, and is not stored.
  public struct Undo: Sendable {
    let tables: [TableChanges]
    let sequences: [AutoincrementState.Change]

    /// Whether the transaction left every row as it was.
    public var isEmpty: Bool { tables.isEmpty && sequences.isEmpty }

    /// How many rows the transaction inserted, deleted or changed, each counted once.
    public var rowCount: Int { tables.reduce(0) { $0 + $1.changes.count } }

    /// The tables of these rows, in the order in which the transaction came to them.
    public var tableNames: [String] { tables.map(\.rows.table) }

    /// How many bytes the rows take, as they were and as they are.
    public var byteCount: Int { tables.reduce(0) { $0 + $1.bytes.count } }

    /// Checks that other changes lead back, and do nothing else.
    ///
    /// - Throws: `notUndoable`, with a row for which that is not so.
    func check(isUndoneBy other: Undo) throws(StoreError) {
      var others = Dictionary(
        other.tables.map { ($0.rows.table, $0) }, uniquingKeysWith: { first, _ in first })
      for table in tables {
        let name = table.rows.table
        let none = TableChanges(rows: table.rows, changes: [], bytes: [])
        if let key = table.keyLeftChanged(by: others.removeValue(forKey: name) ?? none) {
          throw .wronglyUndone(table: name, key: key)
        }
      }
      if let (name, table) = others.first, let change = table.changes.first {
        throw .wronglyUndone(table: name, key: change.key)
      }
    }
  }
}
