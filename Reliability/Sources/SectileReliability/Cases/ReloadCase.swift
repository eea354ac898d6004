internal import Foundation
internal import Sectile
internal import SectileTestSupport
internal import Synchronization

/// Live results are loaded again, and their request changes, while others write: each version is a
/// state that the file had, and what was told of it leads there.
///
/// From seed to seed the store has a file of its own, or a queue or a pool that it adopted; there
/// is a change log or none; it looks by itself or not; the store writes as well, and snapshots are
/// held.
struct ReloadCase: ReliabilityCase {
  let name = "reloads"
  let summary = "loads and changes of requests beside other writers; each version is right"
  /// How many loads and changes of requests a seed has.
  let reloadCount: Int

  private enum Kind: Int, CaseIterable {
    case file, queue, pool

    var name: String { ["own file", "adopted queue", "adopted pool"][rawValue] }
  }

  /// What a seed is about.
  private struct Setting: CustomStringConvertible {
    let kind: Kind
    let hasLog: Bool
    let polls: Bool
    let resultsCount: Int
    /// How long the others rest between two commits, in microseconds.
    let pause: UInt32
    let writesItself: Bool

    init(_ seed: UInt64) {
      kind = Kind.allCases[Int(seed % 3)]
      var random = SeededRandom(seed: seed)
      hasLog = seed / 3 % 2 == 1
      polls = random.chance(0.5)
      resultsCount = Int.random(in: 1...3, using: &random)
      pause = [300, 300, 1_000, 5_000].randomElement(using: &random) ?? 300
      writesItself = random.chance(0.5)
    }

    var description: String {
      "\(kind.name), \(hasLog ? "with a log" : "without"), \(resultsCount) results, "
        + "\(polls ? "polling" : "not polling"), pause \(pause), own writes: \(writesItself)"
    }
  }

  /// How much the others have done.
  private final class Counts: Sendable {
    let commits = Atomic(0)
    let snapshots = Atomic(0)
  }

  func run(seed: UInt64, tally: inout Tally) throws {
    let setting = Setting(seed)
    do {
      try run(setting, seed: seed, tally: &tally)
    } catch {
      throw Finding("\(setting): \(error)")
    }
    tally.cycles += 1
  }

  private func run(_ setting: Setting, seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    let (store, adopted) = try open(folder.database, setting)
    let states = FileStates()
    let all = try (0..<setting.resultsCount).map { number in
      try store.results(of: Self.request(number, seed: seed))
    }
    let checks = all.map { _ in
      ReloadCheck(against: states, toldMayBeOverwritten: setting.kind == .queue)
    }
    for (results, check) in zip(all, checks) { results.delegate = check }
    let (others, counts) = (Others(), Counts())
    try start(others, counts, at: folder.database, setting, seed: seed)
    if setting.writesItself { write(to: store, adopted, others, counts, setting) }
    hold(all, others, counts, states, setting)
    defer { others.end() }
    for results in all { try results.load() }
    try reload(all, checks, others, seed: seed)
    others.end()
    try settle(checks, store)
    try check(all, checks, others, states, store)
    tally.add(reloadCount, "reloads")
    tally.add(reloadCount, "reloads, \(setting.kind.name)")
    tally.add(checks.reduce(0) { $0 + $1.versionCount }, "versions")
    tally.add(counts.commits.load(ordering: .relaxed), "commits")
    tally.add(counts.snapshots.load(ordering: .relaxed), "snapshots read")
    if let adopted { try adopted.close() } else { try store.close() }
  }

  /// Plain, in sections, with an aggregate: in the same order.
  private static func request(_ number: Int, seed: UInt64) -> FetchRequest<ReloadedRow> {
    let plain = FetchRequest<ReloadedRow>().sort(by: \.place)
    return switch (Int(seed % 100) + number) % 3 {
    case 0: plain
    case 1: FetchRequest().sectioned(by: \.part).sort(by: \.place)
    default: plain.aggregating(ReloadCheck.sum)
    }
  }

  /// The store, and how to write past it where the connection is another's.
  private func open(_ path: String, _ setting: Setting) throws -> (Store, AdoptedFile?) {
    let polling: Duration? = setting.polls ? .milliseconds(3) : nil
    let own = try ReloadedFile.open(path, polling: polling)
    if setting.hasLog { try own.changeLog.enable() }
    if setting.kind == .file { return (own, nil) }
    try own.close()
    let adopted = try AdoptedFile(
      path, isPool: setting.kind == .pool, configuration: ReloadedFile.configuration(polling))
    return (adopted.store, adopted)
  }

