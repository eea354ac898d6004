import Foundation
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// Random transactions, several live results at once, and three answers to compare after each
/// commit: the replayed changesets, what the results say, and a fresh fetch.
///
/// On files, some transactions are another connection's: the results hear of them with the store's
/// next commit, in one changeset with it.
///
/// Where the two-contents differ can know what may move, its changeset must be the very same.
@Suite(.timeLimit(.minutes(60))) struct RandomTransactionTests {
  @Test(arguments: SeededRandom.batches())
  func everyChangesetIsExact(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      // The tests of all suites share a few threads, and some of them wait for callbacks.
      await Task.yield()
      let run = RandomRun(seed: seed)
      guard let failure = try run.failure(of: run.transactions) else { continue }
      let few = try shrink(run.transactions) { try run.failure(of: $0) != nil }
      let message = try run.failure(of: few) ?? failure
      let text = few.map(\.description).joined(separator: "\n")
      Issue.record("seed \(seed) on \(run.kind): \(message)\n\(text)")
      return
    }
  }
}

/// One seed: which storage, which plans, which transactions.
struct RandomRun {
  /// The steps of a transaction, and whose it is.
  struct Transaction: CustomStringConvertible {
    let steps: [RandomTransactions.Step]
    let isForeign: Bool

    var description: String {
      (steps.map { "  \($0)" } + [isForeign ? "  COMMIT of another connection" : "  COMMIT"])
        .joined(separator: "\n")
    }
  }

  let seed: UInt64
  let kind: StorageKind
  let plans: [(name: String, plan: FetchPlan)]
  let transactions: [Transaction]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    let kinds: [StorageKind] = [.memory, .memory, .memory, .memory, .memory, .file, .adoptedPool]
    kind = kinds.randomElement(using: &random) ?? .memory
    plans = Array(RandomWorld.plans.shuffled(using: &random).prefix(4))
    var generator = RandomTransactions(on: RandomWorld.tables, random: random.fork())
    let isShared = kind != .memory
    transactions = (0..<24).map { _ in
      Transaction(steps: generator.next(), isForeign: isShared && random.chance(0.3))
    }
  }

  /// Returns what went wrong, or nil.
  func failure(of transactions: [Transaction]) throws -> String? {
    var configuration = StoreConfiguration()
    configuration.collations = [RandomWorld.backwards]
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    return try withStore(kind, configuration: configuration) { store in
      try store.write { try $0.execute(RandomWorld.schema) }
      let observed = try plans.map { try ObservedPlan(name: $0.name, plan: $0.plan, store: store) }
      let other = try store.path.map { try Store.open(at: $0, configuration: configuration) }
      for transaction in transactions {
        let writer = transaction.isForeign ? other ?? store : store
        try writer.write { try RandomTransactions.run(transaction.steps, in: $0) }
        guard !transaction.isForeign else { continue }
        for plan in observed {
          if let failure = try plan.failure() { return failure }
        }
      }
      try other?.close()
      return nil
    }
  }
}

/// Live results with everything they are compared with.
private final class ObservedPlan {
  typealias Contents = SectionedContents<UntypedRow.ID, UntypedRow>

  let name: String
  let plan: FetchPlan
  let store: Store
  let fresh: FreshFetch
  let results: SectionedResults<UntypedRow>
  let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
  var before: Contents

  init(name: String, plan: FetchPlan, store: Store) throws {
    self.name = name
    self.plan = plan
    self.store = store
    fresh = FreshFetch(plan, foldedColumns: RandomWorld.foldedColumns(of: plan))
    results = try store.results(of: plan)
    results.delegate = recorder
    try results.load()
    before = try results.snapshot.materialized()
    recorder.reset()
  }

  func failure() throws -> String? {
    defer { recorder.reset() }
    if let error = recorder.errors.first { return "\(name): failed with \(error)" }
    let after = try fresh.contents(of: store, version: results.version)
    let differences = recorder.violations + recorder.verify(against: results)
    if let difference = differences.first { return "\(name): \(difference)" }
    guard recorder.contents == after else {
      return "\(name): replayed \(recorder.contents), fetched \(after)"
    }
    defer { before = after }
    let lines = recorder.changesets.map(\.description)
    if recorder.changesets.count > 1 { return "\(name): several changesets for one commit" }
    // Sort keys of another table may change under a row whose own values do not.
    guard plan.joins.isEmpty else { return nil }
    let direct = Changeset(from: before, to: after, isEqual: ==)
    let expected = direct.isEmpty ? [] : [direct.description]
    return lines == expected ? nil : "\(name): got \(lines), the direct difference is \(expected)"
  }
}
