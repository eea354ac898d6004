internal import Synchronization

extension Store {
  /// What a store has done since it was opened, and what it has to do.
  ///
  /// ```swift
  /// let statistics = store.statistics
  /// gauge.record(statistics.pendingCallCount)
  /// ```
  public struct Statistics: Hashable, Sendable, Codable {
    /// Reading transactions, those of snapshots and loads included.
    public let readCount: Int
    /// Transactions of `write` that were committed.
    public let commitCount: Int
    /// Transactions of `write` that were rolled back.
    public let rollbackCount: Int
    /// How often live results had to read everything again: see ``StoreEvent/resynced(reason:)``.
    public let resyncCount: Int
    /// Calls that waited for a lock of another connection; counted where
    /// ``StoreConfiguration/onEvent`` is set.
    public let waitCount: Int
    /// Checkpoints that were asked for.
    public let checkpointCount: Int
    /// Looks whether another process has written that failed.
    public let failedPollCount: Int
    /// Audits of live results against the file: see ``StoreConfiguration/changeLogAudit``.
    public let auditCount: Int
    /// Results that an audit, or a call of `SectionedResults.contents()`, found to differ from the
    /// file, though nobody had told of a change.
    public let auditMismatchCount: Int
    /// Calls that wait for a connection now.
    public let pendingCallCount: Int
    /// The states of the file that loads, and clients that read contents part by part, hold now: as
    /// long as there is one, the log cannot begin anew.
    public let heldViewCount: Int
    /// For how long the oldest of these states is held; nil where none is.
    public let oldestViewAge: Duration?
    /// For what the oldest of these states is held, such as `a load of package`; nil where none is.
    public let oldestViewOwner: String?
    /// How many bytes the log takes on disk; zero where there is none.
    ///
    /// A log that begins anew keeps its size, up to the pragma `journal_size_limit`: see
    /// ``StoreConfiguration/pragmas``.
    public let logByteCount: Int

    /// The names that the properties have in JSON.
    private enum CodingKeys: String, CodingKey {
      case readCount, commitCount, rollbackCount, resyncCount, waitCount, checkpointCount
      case failedPollCount, auditCount
      case auditMismatchCount = "auditFindCount"
      case pendingCallCount, heldViewCount, oldestViewAge, oldestViewOwner, logByteCount
    }
  }

  /// What the store has done since it was opened, and what it has to do.
  ///
  /// The counts are not of one moment, but each is right at one.
  public var statistics: Statistics {
    let oldest = views?.oldest
    return Statistics(
      readCount: monitor.readCount.load(ordering: .relaxed),
      commitCount: monitor.commitCount.load(ordering: .relaxed),
      rollbackCount: monitor.rollbackCount.load(ordering: .relaxed),
      resyncCount: monitor.resyncCount.load(ordering: .relaxed),
      waitCount: monitor.waitCount.load(ordering: .relaxed),
      checkpointCount: monitor.checkpointCount.load(ordering: .relaxed),
      failedPollCount: monitor.failedPollCount.load(ordering: .relaxed),
      auditCount: monitor.auditCount.load(ordering: .relaxed),
      auditMismatchCount: monitor.auditMismatchCount.load(ordering: .relaxed),
      pendingCallCount: accesses.pendingCount, heldViewCount: oldest?.count ?? 0,
      oldestViewAge: oldest?.age, oldestViewOwner: oldest?.use.description,
      logByteCount: file?.currentPath.flatMap {
        FileIdentity(LogFiles.logPath(of: $0)).map { Int($0.size) }
      } ?? 0)
  }
}
