internal import GRDB

extension Store {
  /// Runs a closure in a writing transaction and commits it, and returns what takes it back.
  ///
  /// ```swift
  /// let (_, undo) = try store.writeUndoably { transaction in
  ///   try transaction.execute("UPDATE package SET section = 'old' WHERE section = 'libs'")
  /// }
  /// let redo = try store.undo(undo)
  /// ```
  ///
  /// All rows are put back that the transaction changed, whatever did it: statements, triggers,
  /// cascades, REPLACE, also the numbers that AUTOINCREMENT has given away. What is no row of the
  /// file stays as it is: temporary tables, SQLite's statistics, `PRAGMA user_version`.
  /// Transactions of other calls pay nothing for this.
  ///
  /// Full-text tables of FTS5 are put back, too: those that have their texts themselves, and those
  /// whose texts are in another table (`content='note'`), if they have sizes of rows. Of the latter
  /// SQLite demands that they are kept in step with that table, by triggers for example; so does
  /// undoing.
  ///
  /// See `write(_:)` for more information.
  ///
  /// - Parameters:
  ///   - author: Who commits, for the file's change log.
  ///   - tag: What the transaction is about, for the change log.
  ///   - body: Works with the transaction it gets. If it throws, everything is undone.
  /// - Returns: What `body` returns, and what takes the transaction back.
  /// - Throws: As `write(_:)`; ``StoreError`` with the code `notUndoable` for a transaction that
  ///   changes the schema, other virtual tables or attached databases, or more rows than
  ///   ``StoreConfiguration/undoByteCountLimit`` allows, or after which a full-text table is out of
  ///   step with its texts; nothing is committed then.
  /// - Complexity: That of the transaction, and for each row that it touches a copy and one more
  ///   read. What the schema has of tables is read once.
  public func writeUndoably<T>(
    author: String? = nil, tag: String? = nil, _ body: (StoreTransaction) throws -> T
  ) throws -> (value: T, undo: Undo) {
    try write { transaction in
      transaction.origin = CommitOrigin(author: author, tag: tag)
      return try recording(transaction) { try body(transaction) }
    }
  }

  /// Runs a closure in a writing transaction and commits it, and returns what takes it back,
  /// without blocking the caller's thread.
  ///
  /// See `writeUndoably(author:tag:_:)` for more information.
  public func writeUndoably<T: Sendable>(
    author: String? = nil, tag: String? = nil, _ body: @Sendable (StoreTransaction) throws -> T
  ) async throws -> (value: T, undo: Undo) {
    try await write { transaction in
      transaction.origin = CommitOrigin(author: author, tag: tag)
      return try self.recording(transaction) { try body(transaction) }
    }
  }

  /// Puts everything back that a transaction changed, in one transaction.
  ///
  /// It is told like every commit, as an exact changeset. Neither triggers nor actions of foreign
  /// keys run: the rows that they wrote are put back themselves, and full-text tables are told what
  /// to forget and what to take in. The change log names all of these rows.
  ///
  /// ```swift
  /// do {
  ///   redo = try store.undo(undo)
  /// } catch let error as StoreError where error.code == .editConflict {
  ///   print(error.message)  // somebody has changed one of the rows since
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - undo: What `writeUndoably(author:tag:_:)` or this method has returned.
  ///   - author: Who commits, for the file's change log.
  ///   - tag: What the transaction is about, for the change log.
  /// - Returns: What takes this back again: a redo.
  /// - Throws: ``StoreError``: `editConflict` where a row is not what the transaction left, whoever
  ///   changed it, where another row is in the way of one that is to be put back, and where a row
  ///   would refer to one that is gone, also one that SQLite had let in like this and that was
  ///   deleted; `notUndoable` where a table was altered, and where a temporary trigger of the
  ///   connection interferes; what `write(_:)` throws. Nothing was changed then.
  /// - Complexity: O(*n* log *m*) for *n* rows of the undo in tables of *m* rows. Where rows refer
  ///   to one that goes, and no index is on the column, their table is read for each.
  @discardableResult
  public func undo(_ undo: Undo, author: String? = nil, tag: String? = nil) throws -> Undo {
    try write { transaction in
      transaction.origin = CommitOrigin(author: author, tag: tag)
      return try putBack(undo, in: transaction)
    }
  }

  /// Puts everything back that a transaction changed, in one transaction, without blocking the
  /// caller's thread.
  ///
  /// See `undo(_:author:tag:)` for more information.
  @discardableResult
  public func undo(_ undo: Undo, author: String? = nil, tag: String? = nil) async throws -> Undo {
    try await write { transaction in
      transaction.origin = CommitOrigin(author: author, tag: tag)
      return try self.putBack(undo, in: transaction)
    }
  }

  /// Puts everything back that several transactions changed, in one transaction: all or nothing.
  ///
  /// It is told as one changeset, and taken back as one:
  ///
  /// ```swift
  /// let undos = try list.undoably { list in
  ///   for id in dragged { try list.moveItem(id: id, toSection: .integer(done.id)) }
  /// }
  /// let redo = try store.undo(undos)
  /// ```
  ///
  /// - Parameters:
  ///   - undos: What takes the transactions back, in the order in which they were made: the last
  ///     one is undone first.
  ///   - author: Who commits, for the file's change log.
  ///   - tag: What the transaction is about, for the change log.
  /// - Returns: What takes this back again: a redo of all of them.
  /// - Throws: As `undo(_:author:tag:)` for one; `editConflict` also where somebody else changed a
  ///   row between two of the transactions that changed it. Nothing was changed then.
  /// - Complexity: As `undo(_:author:tag:)` for one. Their rows are copied once.
  @discardableResult
  public func undo(
    _ undos: [Undo], author: String? = nil, tag: String? = nil
  ) throws -> Undo {
    try undo(try Undo(joining: undos), author: author, tag: tag)
  }

  /// Puts everything back that several transactions changed, in one transaction, without blocking
  /// the caller's thread.
  ///
  /// See `undo(_:author:tag:)` for several for more information.
  @discardableResult
  public func undo(
    _ undos: [Undo], author: String? = nil, tag: String? = nil
  ) async throws -> Undo {
    try await undo(try Undo(joining: undos), author: author, tag: tag)
  }

  private func putBack(_ undo: Undo, in transaction: StoreTransaction) throws -> Undo {
    let (_, redo) = try recording(transaction) { try UndoRun(undo, in: transaction.db).run() }
    try undo.check(isUndoneBy: redo)
    return redo
  }

  /// Runs a closure inside a transaction, and returns what takes back what it does.
  private func recording<T>(
    _ transaction: StoreTransaction, _ body: () throws -> T
  ) throws -> (value: T, undo: Undo) {
    let recording = try UndoRecording(
      in: transaction.db, byteLimit: configuration.undoByteCountLimit)
    let recorder = commits.recorder
    recorder.journal = recording.journal
    defer { recorder.journal = nil }
    let value = try body()
    try transaction.checkActive()
    return (value, try recording.finish(in: transaction.db))
  }
}
