import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Own and foreign transactions in turn, at random, while several live results follow by the change
/// log.
///
/// Each changeset is compared with what there was after its commit: those of others come by
/// themselves, before the own one that has noticed them, and stay where that is undone.
@Suite(.timeLimit(.minutes(60))) struct FollowingAtRandomTests {
  @Test(arguments: SeededRandom.batches(debug: 20, release: 300, of: 10))
  func everyCommitIsToldExactlyAndInOrder(seeds: Range<UInt64>) async throws {
    var (loggedCount, resyncCount) = (0, 0)
    for seed in seeds {
      await Task.yield()
      let run = FollowingRun(seed: seed)
      let outcome = try run.outcome(of: run.turns)
      loggedCount += outcome.loggedCount
      resyncCount += outcome.resyncCount
      guard let failure = outcome.failure else { continue }
      let few = try shrink(run.turns) { try run.outcome(of: $0).failure != nil }
      let message = try run.outcome(of: few).failure ?? failure
      let text = few.map(\.description).joined(separator: "\n")
      Issue.record("seed \(seed), \(run): \(message)\n\(text)")
      return
    }
    // Where a few thousand commits are followed, most of them go by the log.
    #expect(loggedCount > resyncCount / 2)
  }
}

/// One seed: which storage, which log, which results, what happens.
struct FollowingRun: CustomStringConvertible {
  /// What happens next.
  enum Turn: CustomStringConvertible {
    enum End: String { case committed, undone, refused }

    case own([RandomTransactions.Step], End)
    case raw([RandomTransactions.Step])
    case otherStore([RandomTransactions.Step])
    case look

    var description: String {
      switch self {
      case .own(let steps, let end): "own, \(end.rawValue): \(steps)"
      case .raw(let steps): "another program: \(steps)"
      case .otherStore(let steps): "another store: \(steps)"
      case .look: "look"
      }
    }
  }

  let kind: StorageKind
  let plans: [(name: String, plan: FetchPlan)]
  let turns: [Turn]
  /// The tables that are followed; nil for all.
  let tables: [String]?
  let pragmas: String

  var description: String {
    "\(kind), log of \(tables?.joined(separator: ", ") ?? "all"), \(pragmas)"
  }

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    kind = [.file, .file, .adoptedPool, .adoptedQueue].randomElement(using: &random) ?? .file
    tables = random.chance(0.2) ? ["item", "note"] : nil
    pragmas =
      "PRAGMA foreign_keys = \(random.chance(0.5)); "
      + "PRAGMA recursive_triggers = \(random.chance(0.3))"
    plans = Array(RandomWorld.plans.shuffled(using: &random).prefix(5))
    var generator = RandomTransactions(on: RandomWorld.tables, random: random.fork())
    turns = (0..<30).map { _ in
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: .own(generator.next(), .committed)
      case 3: .own(generator.next(), random.chance(0.5) ? .undone : .refused)
      case 4..<7: .raw(generator.next())
      case 7: .otherStore(generator.next())
      default: .look
      }
    }
  }

  /// What became of a run.
  struct Outcome {
    var failure: String?
    var loggedCount = 0
    var resyncCount = 0
  }

  /// Runs turns, and compares after each.
  func outcome(of turns: [Turn]) throws -> Outcome {
    var configuration = SmallWorld.configuration
    configuration.collations = [RandomWorld.backwards]
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: configuration)
    try store.write { transaction in
      try transaction.execute(RandomWorld.schema)
      try transaction.execute(
        "CREATE TABLE refused (id INTEGER PRIMARY KEY, "
          + "team REFERENCES team DEFERRABLE INITIALLY DEFERRED)")
    }
    try store.changeLog.enable(tables: tables, allowsAdopted: true)
    let path = folder.file("store.sqlite")
    let raw = try ForeignConnection(path)
    try raw.execute(pragmas)
    let other = try Store.open(at: path, configuration: configuration)
    let followed = try plans.map {
      try ReplayedResults(
        $0.plan, in: store, name: $0.name,
        foldedColumns: RandomWorld.foldedColumns(of: $0.plan))
    }
    // Digests are taken behind the loads.
    try store.checkForExternalChanges()
    var outcome = Outcome()
    for turn in turns + [.look] {
      guard outcome.failure == nil else { break }
      outcome.failure = try run(turn, in: store, raw, other, followed)
    }
    for results in followed {
      outcome.loggedCount += results.results.statistics.loggedCount
      outcome.resyncCount += results.results.statistics.resyncCount
    }
    raw.close()
    try other.close()
    try store.close()
    return outcome
  }

  /// Returns what goes wrong, or nil.
  private func run(
    _ turn: Turn, in store: Store, _ raw: ForeignConnection, _ other: Store,
    _ followed: [ReplayedResults]
  ) throws -> String? {
    var states = try followed.map { [try $0.fetched()] }
    switch turn {
    case .raw(let steps):
      try raw.execute("BEGIN IMMEDIATE")
      try raw.run(steps)
      try raw.execute("COMMIT")
      return nil
    case .otherStore(let steps):
      try other.write { try RandomTransactions.run(steps, in: $0) }
      return nil
    case .look: try store.checkForExternalChanges()
    case .own(let steps, let end):
      do {
        try store.write { transaction in
          try RandomTransactions.run(steps, in: transaction)
          if end == .undone { throw CancellationError() }
          if end == .refused { try transaction.execute("INSERT INTO refused VALUES (1, 99)") }
        }
      } catch is CancellationError {
      } catch let error as StoreError where error.code == .foreignKeyConstraint {}
      for (position, results) in followed.enumerated() {
        states[position].append(try results.fetched())
      }
    }
    for (results, states) in zip(followed, states) {
      if let problem = try results.problem(after: states) { return problem }
    }
    return nil
  }
}
