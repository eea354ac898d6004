package import GRDB
internal import SectileCore
internal import Synchronization

/// A SQLite database whose committed changes can be followed.
///
/// A store on a file runs in WAL: one writer, and readers that never wait for it. A store in memory
/// has one connection. Both behave alike otherwise.
///
/// ```swift
/// let store = try Store.open(at: "packages.sqlite", migrations: .folder("Migrations"))
/// try store.write { transaction in
///   try transaction.execute("INSERT INTO package (name) VALUES (?)", "sed")
/// }
/// let rows = try store.read { try $0.query("SELECT name FROM package") }
/// ```
///
/// A store may be used from any thread and any task. Writes run one after another, in the order
/// they are called. The database is closed by `close()`, or when the store is released.
public final class Store: Sendable {
  /// The path the store was opened at; `nil` for a store in memory.
  public let path: String?
  /// The configuration the store was opened with.
  public let configuration: StoreConfiguration

  /// GRDB's connections: a pool for files, a queue for memory, or what was adopted.
  package let writer: any DatabaseWriter
  /// Follows the commits.
  let commits: CommitCenter
  /// Where live results register.
  var followed: FollowedResults { commits.results }
  /// Where live results tell what happens, loaded or not.
  let resultsHubs = ResultsHubs()
  /// The file that is written; nil in memory, and where nothing is written.
  let file: WrittenFile?
  /// The lock that writers of several processes take.
  package let writerLock: WriterLock
  /// Whether the connections belong to somebody else.
  package let isAdopted: Bool
  let accesses: AccessRegistry
  /// Counts what the store does.
  let monitor: StoreMonitor
  /// Threads on which tasks have read what takes a while.
  let blockingCalls: BlockingCalls
  /// States of the file that loads hold; nil where there is one connection.
  let views: HeldViews?
  /// Whether the state that results of queries show is held while others write.
  let holdsFormerStates: Bool
  /// Keeps the log of the file from growing for ever.
  let growth: LogGrowth
  /// Whether somebody asked for GRDB's connections.
  let isWriterExposed = Atomic(false)
  /// What closing came to; nil while the store is open.
  let outcomeOfClosing = Mutex<CloseOutcome?>(nil)

  init(
    writer: any DatabaseWriter, path: String?, configuration: StoreConfiguration,
    commits: CommitCenter, monitor: StoreMonitor, file: WrittenFile? = nil,
    writerLock: WriterLock? = nil,
    isAdopted: Bool = false
  ) {
    self.writer = writer
    self.path = path
    self.configuration = configuration
    self.commits = commits
    self.file = file
    self.writerLock = writerLock ?? configuration.makeWriterLock(of: file, monitor)
    self.isAdopted = isAdopted
    if isAdopted { commits.isWriterShared.store(true, ordering: .relaxed) }
    self.monitor = monitor
    self.accesses = AccessRegistry(file: path, monitor)
    blockingCalls = BlockingCalls(width: configuration.readerCount)
    let limit = LogLimit(commits.logFiles, configuration)
    views = (writer as? DatabasePool).map {
      HeldViews(of: $0, limit, collations: isAdopted ? configuration.collations : [])
    }
    growth = LogGrowth(limit, monitor, views)
    // Where nobody looks, or nobody keeps the log short, a state that is held would let it grow.
    let isHeldBriefly =
      (configuration.externalChangePolling != nil || configuration.isLookedAtByOwner)
      && configuration.automaticCheckpointPageCount > 0
    let lock = configuration.isReadOnly ? nil : self.writerLock
    let former = views.flatMap { views in
      isHeldBriefly ? FormerState.File(views: views, limit: limit, lock: lock) : nil
    }
    commits.recorder.former.file.withLock { $0 = former }
    holdsFormerStates = former != nil
  }

  deinit {
    // What is held of the file holds its connections, which hold the store's parts.
    let former = commits.recorder.former
    former.file.withLock { $0 = nil }
    guard !accesses.isClosed else { return }
    if isAdopted {
      detach()
    } else if former.isHeld.load(ordering: .relaxed) {
      // Without one, the connections close at once: who opens the file next finds no lock.
      let commits = commits
      writer.asyncWriteWithoutTransaction { _ in commits.recorder.former.letGo() }
    }
  }
}
