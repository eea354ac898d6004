internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// A file with a change log, in which processes are killed again and again, and what must be true
/// of it after each time.
final class LogLife {
  /// Who is killed in a cycle, or makes it what it is.
  private enum Kind: String, CaseIterable {
    case writer, plain, follower, toggle, prune, rebuild
    case plainRebuild = "plain-rebuild"

    var workload: String { "log-" + rawValue }
    var isPlain: Bool { self == .plain || self == .plainRebuild }
  }

  /// A process, and when it is to be killed.
  private struct Actor {
    let process: ChildProcess
    let workload: String
    let writer: Int
    /// In seconds since 1970; nil where it kills itself, or ends.
    var end: Double?
    /// Whether it goes on until it is killed.
    var isEndless: Bool { workload == "log-follower" }
  }

  private static let ownNumber = 1

  private let folder: Folder
  private let seed: UInt64
  private var random: SeededRandom
  private var cycle = 0
  private var lastNumber = ownNumber
  private var own: LedgerWriter
  private var acknowledged: [Int: Int] = [:]
  /// Why the token that is kept may lead nowhere: what was done to the file since it was kept.
  private var allowedReasons: Set<ResetReason> = []

  // What lives in this process, sometimes for many cycles.
  private var store: Store?
  private var results: SectionedResults<Entry>?
  private var recorder = ChangeRecorder<Int64, Entry>()

  init(seed: UInt64) throws {
    folder = try Folder()
    self.seed = seed
    random = SeededRandom(seed: seed)
    own = LedgerWriter(Self.ownNumber, seed: LogChild.seed(of: seed, process: Self.ownNumber))
    let store = try Store.open(at: folder.database, migrations: Ledger.migrations)
    try store.changeLog.enable()
    try store.close()
    try openStore()
    try keep()
  }

  /// Has processes work on the file, kills some of them, and checks the file.
  func runCycle(_ tally: inout Tally) throws {
    cycle += 1
    let kind = Kind.allCases.randomElement(using: &random) ?? .writer
    if random.chance(0.4) { try closeStore() }
    do {
      let actors = try start(kind)
      try wait(for: actors)
      try hear(actors, &tally)
      try check(&tally)
    } catch {
      throw Finding("cycle \(cycle), \(kind.rawValue): \(error)")
    }
    tally.cycles += 1
  }

  func end() throws { try closeStore() }

  // MARK: Controls

  /// Writes some transactions, in this process.
  func work() throws {
    guard let store else { return }
    for _ in 0..<20 { try LogChild.write(&own, to: store) }
  }

  /// Has the log name other keys where a statement has touched rows.
  func forgetRows() throws {
    try PlainConnection(path: folder.database).run(
      """
      UPDATE sectile_log SET k0 = -1 WHERE seq IN (
        SELECT g.seq FROM sectile_log g
        JOIN (SELECT * FROM ledger WHERE tbl IN ('entry', 'pair') AND "after" > "before"
          LIMIT 1 OFFSET \(Int.random(in: 0..<20, using: &random))) l
        ON g.seq > l."before" AND g.seq <= l."after")
      """)
  }

  /// Has the log tell of another author.
  func forgetAuthors() throws {
    try PlainConnection(path: folder.database).run(
      "UPDATE sectile_log SET k0 = 'nobody' WHERE op = 5 AND k1 = '\(Int.random(in: 1...20, using: &random))'"
    )
  }

  // MARK: Killing

