/// Something that a store tells of while it works, for logs and metrics.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.onEvent = { event in
///   logger.debug("\(event)")
///   if event.kind == .slowStatement, let sql = event.sql { logger.warning("\(sql)") }
/// }
/// ```
///
/// What an event has besides its ``kind`` depends on that: the property of anything else is nil. No
/// event holds a stored value; the SQL of a ``Kind/slowStatement`` is as it was written, without
/// the values that were bound.
public struct StoreEvent: Sendable {
  package let content: Content

  init(_ content: Content) { self.content = content }

  /// What kind of event it is.
  public var kind: Kind {
    switch content {
    case .committed: .committed
    case .rolledBack: .rolledBack
    case .resynced: .resynced
    case .waited: .waited
    case .slowStatement: .slowStatement
    case .readItems: .readItems
    case .checkpointed: .checkpointed
    case .checkpointBlocked: .checkpointBlocked
    case .pollFailed: .pollFailed
    case .logNotWatched: .logNotWatched
    case .dropped: .dropped
    }
  }

  /// How long it took, or how long a call has waited.
  public var duration: Duration? {
    switch content {
    case .committed(_, let duration), .rolledBack(let duration), .waited(let duration),
      .slowStatement(_, let duration), .readItems(_, _, let duration),
      .checkpointed(_, _, let duration):
      duration
    case .resynced, .checkpointBlocked, .pollFailed, .logNotWatched, .dropped: nil
    }
  }

  /// How many rows a transaction has written, how many items were read, or how many events were
  /// dropped.
  public var count: Int? {
    switch content {
    case .committed(let count, _), .readItems(_, let count, _), .dropped(let count): count
    default: nil
    }
  }

  // What an event has is not inlined: optimizing, Swift 6.3.1 fails on a function of another module
  // that reads most of these properties ("outside of lifetime use" in CopyPropagation).

  /// Why live results read everything again.
  @inline(never)
  public var reason: RefetchReason? {
    if case .resynced(let reason) = content { reason } else { nil }
  }

  /// The statement that was slow.
  @inline(never)
  public var sql: String? {
    if case .slowStatement(let sql, _) = content { sql } else { nil }
  }

  /// The table whose items were read.
  @inline(never)
  public var table: String? {
    if case .readItems(let table, _, _) = content { table } else { nil }
  }

  /// How many pages the log had at a checkpoint.
  @inline(never)
  public var logPageCount: Int? {
    if case .checkpointed(let count, _, _) = content { count } else { nil }
  }

  /// How many of these pages are in the file after the checkpoint.
  @inline(never)
  public var copiedPageCount: Int? {
    if case .checkpointed(_, let count, _) = content { count } else { nil }
  }

  /// Who reads a state of the file that keeps the log from beginning anew.
  @inline(never)
  public var holder: String? {
    if case .checkpointBlocked(let holder, _) = content { holder } else { nil }
  }

  /// How many bytes the log has that cannot begin anew.
  @inline(never)
  public var logByteCount: Int? {
    if case .checkpointBlocked(_, let count) = content { count } else { nil }
  }

  /// Why looking for changes of others failed.
  @inline(never)
  public var error: StoreError? {
    if case .pollFailed(let error) = content { error } else { nil }
  }
}

extension StoreEvent {
  /// A transaction of `Store.write` was committed.
  ///
  /// - Parameters:
  ///   - rows: How many rows its statements have written, triggers and foreign keys included.
  ///   - duration: The time from BEGIN to the end of COMMIT, without waiting for writes before it.
  /// - Returns: The event.
  public static func committed(rows: Int, duration: Duration) -> StoreEvent {
    StoreEvent(.committed(rows: rows, duration: duration))
  }

  /// A transaction of `Store.write` was rolled back, because its closure or COMMIT failed.
  public static func rolledBack(duration: Duration) -> StoreEvent {
    StoreEvent(.rolledBack(duration: duration))
  }

  /// Something may have been missed: live results read everything again, and compare.
  public static func resynced(reason: RefetchReason) -> StoreEvent {
    StoreEvent(.resynced(reason: reason))
  }

  /// A call waited for a lock of another connection or process, be it in vain.
  public static func waited(duration: Duration) -> StoreEvent {
    StoreEvent(.waited(duration: duration))
  }

  /// A statement took ``StoreConfiguration/slowStatementThreshold`` or longer, from its first step
  /// to its last; SQLite counts whole milliseconds.
  public static func slowStatement(sql: String, duration: Duration) -> StoreEvent {
    StoreEvent(.slowStatement(sql: sql, duration: duration))
  }

  /// Items were asked for that nobody remembered, and were read.
  public static func readItems(table: String, count: Int, duration: Duration) -> StoreEvent {
    StoreEvent(.readItems(table: table, count: count, duration: duration))
  }

  /// A checkpoint that was asked for has ended; those of a commit are a part of its duration.
  public static func checkpointed(
    logPageCount: Int, copiedPageCount: Int, duration: Duration
  ) -> StoreEvent {
    StoreEvent(
      .checkpointed(
        logPageCount: logPageCount, copiedPageCount: copiedPageCount, duration: duration))
  }

  /// The log is more than twice as long as commits leave it, because somebody still reads an older
  /// state of the file: it grows until they are done.
  ///
  /// It is told once, until the log has begun anew.
  ///
  /// - Parameters:
  ///   - holder: What the store itself reads, as ``Store/Statistics`` names it; otherwise that
  ///     somebody else does.
  ///   - logByteCount: How long the log is.
  /// - Returns: The event.
  public static func checkpointBlocked(by holder: String, logByteCount: Int) -> StoreEvent {
    StoreEvent(.checkpointBlocked(by: holder, logByteCount: logByteCount))
  }

  /// Looking whether another process has written failed; the next look comes in time.
  public static func pollFailed(_ error: StoreError) -> StoreEvent {
    StoreEvent(.pollFailed(error))
  }

  /// The system does not tell of writes to the log, as Linux does where a user has instances and
  /// watches of inotify left: what other processes commit is noticed only as often as
  /// ``StoreConfiguration/externalChangePolling`` says.
  public static let logNotWatched = StoreEvent(.logNotWatched)

  /// Whoever listens was too slow for so many events, of which nothing is known any more.
  public static func dropped(count: Int) -> StoreEvent { StoreEvent(.dropped(count: count)) }
}

extension StoreEvent {
  /// Why live results read everything again.
  ///
  /// Reasons may be added in any release, so compare with `==`.
  public struct RefetchReason: Hashable, Sendable, CustomStringConvertible {
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
