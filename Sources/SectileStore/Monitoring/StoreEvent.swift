/// Something that a store tells of while it works, for logs and metrics.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.onEvent = { event in logger.debug("\(event)") }
/// ```
///
/// No event holds a stored value; the SQL of ``slowStatement(sql:duration:)`` is as it was written,
/// without the values that were bound. Cases may be added in any release: a `switch` needs a
/// `default`.
public enum StoreEvent: Sendable {
  /// A transaction of `Store.write` was committed.
  ///
  /// `rows` is how many rows its statements have written, triggers and foreign keys included; the
  /// duration is that from BEGIN to the end of COMMIT, without waiting for writes before it.
  case committed(rows: Int, duration: Duration)
  /// A transaction of `Store.write` was rolled back, because its closure or COMMIT failed.
  case rolledBack(duration: Duration)
  /// Something may have been missed: live results read everything again, and compare.
  case resynced(reason: ResyncReason)
  /// A call waited for a lock of another connection or process, be it in vain.
  case waited(duration: Duration)
  /// A statement took ``StoreConfiguration/slowStatementThreshold`` or longer, from its first step
  /// to its last; SQLite counts whole milliseconds.
  case slowStatement(sql: String, duration: Duration)
  /// Items were asked for that nobody remembered, and were read.
  case readItems(table: String, count: Int, duration: Duration)
  /// A checkpoint that was asked for has ended; those of a commit are a part of its duration.
  case checkpointed(logPageCount: Int, copiedPageCount: Int, duration: Duration)
  /// The log is more than twice as long as commits leave it, because somebody still reads an older
  /// state of the file: it grows until they are done.
  ///
  /// It is told once, until the log has begun anew. `by` names what the store itself reads, as
  /// ``Store/Statistics`` does, and otherwise says that somebody else does.
  case checkpointBlocked(by: String, logByteCount: Int)
  /// Looking whether another process has written failed; the next look comes in time.
  case pollFailed(StoreError)
  /// The system does not tell of writes to the log, as Linux does where a user has instances and
  /// watches of inotify left: what other processes commit is noticed only as often as
  /// ``StoreConfiguration/externalChangePolling`` says.
  case logNotWatched
  /// Whoever listens was too slow for so many events, of which nothing is known any more.
  case dropped(count: Int)
}

extension StoreEvent {
  /// Why live results read everything again.
  ///
  /// Reasons may be added in any release, so compare with `==`.
  public struct ResyncReason: Hashable, Sendable, CustomStringConvertible {
    /// In words.
    public let description: String

    /// Another connection or process has committed.
    public static let foreignCommit = Self(description: "another connection has committed")
    /// A table was created, altered or dropped.
    public static let newSchema = Self(description: "the schema has changed")
    /// It was asked for from time to time: see ``StoreConfiguration/changeLogAudit``.
    public static let audit = Self(description: "an audit was due")
    /// A row was gone of which nobody had told: somebody has written past the change log.
    public static let unseenChange = Self(
      description: "a row was gone of which nobody had told")
    /// It is not known whether a transaction was committed.
    public static let unknownOutcome = Self(
      description: "it is not known whether a transaction was committed")
  }
}

extension StoreEvent: CustomStringConvertible {
  /// What has happened, in one line.
  public var description: String {
    switch self {
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
