import Dispatch
import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// The lifecycle of live results: what is seen when, and who may do what in a callback.
@Suite(.timeLimit(.minutes(60))) struct LifecycleTests {
  typealias Live = LiveResults<UntypedRow>
  typealias Event = DataSourceEvent<UntypedRow.ID, UntypedRow>

  // MARK: First load

  @Test(arguments: StorageKind.allCases, [0, 1, 4, 5, 9, 40])
  func firstLoadArrivesInTwoParts(_ kind: StorageKind, count: Int) throws {
    try SmallWorld.run(kind, schema: Self.schema(rows: count)) { store in
      var plan = SmallWorld.plan
      plan.batchSize = 5
      let live = try Live(plan, in: store)
      try live.check()
      #expect(live.recorder.changesets.count == (count == 0 ? 0 : count <= 5 ? 1 : 2))
      #expect(live.recorder.changesets.first.map { $0.inserts.count } ?? 0 == min(5, count))
      #expect(
        live.recorder.changesets.map(\.targetVersion)
          == Array(live.recorder.changesets.indices.map { $0 + 1 }))
    }
  }

  static func schema(rows: Int) -> String {
    let values = (1...max(1, rows)).map {
      "(\($0), '\(["A", "B", "C"][$0 * 3 / (max(1, rows) + 1)])', \($0))"
    }
    return "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT DEFAULT 'x', u TEXT);"
      + (rows == 0 ? "" : "INSERT INTO item (id, s, k) VALUES \(values.joined(separator: ", "));")
  }

  @Test(arguments: StorageKind.allCases)
  func rowsOfAFirstLoadAreOfTheirVersionWhateverIsWrittenSince(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema(rows: 12)) { store in
      var plan = SmallWorld.plan
      plan.batchSize = 5
      let results = try store.results(of: plan)
      let changesets = Mutex<[Changeset<UntypedRow.ID, UntypedRow>]>([])
      let token = results.observe(on: .immediate) { event in
        guard case .didPartiallyLoad(let changes) = event else { return }
        // Between the first batch and the rest nobody follows commits yet.
        if changesets.withLock({ $0.isEmpty }) {
          try? store.write { try $0.execute("UPDATE item SET v = 'between' WHERE id IN (1, 7)") }
        }
        changesets.withLock { $0.append(changes) }
      }
      try results.load()
      try store.write {
        try $0.execute("UPDATE item SET v = 'later'; DELETE FROM item WHERE id = 2")
      }
      token.cancel()
      let all = changesets.withLock { $0 }
      try #require(all.count == 3)
      let first = try all[0].inserts.map { try $0.item.row["v"] }
      #expect(first == Array(repeating: .text("x"), count: 5))
      var contents = SectionedContents<UntypedRow.ID, UntypedRow>()
      for changes in all { try contents.apply(changes) }
      #expect(try contents == results.snapshot.materialized())
      let rest = try all[1].inserts.map { try $0.item.row["v"] }
      #expect(rest.filter { $0 == .text("between") }.count == 1)
      #expect(all[1].updates.count == 1)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func failedFirstLoadMayBeRepeated(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: "CREATE TABLE other (id INTEGER PRIMARY KEY);") { store in
      let results = try store.results(of: SmallWorld.plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      #expect(storeError { try results.load() }?.code == .statementFailed)
      #expect(recorder.errors.count == 1)
      try store.write { try $0.execute(SmallWorld.schema) }
      try results.load()
      #expect(recorder.errors.count == 1)
      try recorder.check(against: results)
      #expect(results.numberOfItems == 4)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func failureIsToldOnceAndTheContentsStay(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE label (id INTEGER PRIMARY KEY, name);
      INSERT INTO label VALUES (1, 'a'), (2, 'b');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<Label>(FetchRequest<Label>().sort(by: \.name), in: store)
      live.recorder.reset()
      try store.write { try $0.execute("UPDATE label SET name = x'00' WHERE id = 2") }
      try store.write { try $0.execute("INSERT INTO label VALUES (3, 'c')") }
      #expect(live.recorder.errors.count == 1)
      #expect((live.recorder.errors.first as? StoreError)?.code == .decodingFailed)
      #expect(live.recorder.events.count == 2)
      #expect(live.results.numberOfItems == 2)
      // The old item is still what it was.
      #expect(try live.results.item(at: ItemPath(section: 0, item: 1)).name == "b")
      try live.expect(["R+ [0,1] #3", "R~ [0,1]→[0,2] #2"]) {
        try store.write { try $0.execute("UPDATE label SET name = 'd' WHERE id = 2") }
      }
    }
  }

  // MARK: Cancelling

  @Test(arguments: StorageKind.allCases)
  func loadAfterCancelDeliversTheDifference(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let results = try store.results(of: SmallWorld.plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      results.cancel()
      try results.load()
      results.cancel()
      results.cancel()
      recorder.reset()
      try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      #expect(recorder.events.isEmpty)
      #expect(results.numberOfItems == 4)
      try results.load()
      #expect(recorder.changesets.flatMap(\.lines) == ["R- [0,1] #2"])
      try recorder.check(against: results)
      recorder.reset()
      try store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
      #expect(recorder.changesets.flatMap(\.lines) == ["R- [0,0] #1"])
    }
  }

  @Test(arguments: StorageKind.allCases, ["willLoad", "didPartiallyLoad", "didFinishLoading"])
  func cancelInsideACallbackEndsIt(_ kind: StorageKind, callback: String) throws {
    try SmallWorld.run(kind, schema: Self.schema(rows: 12)) { store in
      var plan = SmallWorld.plan
      plan.batchSize = 5
      let results = try store.results(of: plan)
      let heard = Mutex<[String]>([])
      let token = results.observe(on: .immediate) { event in
        heard.withLock { $0.append(event.word) }
        if event.word == callback {
          results.cancel()
          results.cancel()
        }
      }
      try results.load()
      let count = heard.withLock { $0.count }
      #expect(heard.withLock { $0.last } == callback)
      try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      #expect(heard.withLock { $0.count } == count)
      token.cancel()
      // And it goes on from there.
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>(
        contents: callback == "willLoad" ? .init() : try results.snapshotWithoutItems())
      results.delegate = recorder
      try results.load()
      #expect(recorder.violations == [])
      #expect(results.numberOfItems == 11)
      #expect(results.version == recorder.contents.version)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func cancelAndLoadFromManyThreadsLeavesResultsThatFollowOrDoNot(_ kind: StorageKind) async throws
  {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(SmallWorld.schema) }
      let results = try store.results(of: SmallWorld.plan)
      for round in 0..<30 {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { try? results.load() }
          group.addTask { results.cancel() }
          group.addTask {
            try? await store.write { try $0.execute("UPDATE item SET k = ? WHERE id = 1", round) }
          }
        }
        let state = results.tracker.state.withLock { ($0.isFollowing, $0.versions.pending.count) }
        #expect(state.0 != results.items.sourceHub.isStopped)
        #expect(state.1 == 0)
      }
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>(
        contents: SectionedContents(version: results.version))
      results.cancel()
      results.delegate = recorder
      try await results.load()
      #expect(results.numberOfItems == 4)
      try await store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      #expect(results.numberOfItems == 3)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func releasedResultsAndDelegatesAreNotCalled(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      weak var weakResults: SectionedResults<UntypedRow>?
      weak var weakTracker: ResultsTracker?
      weak var weakItems: ItemDelivery<UntypedRow>?
      weak var weakDelegate: ChangeRecorder<UntypedRow.ID, UntypedRow>?
      let kept = try store.results(of: SmallWorld.plan)
      try kept.load()
      do {
        let results = try store.results(of: SmallWorld.plan)
        let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
        results.delegate = recorder
        kept.delegate = recorder
        try results.load()
        try store.write { try $0.execute("UPDATE item SET id = id WHERE id = 1") }
        (weakResults, weakTracker, weakItems) = (results, results.tracker, results.items)
        weakDelegate = recorder
      }
      #expect(weakResults == nil)
      #expect(weakTracker == nil && weakItems == nil)
      #expect(weakDelegate == nil)
      try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      #expect(kept.numberOfItems == 3)
    }
  }

  @Test(arguments: StorageKind.allCases, ["willLoad", "didPartiallyLoad"])
  func resultsReleasedDuringDeliveryMakeNoFurtherCall(_ kind: StorageKind, last: String) throws {
    try SmallWorld.run(kind) { store in
      let owner = Mutex<SectionedResults<UntypedRow>?>(try store.results(of: SmallWorld.plan))
      let words = Mutex<[String]>([])
      let tokens = try owner.withLock { results in
        try results?.load()
        return (0..<2).map { _ in
          results?.observe(on: .immediate) { event in
            words.withLock { $0.append(event.word) }
            if event.word == last { owner.withLock { $0 = nil } }
          }
        }
      }
      try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      let heard = words.withLock(\.self)
      #expect(heard == (last == "willLoad" ? [last] : ["willLoad", "willLoad", last]))
      try store.write { try $0.execute("DELETE FROM item WHERE id = 3") }
      #expect(words.withLock(\.self) == heard)
      withExtendedLifetime(tokens) {}
    }
  }

  // MARK: Re-entrancy

  @Test(
    arguments: StorageKind.allCases,
    ["willLoad", "didPartiallyLoad", "didFinishLoading", "didFail"])
  func callbackMayDoAnything(_ kind: StorageKind, callback: String) throws {
    try SmallWorld.run(kind) { store in
      let results = try store.results(of: SmallWorld.plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      let isDone = Mutex(false)
      let problems = Mutex<[String]>([])
      let token = results.observe(on: .immediate) { event in
        guard event.word == callback,
          !isDone.withLock({ done in
            defer { done = true }; return done
          })
        else { return }
        do {
          try store.write {
            try $0.execute("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, s, k, v, u)")
            try $0.execute("INSERT INTO item (id, s, k) VALUES (100, 'Z', 1)")
          }
          _ = try store.read { try $0.query("SELECT count(*) FROM item") }
          // Rows of a table that was dropped are gone.
          if callback != "didFail" { _ = try results.snapshot.materialized() }
          try results.update(to: SmallWorld.plan)
          try results.load()
          try store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
      try results.load()
      if callback == "didFail" { recorder.allowFailures() }
      if callback == "didFail" { try store.write { try $0.execute("DROP TABLE item") } }
      #expect(isDone.withLock { $0 })
      #expect(problems.withLock { $0 } == [])
      #expect(recorder.violations == [])
      #expect(recorder.verify(against: results) == [])
      #expect(results.path(of: UntypedRow.ID(keyValues: [100])) != nil)
      #expect(results.path(of: UntypedRow.ID(keyValues: [1])) == nil)
      token.cancel()
    }
  }

  @Test(arguments: StorageKind.allCases)
  func writeFromACallbackReachesTheOthersInCommitOrder(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let order = Mutex<[String]>([])
      var results: [SectionedResults<UntypedRow>] = []
      var tokens: [DataSourceObservation] = []
      for name in ["a", "b", "c"] {
        let one = try store.results(of: SmallWorld.plan)
        try one.load()
        results.append(one)
        tokens.append(
          one.observe(on: .immediate) { event in
            guard case .didPartiallyLoad(let changes) = event else { return }
            order.withLock { $0.append("\(name)\(changes.targetVersion)") }
            if name == "b", changes.targetVersion == 2 {
              try? store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
              // Not delivered yet: this callback has not ended.
              order.withLock { $0.append("written") }
            }
          })
      }
      try store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
      #expect(order.withLock { $0 } == ["a2", "b2", "written", "c2", "a3", "b3", "c3"])
      tokens = []
    }
  }

  @Test(arguments: StorageKind.allCases)
  func readingInsideAWriteIsATypedErrorOrRight(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let results = try store.results(of: SmallWorld.plan)
      try results.load()
      let path = ItemPath(section: 0, item: 0)
      try store.write { transaction in
        try transaction.execute("UPDATE item SET v = 'new' WHERE id = 1")
        // Remembered since the load, and right: nothing is committed yet.
        #expect(try results.item(at: path).row["v"] == .text("x"))
        try expectStoreError(.reentrantAccess) { try results.snapshot.item(at: path) }
        try expectStoreError(.reentrantAccess) { try results.load() }
        try expectStoreError(.reentrantAccess) { try results.update(to: SmallWorld.plan) }
        try expectStoreError(.reentrantAccess) { try store.checkForExternalChanges() }
        #expect(results.numberOfItems == 4)
      }
      _ = try store.read { _ in
        try expectStoreError(.reentrantAccess) { try results.load() }
      }
      #expect(try results.item(at: path).row["v"] == .text("new"))
      // Now it is remembered: the contents are those before the transaction.
      try store.write { transaction in
        try transaction.execute("UPDATE item SET v = 'newer' WHERE id = 1")
        #expect(try results.item(at: path).row["v"] == .text("new"))
      }
      #expect(try results.item(at: path).row["v"] == .text("newer"))
    }
  }

  /// Inside a closure of GRDB's on an adopted connection: an error, not a trap.
  @Test(arguments: [StorageKind.adoptedQueue, .adoptedPool])
  func loadInsideAWriteOfGRDBIsAFailure(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let results = try store.results(of: SmallWorld.plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      recorder.allowFailures()
      results.delegate = recorder
      try store.databaseWriter.write { db in
        try db.execute(sql: "DELETE FROM item WHERE id = 1")
        try? results.load()
      }
      try results.load()
      #expect(results.numberOfItems == 3)
      #expect(recorder.violations == [])
    }
  }

  // MARK: Where callbacks are made

  @Test(arguments: ["queue", "main actor", "actor", "concurrent queue"])
  func everyPlaceOfDeliveryKeepsOrder(place: String) async throws {
    let folder = try TemporaryFolder()
    let store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
    try await store.write { try $0.execute(SmallWorld.schema) }
    let actor = Bystander()
    let queue = DispatchQueue(label: "delivery")
    let concurrent = DispatchQueue(label: "delivery", attributes: .concurrent)
    let delivery: CallbackDelivery =
      switch place {
      case "queue": CallbackDelivery { job in queue.async(execute: job) }
      case "main actor": .mainActor
      case "actor": .actor(actor)
      default: CallbackDelivery { job in concurrent.async(execute: job) }
      }
    let results = try store.results(of: SmallWorld.plan, delivery: delivery)
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    results.delegate = recorder
    try await results.load()
    #expect(await recorder.waitForEnds(1))
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          for round in 0..<20 {
            try? await store.write {
              try $0.execute(
                "INSERT INTO item (id, s, k) VALUES (?, ?, ?)", 100 + writer * 100 + round,
                ["A", "B", "C"][round % 3], round)
            }
          }
        }
      }
    }
    #expect(await recorder.waitForEnds(61))
    #expect(recorder.violations == [])
    try recorder.check(against: results)
    #expect(results.numberOfItems == 64)
    results.cancel()
    try await store.close()
  }

  /// A sort key that changes and moves nothing makes no version, wherever it stands in the queue.
  @Test(arguments: StorageKind.allCases)
  func silentCommitBetweenTwoThatWaitLeavesNoGap(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let jobs = Mutex<[@Sendable () -> Void]>([])
      var plan = SmallWorld.plan
      plan.itemColumns = ["id", "s", "v"]
      let results = try store.results(
        of: plan, delivery: CallbackDelivery { job in jobs.withLock { $0.append(job) } })
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      func deliver() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
      }
      try results.load()
      deliver()
      try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      try store.write { try $0.execute("UPDATE item SET k = 2.5 WHERE id = 3") }
      try store.write { try $0.execute("UPDATE item SET v = 'w' WHERE id = 3") }
      try store.write { try $0.execute("UPDATE item SET k = 2.25 WHERE id = 3") }
      try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (9, 'A', 2.3)") }
      #expect(results.version == 1)
      #expect(results.numberOfItems == 4)
      deliver()
      #expect(recorder.violations == [])
      try recorder.check(against: results)
      #expect(recorder.changesets.map(\.targetVersion) == [1, 2, 3, 4])
      #expect(
        recorder.changesets.dropFirst().flatMap(\.lines) == [
          "R- [0,1] #2", "R~ [0,1]→[0,1] #3", "R+ [0,2] #9",
        ])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func loadsAndCommitsFromManyThreadsAgree(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(SmallWorld.schema) }
      let results = try store.results(of: SmallWorld.plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      await withTaskGroup(of: Void.self) { group in
        for writer in 0..<3 {
          group.addTask {
            for round in 0..<25 {
              try? await store.write {
                try $0.execute(
                  "INSERT OR REPLACE INTO item (id, s, k) VALUES (?, ?, ?)", 10 + round,
                  ["A", "B", "C"][(round + writer) % 3], writer)
              }
            }
          }
        }
        group.addTask { for _ in 0..<15 { try? results.load() } }
        group.addTask {
          for round in 0..<15 {
            var plan = SmallWorld.plan
            plan.limit = round % 2 == 0 ? 3 : nil
            try? results.update(to: plan)
          }
        }
      }
      try await results.update(to: SmallWorld.plan)
      // Another thread may still be delivering what this one caused.
      let isOver = try await comesTrue { !recorder.isLoading }
      #expect(isOver)
      #expect(recorder.violations == [])
      try recorder.check(against: results)
      #expect(results.numberOfItems == 29)
    }
  }
}

private actor Bystander {}

extension DataSourceEvent {
  /// The callback's name.
  fileprivate var word: String {
    switch self {
    case .willLoad: "willLoad"
    case .didPartiallyLoad: "didPartiallyLoad"
    case .didFinishLoading: "didFinishLoading"
    case .didFail: "didFail"
    }
  }
}

extension SectionedResults where Item == UntypedRow {
  /// What a recorder starts from: rows by identity.
  fileprivate func snapshotWithoutItems() throws -> SectionedContents<UntypedRow.ID, UntypedRow> {
    let snapshot = snapshot
    return SectionedContents(
      version: snapshot.version,
      sections: snapshot.sections.enumerated().map { ordinal, header in
        .init(
          header: header,
          rows: (0..<snapshot.numberOfItems(in: ordinal)).map {
            let id = snapshot.id(at: ItemPath(section: ordinal, item: $0))
            return .init(id: id, item: UntypedRow(id: id, row: StoredRow(columns: [], values: [])))
          })
      })
  }
}
