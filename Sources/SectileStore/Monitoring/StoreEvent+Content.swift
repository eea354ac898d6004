extension StoreEvent {
  /// What an event tells, for modules of this package: they have to say something of each.
  package enum Content: Sendable {
    case committed(rows: Int, duration: Duration)
    case rolledBack(duration: Duration)
    case resynced(reason: RefetchReason)
    case waited(duration: Duration)
    case slowStatement(sql: String, duration: Duration)
    case readItems(table: String, count: Int, duration: Duration)
    case checkpointed(logPageCount: Int, copiedPageCount: Int, duration: Duration)
    case checkpointBlocked(by: String, logByteCount: Int)
    case pollFailed(StoreError)
    case logNotWatched
    case dropped(count: Int)
  }
}

extension StoreEvent: CustomStringConvertible {
  /// What has happened, in one line.
  public var description: String {
    switch content {
    case .committed(let rows, let duration):
      "committed \(rows) row\(rows == 1 ? "" : "s") in \(duration)"
    case .rolledBack(let duration): "rolled back after \(duration)"
    case .resynced(let reason): "resynced: \(reason)"
    case .waited(let duration): "waited \(duration) for a lock of another connection"
    case .slowStatement(let sql, let duration): "took \(duration): \(sql)"
    case .readItems(let table, let count, let duration):
      "read \(count) item\(count == 1 ? "" : "s") of \(table) in \(duration)"
    case .checkpointed(let logPageCount, let copiedPageCount, let duration):
      "checkpoint: \(copiedPageCount) of \(logPageCount) pages are in the file, in \(duration)"
    case .checkpointBlocked(let holder, let logByteCount):
      "the log has \(logByteCount) bytes and cannot begin anew: \(holder)"
    case .pollFailed(let error): "looking for changes of others failed: \(error.message)"
    case .logNotWatched:
      "the system offers no further watch of a log (inotify): commits of others are noticed when it is looked for"
        + " them"
    case .dropped(let count): "\(count) event\(count == 1 ? " was" : "s were") dropped"
    }
  }
}
