import SectileCore
import SectileTestHelpers
import SectileTestSupport

@testable import SectileStore

/// Random queries over random tables as live results, whose changesets are replayed and compared
/// with a fresh fetch after each of some random transactions: own ones, also undone, and those of
/// another program, with a change log or without.
struct LiveQueryRun: CustomStringConvertible {
  /// What was seen.
  struct Tally {
    var followed = 0
    /// How many results were left out: two of their rows had one key, a part of a key was a whole
    /// real, or there were too many rows to compare.
    var leftOut = 0
    var comparisons = 0
    var changesets = 0
    var statements = 0
    var refusedStatements = 0
    /// How often commits of another program were followed by the log, and how often everything was
    /// fetched.
    var loggedCommits = 0
    var rebuilds = 0

    var summary: String {
      "\(followed) results, \(leftOut) left out, \(comparisons) comparisons, "
        + "\(changesets) changesets, \(loggedCommits) by the log, \(rebuilds) fetches of everything"
    }
  }

  private static let rowLimit = 300

  let seed: UInt64
  let kind: StorageKind
  let isLogged: Bool
  let holdsState: Bool
  var resultCount = 6
  var turnCount = 20

  var description: String {
    "seed \(seed) on \(kind)\(isLogged ? " with a log" : "")\(holdsState ? " and its state" : "")"
  }

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: ~seed)
    let kinds: [StorageKind] = [
      .memory, .memory, .memory, .file, .file, .adoptedPool, .adoptedQueue,
    ]
    kind = kinds.randomElement(using: &random) ?? .memory
    isLogged = kind != .memory && random.chance(0.6)
    holdsState = isLogged && random.chance(0.8)
  }

  /// Returns what went wrong, or nil.
  func failure(_ tally: inout Tally) throws -> String? {
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    var configuration = SmallWorld.configuration
    // Where somebody looks, the state is held in which rows were that others change; here nobody
    // looks in between.
    configuration.isLookedAtByOwner = holdsState
    let store = try kind.open(in: folder, configuration: configuration)
    let tables = try RandomTables.accepted(random: &random, comparesByRTRIM: kind == .memory)
    try store.write { transaction in
      // The one connection reads, too. Files have no columns that compare by RTRIM.
      if kind == .memory { try transaction.execute("PRAGMA automatic_index = OFF") }
      for sql in tables.statements { try transaction.execute(sql) }
    }
    if isLogged { try store.changeLog.enable(allowsAdopted: true) }
    let foreign = kind == .memory ? nil : try ForeignConnection(folder.file("store.sqlite"))
    try foreign?.execute("PRAGMA foreign_keys = ON")
    var writes = RandomTableWrites(
      to: tables.tables, random: random.fork(), hasWholeReals: false)
    for _ in 0..<10 { try write(&writes, to: store) }
    let queries = try LiveQuery.make(
      resultCount, on: tables.tables, in: store, rowLimit: Self.rowLimit, random: random.fork())
    var followed: [(query: LiveQuery, results: ReplayedResults)] = []
    for query in queries {
      tally.followed += 1
      followed.append(
        (query, try ReplayedResults(query.plan, in: store, name: query.description)))
    }
    // Digests are taken behind the loads.
    try store.checkForExternalChanges()
    for _ in 0..<turnCount {
      if let foreign, random.chance(0.3) {
        for _ in 0..<(random.chance(0.3) ? 2 : 1) {
          try foreign.execute("BEGIN IMMEDIATE")
          try writes.write(to: ForeignWriter(connection: foreign, store: store))
          try foreign.execute("COMMIT")
        }
        try store.checkForExternalChanges()
      } else {
        try write(&writes, to: store, isUndone: random.chance(0.1))
      }
      if let problem = try problem(of: &followed, in: store, &tally) { return problem }
    }
    for (_, results) in followed {
      tally.loggedCommits += results.results.statistics.loggedCount
      tally.rebuilds += results.results.statistics.rebuildCount
    }
    tally.statements += writes.count
    tally.refusedStatements += writes.refusedCount
    foreign?.close()
    try store.close()
    return nil
  }

  private func write(
    _ writes: inout RandomTableWrites, to store: Store, isUndone: Bool = false
  ) throws {
    do {
      try store.write { transaction in
        try writes.write(to: StoreWriter(transaction: transaction))
        if isUndone { throw CancellationError() }
      }
    } catch is CancellationError {}
  }

  /// Compares, and leaves out from now on what cannot be compared.
  private func problem(
    of followed: inout [(query: LiveQuery, results: ReplayedResults)], in store: Store,
    _ tally: inout Tally
  ) throws -> String? {
    let all = followed
    followed = []
    for (query, results) in all {
      let keys = try query.keys(in: store)
      if keys.rowCount > Self.rowLimit || keys.hasDoubles || keys.hasWholeReal {
        tally.leftOut += 1
        continue
      }
      tally.changesets += results.recorder.changesets.count
      if let problem = try results.problem() { return problem }
      tally.comparisons += 1
      followed.append((query, results))
    }
    return nil
  }
}
