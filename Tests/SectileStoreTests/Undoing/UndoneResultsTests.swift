import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Transactions that are undone arrive as changesets like all others, here and in another process
/// that follows the change log.
@Suite(.timeLimit(.minutes(60))) struct UndoneResultsTests {
  @Test(arguments: SeededRandom.batches(debug: 12, release: 100, of: 4))
  func undoingIsToldExactly(_ seeds: Range<UInt64>) throws {
    var undone = 0
    for seed in seeds {
      if let problem = try Self.problem(seed: seed, &undone) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
    #expect(undone > 5 * seeds.count)
  }

  private static func problem(seed: UInt64, _ undone: inout Int) throws -> String? {
    var random = SeededRandom(seed: seed)
    var configuration = SmallWorld.configuration
    configuration.collations = [RandomWorld.backwards]
    let folder = try TemporaryFolder()
    let kind = StorageKind.allCases.randomElement(using: &random) ?? .file
    let store = try kind.open(in: folder, configuration: configuration)
    try store.write { try $0.execute(RandomWorld.schema) }
    if kind == .memory || random.chance(0.7) { try store.changeLog.enable(allowsAdopted: true) }
    let plans = RandomWorld.plans.shuffled(using: &random).prefix(4)
    func follow(_ store: Store) throws -> [ReplayedResults] {
      try plans.map {
        try ReplayedResults(
          $0.plan, in: store, name: $0.name,
          foldedColumns: RandomWorld.foldedColumns(of: $0.plan))
      }
    }
    let followed = try follow(store)
    let other =
      kind == .memory
      ? nil : try Store.open(at: folder.file("store.sqlite"), configuration: configuration)
    let others = try other.map(follow) ?? []
    var generator = RandomTransactions(on: RandomWorld.tables, random: random.fork())
    func look() throws -> String? {
      for results in followed { if let problem = try results.problem() { return problem } }
      try other?.checkForExternalChanges()
      for results in others {
        if let problem = try results.problem() { return "beside: \(problem)" }
      }
      return nil
    }
    for _ in 0..<12 {
      let steps = generator.next()
      let undo: Store.Undo
      do {
        undo = try store.writeUndoably { try RandomTransactions.run(steps, in: $0) }.undo
      } catch let error as StoreError where error.code == .notUndoable {
        continue
      }
      if let problem = try look() { return "\(steps): \(problem)" }
      let redo = try store.undo(undo)
      if let problem = try look() { return "undoing \(steps): \(problem)" }
      if random.chance(0.6) { try store.undo(redo) }
      if let problem = try look() { return "doing again \(steps): \(problem)" }
      undone += 1
    }
    try other?.close()
    try store.close()
    return nil
  }

  @Test func aChangesetTellsWhatCameBack() throws {
    try SmallWorld.run(.file) { store in
      let live = try LiveResults(SmallWorld.plan, in: store)
      var undo: Store.Undo?
      try live.expect(["S- 1 (B)", "R- [1,0] #4", "R> [0,0]→[0,2] #1*"]) {
        undo = try store.writeUndoably { transaction in
          try transaction.execute("DELETE FROM item WHERE s = 'B'")
          try transaction.execute("UPDATE item SET k = 9 WHERE id = 1")
        }.undo
      }
      let first = try #require(undo)
      #expect(first.rowCount == 2)
      #expect(first.tableNames == ["item"])
      var redo: Store.Undo?
      try live.expect(["S+ 1 (B)", "R+ [1,0] #4", "R> [0,2]→[0,0] #1*"]) {
        redo = try store.undo(first)
      }
      let second = try #require(redo)
      try live.expect(["S- 1 (B)", "R- [1,0] #4", "R> [0,0]→[0,2] #1*"]) {
        try store.undo(second)
      }
      // What changes nothing is told to nobody, and can be undone.
      try live.expect([]) {
        undo = try store.writeUndoably { try $0.execute("UPDATE item SET k = k") }.undo
        try store.undo(undo ?? first)
      }
      #expect(undo?.isEmpty == true)
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func aDelegateUndoesWhatItIsTold(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try LiveResults(SmallWorld.plan, in: store)
      let before = try DatabaseDump(of: store)
      let pending = Pending()
      let observation = live.results.observe { event in
        guard case .didFinishLoading = event, let undo = pending.take() else { return }
        #expect(throws: Never.self) { try store.undo(undo) }
      }
      pending.undo = try store.writeUndoably { try $0.execute("DELETE FROM item") }.undo
      try store.write { try $0.execute("INSERT INTO item (id, s, u) VALUES (9, 'A', 'u9')") }
      observation.cancel()
      let after = try DatabaseDump(of: store)
      #expect(before.rows.allSatisfy { after.rows[$0.key] == $0.value })
      #expect(after.rows.count == before.rows.count + 1)
      try live.check()
    }
  }
}

/// What a delegate is to undo, once.
private final class Pending: @unchecked Sendable {
  // Used on one thread.
  var undo: Store.Undo?

  func take() -> Store.Undo? {
    defer { undo = nil }
    return undo
  }
}
