internal import GRDBSQLite

/// A tool's writes take the lock of writers, too, be they one statement or a transaction of
/// several.
extension InspectionConnection {
  /// Takes the lock before a statement that writes, unless the transaction has it already.
  ///
  /// - Throws: ``StoreError``: `busy` where others have it for too long, `interrupted`.
  @inline(__always)
  func willRun(_ statement: InspectionStatement) throws(StoreError) {
    if writerLock == nil || isLockHeld { return }
    try takeLock(for: statement)
  }

  /// Lets go of the lock where nothing is written any more.
  @inline(__always)
  func didRun() {
    if isLockHeld { leaveLock() }
  }

  private func takeLock(for statement: InspectionStatement) throws(StoreError) {
    guard let writerLock, !statement.isReadOnly else { return }
    // Another process may have added a log, or dropped it.
    try writerLock.engageIfLogged(connection)
    do {
      isLockHeld = try writerLock.enter {}
    } catch {
      throw .wrapping(error, file: path)
    }
  }

  private func leaveLock() {
    guard sqlite3_txn_state(connection, "main") != SQLITE_TXN_WRITE else { return }
    isLockHeld = false
    writerLock?.leave()
  }
}