  // MARK: The others

  private func start(
    _ others: Others, _ counts: Counts, at path: String, _ setting: Setting, seed: UInt64
  ) throws {
    for _ in 0..<(1 + seed % 2) {
      let connection = Mutex(try PlainConnection(path: path, busyTimeout: 60_000))
      try connection.withLock {
        _ = try $0.run("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
      }
      others.run {
        try connection.withLock { _ = try $0.run(ReloadedFile.commit) }
        counts.commits.add(1, ordering: .relaxed)
        usleep(setting.pause)
      }
    }
  }

  /// Writes as the store, and past it where the connection is another's.
  private func write(
    to store: Store, _ adopted: AdoptedFile?, _ others: Others, _ counts: Counts, _ setting: Setting
  ) {
    others.run {
      try store.write { transaction in
        for sql in ReloadedFile.statements { try transaction.execute(sql) }
      }
      try adopted?.writePast(ReloadedFile.statements)
      counts.commits.add(adopted == nil ? 1 : 2, ordering: .relaxed)
      usleep(500 + setting.pause)
    }
  }

  /// Holds some snapshots, and reads the oldest: what can be read is a state that the file had.
  private func hold(
    _ all: [SectionedResults<ReloadedRow>], _ others: Others, _ counts: Counts,
    _ states: FileStates, _ setting: Setting
  ) {
    let held = Mutex<[ResultsSnapshot<ReloadedRow>]>([])
    others.run {
      for results in all where results.version > 2 {
        let oldest = held.withLock { held in
          held.append(results.snapshot)
          return held.count > 8 ? held.removeFirst() : nil
        }
        do {
          let read = try oldest?.materialized() ?? results.contents()
          let rows = read.sections.flatMap { $0.rows.map(\.item) }
          if let problem = states.problem(rows) { throw Finding("a snapshot: \(problem)") }
          counts.snapshots.add(1, ordering: .relaxed)
        } catch let error as StoreError where error.code == .itemChangedElsewhere {
          // Rows of other processes have no old values.
        }
      }
      usleep(2_000 + setting.pause)
    }
  }

  // MARK: Reloading

  private func reload(
    _ all: [SectionedResults<ReloadedRow>], _ checks: [ReloadCheck], _ others: Others,
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed &+ 1)
    for number in 0..<reloadCount {
      let position = Int.random(in: 0..<all.count, using: &random)
      if random.chance(0.6) {
        try all[position].load()
      } else {
        let request = Self.request(position, seed: seed)
        try all[position].update(
          to: random.chance(0.5) ? request : request.limit(ReloadedFile.windowSize))
      }
      for check in checks {
        if let problem = check.problem { throw Finding("after \(number + 1) reloads: \(problem)") }
      }
      if let problem = others.problem { throw Finding(problem) }
    }
  }

  /// Waits for loads that were left to a thread which delivers: these calls return before their
  /// end.
  private func settle(_ checks: [ReloadCheck], _ store: Store) throws {
    var quietCount = 0
    while quietCount < 3 {
      try store.checkForExternalChanges()
      usleep(1_000)
      quietCount = checks.contains(where: \.isTelling) ? 0 : quietCount + 1
    }
  }

  private func check(
    _ all: [SectionedResults<ReloadedRow>], _ checks: [ReloadCheck], _ others: Others,
    _ states: FileStates, _ store: Store
  ) throws {
    if let problem = others.problem { throw Finding(problem) }
    let fetched = try store.read {
      try $0.fetchAll(FetchRequest<ReloadedRow>().sort(by: \.place))
    }
    if let problem = states.problem(fetched) { throw Finding("the file: \(problem)") }
    for (number, (results, check)) in zip(all, checks).enumerated() {
      if let problem = check.problem { throw Finding(problem) }
      let shown = try results.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
      let told = check.contents.sections.flatMap { $0.rows.map(\.item) }
      if !check.isLost, shown != told {
        throw Finding("results \(number) show other rows than they told")
      }
      let isWindow = shown.count == ReloadedFile.windowSize
      if shown != (isWindow ? Array(fetched.prefix(shown.count)) : fetched) {
        throw Finding("results \(number) differ from a fetch")
      }
    }
  }
}
