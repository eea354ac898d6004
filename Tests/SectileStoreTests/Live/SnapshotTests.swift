import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Snapshots that are held while the results go on, and changesets for whoever is slow.
@Suite(.timeLimit(.minutes(60))) struct SnapshotTests {
  @Test(arguments: StorageKind.allCases)
  func snapshotKeepsItsItemsOverManyCommits(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: LifecycleTests.schema(rows: 30)) { store in
      var plan = SmallWorld.plan
      plan.batchSize = 4
      let live = try LiveResults<UntypedRow>(plan, in: store)
      var held:
        [(
          snapshot: ResultsSnapshot<UntypedRow>,
          contents: SectionedContents<UntypedRow.ID, UntypedRow>
        )] =
          []
      for round in 0..<25 {
        // Whoever reads at once knows what the snapshot must say later; the snapshot was not read.
        held.append((live.results.snapshot, try live.results.snapshot.materialized()))
        switch round % 6 {
        case 0:
          try store.write {
            try $0.execute("UPDATE item SET v = ?, k = -k WHERE id % 3 = 0", round)
          }
        case 1:
          try store.write {
            try $0.execute("DELETE FROM item WHERE id = (SELECT max(id) FROM item)")
          }
        case 2:
          // The freed id is used again.
          try store.write { try $0.execute("INSERT INTO item (s, k, v) VALUES ('B', 0, ?)", round) }
        case 3:
          try store.write {
            try $0.execute(
              "DELETE FROM item WHERE id = 5; INSERT INTO item (id, s, v) VALUES (5, 'A', 1);"
                + "UPDATE item SET v = 2 WHERE id = 5")
          }
        case 4: try live.results.update(to: round % 4 == 0 ? plan : limited(plan))
        default: try live.results.load()
        }
      }
      for (snapshot, contents) in held {
        #expect(try snapshot.materialized() == contents)
      }
    }
  }

  private func limited(_ plan: FetchPlan) -> FetchPlan {
    var plan = plan
    plan.limit = 12
    return plan
  }

  @Test(arguments: StorageKind.allCases)
  func snapshotKeepsItsItemsOverALargeTransaction(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: LifecycleTests.schema(rows: 5)) { store in
      try store.write {
        try $0.execute(
          "WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 10009) "
            + "INSERT INTO item (id, s, k, v) SELECT i, 'S' || (i % 7), i, 'old' || i FROM n")
      }
      let results = try store.results(of: SmallWorld.plan)
      try results.load()
      let before = results.snapshot
      try store.write { try $0.execute("UPDATE item SET v = 'new', k = -k WHERE id >= 10") }
      try store.write { try $0.execute("DELETE FROM item WHERE id % 2 = 0") }
      for id in stride(from: 10, to: 10_010, by: 97) {
        let path = try #require(before.path(of: UntypedRow.ID(keyValues: [.integer(Int64(id))])))
        #expect(try before.item(at: path).row["v"] == .text("old\(id)"))
      }
    }
  }

  @Test func rowsThatWereDroppedForRoomAreATypedError() throws {
    try SmallWorld.run(.memory, schema: LifecycleTests.schema(rows: 3)) { store in
      let results = try store.results(of: SmallWorld.plan)
      try results.load()
      let before = results.snapshot
      let rows = ImageBudget.byteLimit / (8 << 20) + 1
      for size in 1...rows {
        // Each commit overwrites a text of eight megabytes, until the oldest have to go.
        try store.write {
          try $0.execute(
            "UPDATE item SET v = ? WHERE id = 1", String(repeating: "x", count: 8 << 20))
          try $0.execute("UPDATE item SET k = ? WHERE id = 2", size)
        }
      }
      try expectStoreError(.itemChangedElsewhere) {
        try before.item(at: ItemPath(section: 0, item: 0))
      }
      try store.write { try $0.execute("UPDATE item SET v = 'short' WHERE id = 1") }
      #expect(try results.item(at: ItemPath(section: 0, item: 0)).row["v"] == .text("short"))
    }
  }

  @Test(arguments: [StorageKind.file, .adoptedPool, .adoptedQueue])
  func rowsThatOthersWroteAreATypedError(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    let results = try store.results(of: SmallWorld.plan)
    try results.load()
    let before = results.snapshot
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    try other.write {
      try $0.execute(sql: "UPDATE item SET v = 'w' WHERE id = 1; DELETE FROM item WHERE id = 4")
    }
    try expectStoreError(.itemChangedElsewhere) {
      try before.item(at: ItemPath(section: 0, item: 0))
    }
    // The results remember the rows of their first batch, and are still at the version before.
    #expect(try results.item(at: ItemPath(section: 0, item: 0)).row["v"] == .text("x"))
    #expect(try before.item(at: ItemPath(section: 0, item: 1)).row["v"] == .text("x"))
    try store.checkForExternalChanges()
    #expect(try results.item(at: ItemPath(section: 0, item: 0)).row["v"] == .text("w"))
    try store.close()
  }

  @Test func batchOfAnySizeIsRead() throws {
    try SmallWorld.run(.memory, schema: LifecycleTests.schema(rows: 0)) { store in
      try store.write {
        try $0.execute(
          "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40000) "
            + "INSERT INTO item (id, s, k) SELECT i, 'A', i FROM n")
      }
      var plan = SmallWorld.plan
      plan.batchSize = 40_000
      let results = try store.results(of: plan)
      try results.load()
      #expect(try results.item(at: ItemPath(section: 0, item: 39_999)).row["id"] == 40_000)
    }
  }

  @Test(arguments: [Int.max, .max - 1, .max / 2, .max / 2 + 1])
  func theLargestBatchIsRead(_ size: Int) throws {
    try SmallWorld.run(.memory, schema: LifecycleTests.schema(rows: 3)) { store in
      var plan = SmallWorld.plan
      plan.batchSize = size
      let results = try store.results(of: plan)
      try results.load()
      #expect(results.numberOfItems == 3)
      _ = try results.snapshot.materialized()
    }
  }

  /// Two results on one table that tell rows apart by different keys.
  @Test(arguments: StorageKind.allCases)
  func resultsWithDifferentKeysKeepTheirOwnOldRows(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, code INTEGER NOT NULL UNIQUE, s TEXT, k);
      INSERT INTO item VALUES (1, 2, 'A', 1), (2, 3, 'A', 2), (3, 1, 'A', 3);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let columns = ["id", "code", "s", "k"]
      let byID = try LiveResults<UntypedRow>(
        SmallWorld.plan(table: "item", key: ["id"], columns: columns), in: store)
      let byCode = try LiveResults<UntypedRow>(
        SmallWorld.plan(table: "item", key: ["code"], columns: columns), in: store)
      let fresh = try store.results(
        of: SmallWorld.plan(table: "item", key: ["code"], columns: columns))
      try fresh.load()
      let before = fresh.snapshot
      try byID.expect(["R> [0,0]→[0,2] #1*"]) {
        try store.write { try $0.execute("UPDATE item SET k = 9 WHERE id = 1") }
      }
      #expect(byCode.lines.last == "R> [0,0]→[0,2] #2*")
      try byCode.check()
      let keys = try (0..<3).map { try before.item(at: ItemPath(section: 0, item: $0)).row["k"] }
      #expect(keys == [1, 2, 3])
    }
  }

  @Test func longChainOfVersionsIsReleasedWithoutRecursion() {
    var node: VersionNode? = VersionNode()
    var last = node
    for _ in 0..<500_000 {
      let next = VersionNode()
      last?.connect(to: next, before: PreImages(columns: []))
      last = next
    }
    last = nil
    node = nil
    #expect(node == nil && last == nil)
  }

  /// A statement that changes some of 24 rows in four sections.
  private static func statement(_ random: inout SeededRandom) -> String {
    let id = Int.random(in: 1...24, using: &random)
    let section = ["A", "B", "C", "D"].randomElement(using: &random) ?? "A"
    let key = Int.random(in: 0...9, using: &random)
    return [
      "DELETE FROM item WHERE id = \(id)",
      "INSERT OR REPLACE INTO item (id, s, k) VALUES (\(id), '\(section)', \(key))",
      "UPDATE item SET k = \(key) WHERE id = \(id)",
      "UPDATE item SET v = '\(key)' WHERE id = \(id)",
      "UPDATE item SET s = '\(section)' WHERE id % 5 = \(key % 5)",
    ].randomElement(using: &random) ?? ""
  }

  @Test(arguments: StorageKind.allCases)
  func slowConsumerGetsTheDirectDifference(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(LifecycleTests.schema(rows: 20)) }
      var random = SeededRandom(seed: 7)
      let results = try store.results(of: SmallWorld.plan)
      try await results.load()
      for _ in 0..<40 {
        let sequence = results.changesets
        var iterator = sequence.makeAsyncIterator()
        let before = try await results.snapshot.materialized()
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let sql = Self.statement(&random)
          try await store.write { try $0.execute(sql) }
        }
        let after = try await results.snapshot.materialized()
        let direct = Changeset(from: before, to: after, isEqual: ==)
        guard !direct.isEmpty else { continue }
        let merged = try #require(await iterator.next())
        #expect(merged.lines == direct.lines)
        var replayed = before
        try replayed.apply(merged)
        #expect(replayed == after)
        #expect(merged.sourceVersion == before.version && merged.targetVersion == after.version)
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func consumerFarBehindGetsWhatLeadsToTheContentsOfNow(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(LifecycleTests.schema(rows: 20)) }
      var random = SeededRandom(seed: 11)
      let results = try store.results(of: SmallWorld.plan)
      try await results.load()
      let followed = results.follow()
      let before = try await followed.snapshot.materialized()
      while results.version < 1300 {
        let sql = Self.statement(&random)
        try await store.write { try $0.execute(sql) }
      }
      var iterator = followed.changesets.makeAsyncIterator()
      let changes = try #require(await iterator.next())
      #expect(changes.sourceVersion == before.version)
      #expect(changes.targetVersion == results.version)
      var replayed = before
      try replayed.apply(changes)
      await #expect(replayed == (try results.snapshot.materialized()))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func versionsOfResultsAreCompared(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(LifecycleTests.schema(rows: 20)) }
      let results = try store.results(of: SmallWorld.plan)
      try await results.load()
      let before = results.snapshot
      try await store.write { try $0.execute("UPDATE item SET v = 'other' WHERE id IN (3, 4)") }
      try await store.write { try $0.execute("UPDATE item SET v = 'x' WHERE id = 3") }
      try await store.write { try $0.execute("DELETE FROM item WHERE id = 5") }
      let now = results.snapshot
      let changes = now.changes(since: before)
      let direct = await Changeset(
        from: try before.materialized(), to: try now.materialized(), isEqual: ==)
      #expect(changes.lines == direct.lines)
      #expect(changes.updates.map { $0.id } == direct.updates.map { $0.id })
    }
  }

  @Test(arguments: StorageKind.allCases)
  func closingTheStoreEndsTheSequencesOfItsResults(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(LifecycleTests.schema(rows: 3)) }
      let results = try store.results(of: SmallWorld.plan)
      try await results.load()
      let (changesets, events) = (results.changesets, results.events)
      let waiting = Task { for await _ in events {} }
      try await store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
      try await store.close()
      var deleted = 0
      for await changes in changesets { deleted += changes.deletes.count }
      #expect(deleted == 1)
      await waiting.value
    }
  }
}
