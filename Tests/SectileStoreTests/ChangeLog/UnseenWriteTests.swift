import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows that were written past the triggers of a change log, by somebody whose other rows it names.
@Suite(.withoutInternalChecks, .timeLimit(.minutes(60))) struct UnseenWriteTests {
  private struct World {
    let folder: TemporaryFolder
    let store: Store
    let results: SectionedResults<UntypedRow>
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()

    init(hasSections: Bool = true) throws {
      folder = try TemporaryFolder()
      store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
      try store.write { try $0.execute(SmallWorld.schema) }
      try store.changeLog.enable()
      var plan = FetchPlan(
        table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "k", "v", "u"])
      if hasSections { plan.section = FetchPlan.Section(identity: plan.term("s")) }
      plan.sort = [plan.term("k")]
      results = try store.results(of: plan)
      results.delegate = recorder
      try results.load()
      results.tracker.awaitDigests()
    }

    /// Two commits of one look: one past the triggers, and one that the log names, of the only row
    /// of its section, whose place is found without looking at others.
    func writeUnseen(_ sql: String) throws {
      let connection = try InspectionConnection(
        path: folder.file("store.sqlite"), access: .readWrite)
      connection.setTriggers(false)
      try connection.run(sql) { _ in }
      connection.setTriggers(true)
      try connection.run("UPDATE item SET u = 'logged' WHERE id = 4") { _ in }
    }

    func check() throws {
      try recorder.check(against: results)
      let fresh = try store.results(of: results.tracker.plan)
      try fresh.load()
      let sections = try fresh.snapshot.materialized().sections
      #expect(try results.snapshot.materialized().sections == sections)
    }
  }

  /// A row that is gone proves that the results are wrong.
  @Test(arguments: [
    "DELETE FROM item WHERE id = 2", "UPDATE item SET id = 9 WHERE id = 2",
    "DELETE FROM item WHERE id = 2; UPDATE item SET v = 'unseen', k = 0 WHERE id = 3",
  ])
  func contentsFindAGoneRowAndReadEverythingAgain(_ sql: String) throws {
    let world = try World()
    try world.writeUnseen(sql)
    let resyncs = world.store.statistics.resyncCount
    let contents = try world.results.contents()
    #expect(contents.sections.flatMap(\.rows).allSatisfy { $0.id.keyValues != [.integer(2)] })
    #expect(world.store.statistics.auditMismatchCount == 1)
    #expect(world.store.statistics.resyncCount == resyncs + 1)
    try world.check()
    #expect(try world.results.contents() == contents)
    #expect(world.store.statistics.auditMismatchCount == 1)
    try world.store.close()
  }

  /// The same, of a state that clients read part by part.
  @Test func aHeldStateFindsAGoneRowAndHasEverythingReadAgain() async throws {
    let world = try World()
    try world.writeUnseen("DELETE FROM item WHERE id = 2")
    let held = try await world.results.heldSnapshot(for: .seconds(300))
    #expect(held.numberOfItems == 4)
    let paths = (0..<4).map { held.path(atRank: $0) }
    #expect(throws: StoreError.self) { try held.items(at: paths[...]) }
    let isCorrected = try await comesTrue {
      try await world.store.checkForExternalChanges()
      return world.results.numberOfItems == 3
    }
    #expect(isCorrected)
    try world.check()
    try await world.store.close()
  }

  /// Rows whose values or places are others, with all keys as they were.
  @Test(
    arguments: ["UPDATE item SET v = 'unseen' WHERE id = 1", "UPDATE item SET k = 9 WHERE id = 1"],
    [true, false])
  func anAuditFindsOtherValues(_ sql: String, hasSections: Bool) throws {
    let world = try World(hasSections: hasSections)
    try world.writeUnseen(sql)
    try world.store.checkForExternalChanges()
    let version = world.results.version
    var hasNews = false
    try world.store.useWriter { db in
      _ = try world.store.commits.catchUp(in: db, auditingEvery: .zero, hasNews: &hasNews)
    }
    world.store.commits.deliver()
    #expect(world.results.version == version + 1)
    #expect(world.store.statistics.auditMismatchCount == 1)
    try world.check()
    try world.store.close()
  }
}
