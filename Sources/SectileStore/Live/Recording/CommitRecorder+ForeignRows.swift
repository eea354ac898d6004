import GRDB

// The rows of others, which the hook does not see, and the change log names.
extension CommitRecorder {
  /// Records what the log says that others have committed.
  ///
  /// - Parameter db: The writing connection, inside the transaction.
  /// - Returns: Whether it says so.
  func recordForeignRows(in db: Database) -> Bool {
    do {
      if try log.readState(in: db) {
        followLog()
        try log.skipTail(in: db)
        return false
      }
      // A change of the schema is followed by reading everything.
      var byNumber: [Int64: TableWatch] = [:]
      var unlogged: [TableWatch] = []
      for watch in watches {
        if let table = log.table(named: watch.table) {
          byNumber[table.id] = watch
        } else {
          unlogged.append(watch)
        }
      }
      let isComplete = try log.readTail(in: db) { row in
        guard let watch = byNumber[row.table] else { return }
        switch row.operation {
        case .insert, .update, .delete, .touched:
          watch.record { positions in try? row.key(at: positions) }
        case .commit, .note: break
        case .reset, nil: watch.loseTrack()
        }
      }
      guard isComplete else { return false }
      // Of other tables it does not tell.
      for watch in unlogged { watch.loseTrack() }
      return true
    } catch {
      return false
    }
  }

  /// Prepares what is watched for rows of the log.
  func followLog() {
    for watch in watches { watch.follow(log.table(named: watch.table)?.keys) }
  }
}
