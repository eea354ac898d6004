import CSQLite
import GRDB
import SectileCore

/// Puts rows back to what they were, inside a transaction.
struct UndoRun {
  private let undo: Store.Undo
  private let db: Database

  init(_ undo: Store.Undo, in db: Database) { (self.undo, self.db) = (undo, db) }

  /// Compares the rows with what they were left as, and puts them back.
  ///
  /// Rows that triggers and actions of foreign keys have written are among them; therefore neither
  /// is run again. What is in the way of one another, such as two that have changed places in a
  /// unique column, is no obstacle: all rows are taken away before the first is put back.
  ///
  /// - Throws: `editConflict` where rows were changed since, others are in the way, or would refer
  ///   to nothing; `notUndoable` where tables were altered. What was written before is for the
  ///   caller to roll back.
  func run() throws {
    try LogState.refuseNewer(in: db)
    for changes in undo.tables {
      guard try WholeRows(of: changes.rows.table, in: db) == changes.rows else {
        throw StoreError.alteredTable(changes.rows.table)
      }
      try compare(changes, of: changes.rows.table)
    }
    let indexes = try undo.indexes.isEmpty ? [] : FullTextIndex.all(in: db)
    for changes in undo.indexes {
      guard indexes.contains(changes.index),
        try WholeRows(behind: changes.index, in: db) == changes.rows.rows
      else { throw StoreError.alteredTable(changes.index.name) }
      try compare(changes.rows, of: changes.index.name)
    }
    let sequences = try AutoincrementState(in: db)
    let enforces = db.sqliteConnection.map { sectile_foreign_keys($0) != 0 } ?? false
    let references = enforces ? try ReferenceCheck(of: undo, in: db) : nil
    try withoutTriggersAndActions {
      // A full-text table is told what to forget while the texts are there, and what to take in
      // when they are there again.
      for changes in undo.indexes { try changes.takeAway(in: db) }
      for changes in undo.tables { try takeAway(changes) }
      for changes in undo.tables { try putBack(changes) }
      for changes in undo.indexes { try changes.putBack(in: db) }
    }
    try sequences.putBack(undo.sequences, in: db)
    try references?.check()
    try log()
  }

  /// Checks that rows are what the transaction left.
  private func compare(_ changes: TableChanges, of table: String) throws {
    let statement = try RawStatement.prepare(changes.rows.reading, on: db)
    var row = ByteBuffer()
    for change in changes.changes {
      row.truncate(to: 0)
      let isThere = try changes.rows.append(change.key, readBy: statement, to: &row)
      guard changes.holds(change.after, isThere ? row.all : nil) else {
        throw StoreError.undoConflict(table: table, key: change.key)
      }
    }
  }

  private func takeAway(_ changes: TableChanges) throws {
    let statement = try RawStatement.prepare(changes.rows.deletion, on: db)
    for change in changes.changes where change.after != nil {
      try statement.bind(change.key, from: 1)
      try statement.run()
    }
  }

  private func putBack(_ changes: TableChanges) throws {
    let statement = try RawStatement.prepare(changes.rows.insertion, on: db)
    for change in changes.changes {
      guard let before = change.before else { continue }
      do {
        try changes.withColumns(of: before) {
          try changes.rows.insert(change.key, $0, by: statement)
        }
      } catch let error as StoreError where error.code.isConstraint {
        throw StoreError(
          .editConflict,
          message: "A row of \(changes.rows.table) cannot be put back: \(error.message)",
          hint: "Nothing was put back: another row has a value by now that the row had.",
          cause: error, rowKey: change.key.values)
      }
    }
  }

  /// Runs a closure while no trigger of the file runs, and no action of a foreign key.
  private func withoutTriggersAndActions(_ body: () throws -> Void) rethrows {
    guard let connection = db.sqliteConnection else { return try body() }
    let (triggers, keys) = (sectile_triggers(connection), sectile_foreign_keys(connection))
    defer {
      _ = sectile_set_triggers(connection, triggers)
      _ = sectile_set_foreign_keys(connection, keys)
    }
    _ = sectile_set_triggers(connection, 0)
    _ = sectile_set_foreign_keys(connection, 0)
    try body()
  }

  // MARK: - The change log

  /// Writes to the change log what its triggers would have written.
  private func log() throws {
    guard let state = try LogState(in: db) else { return }
    for changes in undo.tables {
      guard let table = state.table(named: changes.rows.table) else { continue }
      let keys = table.keys.compactMap(changes.rows.position(of:))
      guard keys.count == table.keys.count else { continue }
      let names = ["tbl", "op"] + LogTables.keyColumns.prefix(keys.count)
      let statement = try RawStatement.prepare(
        "INSERT INTO main.\(LogTables.log) (\(names.joined(separator: ", ")), salt)"
          + " VALUES (\(names.map { _ in "?" }.joined(separator: ", ")), random())", on: db)
      let values = try table.valuesSince.map { _ in try UndoneValues(of: changes, in: db) }
      // Rows may have changed keys with one another: what is there is told last.
      let moved = changes.changes.filter { !changes.keeps(keys, in: $0) }
      for change in moved {
        guard let after = change.after else { continue }
        try append(.delete, of: after, changes, keys, table.id, by: statement)
        try values?.appendRow(after)
      }
      for change in changes.changes {
        guard let before = change.before else { continue }
        let operation: LogOperation = change.after == nil ? .insert : .update
        try append(operation, of: before, changes, keys, table.id, by: statement)
        try values?.appendChanges(from: change.after, to: before)
      }
    }
  }

  private func append(
    _ operation: LogOperation, of row: Range<Int>, _ changes: TableChanges, _ keys: [Int],
    _ table: Int64, by statement: RawStatement
  ) throws {
    try changes.withColumns(of: row) { columns in
      defer { statement.finish() }
      try statement.bind([.integer(table), .integer(operation.rawValue)])
      for (index, column) in keys.enumerated() {
        try statement.bindColumn(columns[column], at: index + 3, isCopied: false)
      }
      while try statement.step() {}
    }
  }
}
