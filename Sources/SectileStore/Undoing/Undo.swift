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
    /// Rows of full-text tables: what they know of is put back by themselves.
    let indexes: [FullTextChanges]
    let sequences: [AutoincrementState.Change]

    /// Whether the transaction left every row as it was.
    public var isEmpty: Bool { tables.isEmpty && indexes.isEmpty && sequences.isEmpty }

    /// How many rows the transaction inserted, deleted or changed, each counted once.
    ///
    /// Those of a full-text table count where it keeps their texts itself.
    public var rowCount: Int {
      (tables + textTables.map(\.rows)).reduce(0) { $0 + $1.changes.count }
    }

    /// The tables of these rows, in the order in which the transaction came to them; full-text
    /// tables last.
    public var tableNames: [String] { tables.map(\.rows.table) + textTables.map(\.index.name) }

    /// How many bytes the rows take, as they were and as they are.
    public var byteCount: Int {
      (tables + indexes.map(\.rows)).reduce(0) { $0 + $1.bytes.count }
    }

    private var textTables: [FullTextChanges] { indexes.filter { $0.index.texts == .own } }

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
      try checkIndexes(areUndoneBy: other)
    }

    private func checkIndexes(areUndoneBy other: Undo) throws(StoreError) {
      var others = Dictionary(
        other.indexes.map { ($0.index, $0.rows) }, uniquingKeysWith: { first, _ in first })
      for changes in indexes {
        let none = TableChanges(rows: changes.rows.rows, changes: [], bytes: [])
        let back = others.removeValue(forKey: changes.index) ?? none
        if changes.rows.keyLeftChanged(by: back) != nil { throw .indexIsWrong(changes.index) }
      }
      if let index = others.keys.first { throw .indexIsWrong(index) }
    }
  }
}
