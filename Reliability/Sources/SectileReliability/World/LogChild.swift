internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// What the processes of `log-kills` do, until they are killed or have done it.
///
/// Each says `open` when it has the file open, and the number of each transaction once it is
/// committed.
struct LogChild {
  /// How many transactions a process makes.
  private static let transactionCount = 40

  let path: String
  /// The seed of the run, and the number of the process in it.
  let seed: UInt64
  /// After how many pages of the log a commit copies it; 0 where other programs write, which take
  /// no lock.
  let checkpointPages: Int
  private var random: SeededRandom

  init(path: String, seed: UInt64, checkpointPages: Int) {
    self.path = path
    self.seed = seed
    self.checkpointPages = checkpointPages
    random = SeededRandom(seed: seed)
  }

  /// The seed of a process: its number is told by the last 16 bits.
  static func seed(of run: UInt64, process: Int) -> UInt64 { run << 16 | UInt64(process) }

  /// Whether the follower of a run is a named reader, for whom the log is kept.
  static func isRegistered(in run: UInt64) -> Bool { run % 2 == 0 }

  private var number: Int { Int(seed & 0xFFFF) }

  mutating func run(_ workload: String) throws {
    switch workload {
    case "log-plain": try runPlain(rebuilds: false)
    case "log-plain-rebuild": try runPlain(rebuilds: true)
    case "log-follower": try follow()
    default: try write(workload)
    }
  }

  static func open(_ path: String, checkpointPages: Int) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .seconds(60)
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    configuration.readerCount = 2
    configuration.automaticCheckpointPageCount = checkpointPages
    return try Store.open(at: path, configuration: configuration)
  }

  // MARK: Stores

  private mutating func write(_ workload: String) throws {
    var store = try Self.open(path, checkpointPages: checkpointPages)
    Child.say("open")
    var writer = LedgerWriter(number, seed: seed)
    var other = LedgerWriter(-number, seed: ~seed)
    for _ in 0..<Self.transactionCount {
      let isTurn = random.chance(0.3)
      switch workload {
      case "log-toggle" where isTurn: try toggle(store)
      case "log-prune" where isTurn: try prune(store)
      case "log-rebuild" where isTurn && random.chance(0.5):
        // Another program rebuilds; opening the file repairs what the log needs.
        try Self.write(&other, to: try Self.connect(path), rebuilds: true)
        store = try Self.open(path, checkpointPages: checkpointPages)
      case "log-rebuild": try Self.write(&writer, to: store, rebuilds: isTurn)
      default:
        try Self.write(&writer, to: store)
        if isTurn { try Self.writeAndUndo(writer, to: store) }
      }
      Child.say("\(writer.number)")
    }
    // Closing copies the log, beside writers who take no lock.
    if checkpointPages > 0 { try store.close() }
  }

  private mutating func toggle(_ store: Store) throws {
    if try store.changeLog.status() != nil, random.chance(0.5) {
      try store.changeLog.disable()
    } else {
      try store.changeLog.enable(tables: random.chance(0.5) ? ["entry", "pair"] : nil)
    }
  }

  private mutating func prune(_ store: Store) throws {
    do {
      try store.changeLog.prune(keeping: Int.random(in: 1...200, using: &random))
    } catch let error as StoreError where error.code == .noChangeLog {
    }
  }

  /// Writes the next transaction of a writer.
  static func write(
    _ writer: inout LedgerWriter, to store: Store, rebuilds: Bool = false
  ) throws {
    var next = writer
    try store.write(author: "w\(writer.writer)", tag: "\(writer.number + 1)") { transaction in
      let hasLog = try !transaction.query(Ledger.hasLog).isEmpty
      let statements = rebuilds ? next.rebuild(hasLog: hasLog) : next.next(hasLog: hasLog)
      for sql in statements { try transaction.execute(sql) }
    }
    writer = next
  }

  /// Writes a transaction of which a part, or all of it, is taken back.
  private static func writeAndUndo(_ writer: LedgerWriter, to store: Store) throws {
    var writer = writer
    try store.write { transaction in
      let hasLog = try !transaction.query(Ledger.hasLog).isEmpty
      do {
        try transaction.savepoint {
          for sql in writer.next(hasLog: hasLog) { try transaction.execute(sql) }
          throw Finding("taken back")
        }
      } catch is Finding {}
    }
  }

  // MARK: Other programs

  private mutating func runPlain(rebuilds: Bool) throws {
    let connection = try Self.connect(path)
    Child.say("open")
    var writer = LedgerWriter(-number, seed: seed)
    for _ in 0..<Self.transactionCount {
      try Self.write(&writer, to: connection, rebuilds: rebuilds && random.chance(0.3))
      Child.say("\(writer.number)")
    }
  }

  private static func connect(_ path: String) throws -> PlainConnection {
    let connection = try PlainConnection(path: path, busyTimeout: 60_000)
    try connection.run("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
    return connection
  }

  private static func write(
    _ writer: inout LedgerWriter, to connection: PlainConnection, rebuilds: Bool
  ) throws {
    try connection.run("BEGIN IMMEDIATE")
    let hasLog = try connection.run(Ledger.hasLog) > 0
    let statements = rebuilds ? writer.rebuild(hasLog: hasLog) : writer.next(hasLog: hasLog)
    for sql in statements { try connection.run(sql) }
    try connection.run("COMMIT")
  }

  // MARK: The follower

  /// Keeps what the results show, and how far that is, again and again, until it is killed.
  private mutating func follow() throws {
    let store = try Self.open(path, checkpointPages: checkpointPages)
    let results = try store.results(of: .byBatch)
    if var kept = try KeptContents(beside: path) {
      _ = try kept.resume(in: results)
    } else {
      try results.load()
    }
    Child.say("open")
    while true {
      if let kept = try KeptContents(of: results) {
        try kept.save(beside: path)
        if Self.isRegistered(in: seed >> 16) {
          do {
            try store.changeLog.register("follower", at: kept.token)
          } catch let error as StoreError where error.code == .noChangeLog {
          }
        }
      }
      usleep(UInt32.random(in: 0...6_000, using: &random))
    }
  }
}
