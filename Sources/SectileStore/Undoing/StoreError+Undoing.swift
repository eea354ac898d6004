extension StoreError {
  /// A transaction that cannot be undone, and why.
  static func notUndoable(_ reason: String, hint: String, row: RowKey? = nil) -> StoreError {
    StoreError(.notUndoable, message: reason, hint: hint, rowKey: row?.values)
  }

  /// A row is not what the transaction left that is to be undone.
  static func undoConflict(table: String, key: RowKey) -> StoreError {
    StoreError(
      .editConflict,
      message: "A row of \(table) was changed since the transaction that is to be undone.",
      hint: "Nothing was put back: undo what came later first, or edit what is there now.",
      rowKey: key.values)
  }

  /// A row is not what it was after everything was put back.
  static func wronglyUndone(table: String, key: RowKey) -> StoreError {
    .notUndoable(
      "A row of \(table) would not be what it was: a temporary trigger changes it, or a value does not go "
        + "back into its column.",
      hint: "Nothing was put back. Drop the temporary triggers of the connection first.", row: key)
  }

  /// A full-text table was told something else than the rows have whose texts are in another table.
  static func indexIsWrong(_ index: FullTextIndex) -> StoreError {
    .notUndoable(
      "The full-text table \(index.name) is out of step with the texts of its rows, so that words "
        + "of others would stay in it.",
      hint: "Have it rebuilt with write: INSERT INTO f(f) VALUES ('rebuild'), f being its name. "
        + "REPLACE fires DELETE triggers only with PRAGMA recursive_triggers = ON.")
  }

  /// What the schema says about a table is not what it said.
  static func alteredTable(_ table: String) -> StoreError {
    .notUndoable(
      "The table \(table) was altered or dropped since the transaction that is to be undone.",
      hint: "Nothing was put back: what was written before a migration stays.")
  }
}

extension RowJournal.Obstacle {
  /// The error that it is to whoever wants to undo.
  var error: StoreError {
    switch self {
    case .tooLarge:
      .notUndoable(
        "The transaction changed more rows than are kept in memory to undo it.",
        hint: "Raise StoreConfiguration.undoByteCountLimit, or use write.")
    case .attached(let name):
      .notUndoable(
        "The transaction wrote to the attached database \(name), which is not put back.",
        hint: "Use write.")
    case .virtual(let table):
      .notUndoable(
        "The transaction wrote to \(table), which belongs to a virtual table: its rows are not put back.",
        hint: "Use write, or a table of FTS5 that has its texts, or content='table' and row sizes."
      )
    }
  }
}