  private func start(_ kind: Kind) throws -> [Actor] {
    var workloads = [kind.workload]
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      workloads.append(random.chance(0.3) ? Kind.plain.workload : Kind.writer.workload)
    }
    if kind != .follower, random.chance(0.3) { workloads.append(Kind.follower.workload) }
    let hasPlain =
      kind == .rebuild || workloads.contains { $0.hasPrefix(Kind.plain.workload) }
    // Checkpoints beside programs that take no lock are SQLite's bug, not ours.
    let pages = hasPlain ? 0 : [1, 20, 40].randomElement(using: &random) ?? 1
    switch kind {
    case .prune: if !LogChild.isRegistered(in: seed) { allowedReasons.insert(.pruned) }
    case .toggle: allowedReasons.formUnion([.noLog, .otherStore])
    case .rebuild, .plainRebuild: allowedReasons.insert(.otherEpoch)
    case .writer, .plain, .follower: break
    }
    return try workloads.enumerated().map { position, workload in
      try start(workload, isVictim: position == 0 || random.chance(0.3), pages)
    }
  }

  private func start(_ workload: String, isVictim: Bool, _ pages: Int) throws -> Actor {
    lastNumber += 1
    // The follower changes no file but its own: a moment has to do.
    let killsItself = isVictim && workload != Kind.follower.workload && random.chance(0.6)
    let at = Int.random(in: 1...(random.chance(0.4) ? 30 : 250), using: &random)
    let process = try ChildProcess(
      workload: workload, path: folder.database,
      seed: LogChild.seed(of: seed, process: lastNumber), killAt: killsItself ? at : 0,
      isTorn: random.chance(0.4), checkpointPages: pages)
    let delay = Double.random(in: 0.02...0.6, using: &random)
    return Actor(
      process: process, workload: workload,
      writer: workload.hasPrefix(Kind.plain.workload) ? -lastNumber : lastNumber,
      end: isVictim && !killsItself ? Date().timeIntervalSince1970 + delay : nil)
  }

  private func wait(for actors: [Actor]) throws {
    var ends = actors.map(\.end)
    while actors.contains(where: \.process.isRunning) {
      let now = Date().timeIntervalSince1970
      if actors.allSatisfy({ $0.isEndless || !$0.process.isRunning }) {
        // Those that would go on for ever.
        for position in actors.indices where ends[position] == nil {
          ends[position] = now + Double.random(in: 0...0.1, using: &random)
        }
      }
      for (position, actor) in actors.enumerated() where ends[position].map({ $0 <= now }) ?? false
      {
        actor.process.killAtOnce()
      }
      try store?.checkForExternalChanges()
      usleep(2_000)
    }
  }

  private func hear(_ actors: [Actor], _ tally: inout Tally) throws {
    for actor in actors {
      let lines = actor.process.lines()
      guard actor.process.status == SIGKILL || actor.process.status == 0 else {
        throw Finding("\(actor.workload) ended with \(actor.process.status): \(lines.suffix(3))")
      }
      if actor.process.status == SIGKILL {
        tally.kills += 1
        tally.add(1, "killed \(lines.isEmpty ? "while opening" : "at work")")
      }
      if let number = lines.compactMap({ Int($0) }).last { acknowledged[actor.writer] = number }
    }
  }

  // MARK: Checking

  func check(_ tally: inout Tally) throws {
    let plain = try PlainConnection(path: folder.database, busyTimeout: 60_000)
    let file = LogFileCheck(connection: plain)
    try file.checkWhole(acknowledged)
    if let store { try checkResults(of: store) }
    if random.chance(0.3) { try closeStore() }
    if store == nil { try openStore() }
    guard let store else { return }
    try LogChild.write(&own, to: store)
    acknowledged[Self.ownNumber] = own.number
    try file.checkWhole(acknowledged)
    tally.add(try file.checkCoverage(), "rows compared")
    if let status = try store.changeLog.status() {
      let broken = status.tables.filter { !$0.isIntact }.map(\.name)
      if !broken.isEmpty { throw Finding("after a commit of a store, \(broken) are not followed") }
      try compareHistory(of: store, with: file.loggedCommits())
    }
    try checkResults(of: store)
    try resume(in: store, &tally)
    for writer in acknowledged.keys where writer != Self.ownNumber { acknowledged[writer] = nil }
  }

  private func compareHistory(of store: Store, with ledger: [String]) throws {
    let page = try store.history(limit: 1_000_000)
    let history = page.transactions.filter { transaction in
      transaction.author != nil
        && transaction.changes.contains {
          ["entry", "pair"].contains($0.table) && $0.operation != .reset
        }
    }.map { "\($0.author ?? "") \($0.tag ?? "")" }
    // Of the first one a part may be pruned.
    guard page.isComplete, history.count - ledger.count <= 1,
      history.suffix(ledger.count) == ledger[...]
    else {
      throw Finding(
        "the history has \(history.count) commits, the ledger \(ledger.count): "
          + "\(history.suffix(4)), \(ledger.suffix(4))")
    }
  }

  /// The results that live in this process: what they told, what they show and what there is.
  private func checkResults(of store: Store) throws {
    guard let results else { return }
    try store.checkForExternalChanges()
    try recorder.check(against: results)
    let fetched = try store.read { try $0.fetchAll(.byBatch) }
    let shown = recorder.contents.sections.flatMap { $0.rows.map(\.item) }
    if shown != fetched { throw Finding("replayed contents differ from a fetch") }
    recorder.reset()
  }

  /// Goes on from what the follower has kept last.
  private func resume(in store: Store, _ tally: inout Tally) throws {
    if var kept = try KeptContents(beside: folder.database) {
      let results = try store.results(of: .byBatch)
      if let reason = try kept.resume(in: results) {
        guard allowedReasons.contains(reason) else {
          throw Finding("the token does not lead on, and must: \(reason.name)")
        }
        tally.add(1, "resets")
      } else {
        let fetched = try store.read { try $0.fetchAll(.byBatch) }
        guard kept.contents.sections == (try results.contents().sections),
          kept.contents.sections.flatMap({ $0.rows.map(\.item) }) == fetched
        else { throw Finding("what was kept, with what happened since, differs from a fetch") }
        tally.add(1, "resumed")
      }
    }
    // Mostly there is a log in the next cycle.
    if random.chance(0.8) { try store.changeLog.enable() }
    try keep()
  }

  /// Keeps what the results show now; nothing where there is no log.
  private func keep() throws {
    allowedReasons = []
    guard let results, let kept = try KeptContents(of: results) else {
      try? FileManager.default.removeItem(atPath: KeptContents.path(beside: folder.database))
      return
    }
    try kept.save(beside: folder.database)
    if LogChild.isRegistered(in: seed) {
      let reason = try store?.changeLog.register("follower", at: kept.token)
      if let reason { throw Finding("a reader is not registered: \(reason.name)") }
    }
  }

  // MARK: The store of this process

  private func openStore() throws {
    let store = try LogChild.open(folder.database, checkpointPages: 0)
    let results = try store.results(of: .byBatch)
    recorder = ChangeRecorder()
    results.delegate = recorder
    try results.load()
    self.store = store
    self.results = results
  }

  private func closeStore() throws {
    try store?.close()
    (store, results) = (nil, nil)
  }
}
