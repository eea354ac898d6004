import GRDB
import SectileCore

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
      var byNumber: [Int64: (watch: TableWatch, keys: [String])] = [:]
      var unlogged: [TableWatch] = []
      for watch in watches {
        if let table = log.table(named: watch.table) {
          byNumber[table.id] = (watch, table.keys)
        } else {
          unlogged.append(watch)
        }
      }
      func readTail(_ reader: FormerRowReader?) throws -> Bool {
        var count = 0
        return try log.readTail(in: db) { row in
          guard let (watch, keys) = byNumber[row.table] else { return }
          switch row.operation {
          case .insert, .update, .delete, .touched:
            count += 1
            let isReadable = count <= FormerRowReader.rowLimit
            try watch.record(row, namedBy: keys, isReadable ? reader : nil)
          case .commit, .note: break
          case .reset, nil: watch.loseTrack()
          }
        }
      }
      // What the hook has noted may be later than what others have written.
      let point = wantsFormerRows && !hasRecordedRows ? log.knownPoint : nil
      let isComplete =
        try former.read(at: point) { state in
          let reader = FormerRowReader(former: state, present: db)
          defer { reader.noteNewRows() }
          return try readTail(reader)
        } ?? readTail(nil)
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
