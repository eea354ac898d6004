import GRDB
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Commits to results of which most want none of the rows that were written.
@Suite(.timeLimit(.minutes(60))) struct CommitPruningTests {
  private typealias Live = LiveResults<UntypedRow>

  /// Results of one id each, of a section each, and of everything.
  private static var plans: [FetchPlan] {
    let filters =
      (1...6).map { SQLFragment(#""item"."id" = ?"#, [.integer($0)]) }
      + ["A", "B", "C"].map { SQLFragment("(s = ?) AND (k < ?)", [.text($0), 10]) }
    return filters.map { filter in
      var plan = SmallWorld.plan
      plan.filter = filter
      return plan
    } + [SmallWorld.plan]
  }

  private func changed(
    _ all: [Live], by body: () throws -> Void
  ) throws -> (heard: [Int], reread: [Int]) {
    for live in all { live.recorder.reset() }
    let before = all.map(\.results.statistics.rereadRowCount)
    try body()
    let reread = zip(all, before).map { $0.results.statistics.rereadRowCount - $1 }
    for live in all { try live.check() }
    return (
      all.indices.filter { !all[$0].lines.isEmpty }, all.indices.filter { reread[$0] > 0 }
    )
  }

  /// What is written, which of the results hear of it, and which read rows again for it.
  private static let writes: [(sql: String, heard: [Int], read: [Int])] = [
    ("UPDATE item SET v = 'z' WHERE id = 2", [1, 6, 9], [1, 6, 9]),
    // From one section to another: both are told.
    ("UPDATE item SET s = 'B' WHERE id = 3", [2, 6, 7, 9], [2, 6, 7, 9]),
    // A text is compared with a number by SQLite; here it is not wanted.
    ("UPDATE item SET k = 'x' WHERE id = 2", [1, 6, 9], [1, 6, 9]),
    ("UPDATE item SET v = 'y' WHERE id = 2", [1, 9], [1, 6, 9]),
    ("INSERT INTO item (id, s, k) VALUES (5, 'C', 1)", [4, 8, 9], [4, 8, 9]),
    ("INSERT INTO item (id, s, k) VALUES (7, NULL, 1)", [9], [9]),
    ("UPDATE item SET id = 6 WHERE id = 5", [4, 5, 8, 9], [4, 5, 8, 9]),
    ("DELETE FROM item WHERE id = 6", [5, 8, 9], [5, 8, 9]),
    ("UPDATE item SET v = v WHERE id = 1", [], [0, 6, 9]),
    ("REPLACE INTO item (id, s, k, u) VALUES (8, 'A', 0, 'u1')", [0, 6, 9], [0, 6, 9]),
  ]

  @Test(arguments: StorageKind.allCases)
  func onlyResultsThatMayWantTheRowReadIt(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let all = try Self.plans.map { try Live($0, in: store) }
      for (sql, heard, read) in Self.writes {
        let found = try changed(all) { try store.write { try $0.execute(sql) } }
        #expect(found.heard == heard, "\(sql)")
        // Internal checks work every change out.
        if !InternalChecks.isOn, kind != .adoptedPool, kind != .adoptedQueue {
          #expect(found.reread == read, "\(sql)")
        }
      }
      #expect(all.allSatisfy { $0.results.statistics.resyncCount == 0 })
    }
  }

  /// What a row was that others have written is not known; which results show it is.
  @Test func onlyResultsThatMayWantARowOfOthersReadIt() throws {
    try SmallWorld.run(.file) { store in
      try store.changeLog.enable()
      let other = try DatabaseQueue(path: #require(store.path))
      let all = try Self.plans.map { try Live($0, in: store) }
      for (sql, heard, read) in Self.writes {
        let found = try changed(all) {
          try other.write { try $0.execute(sql: sql) }
          try store.checkForExternalChanges()
        }
        #expect(found.heard == heard, "\(sql)")
        if !InternalChecks.isOn { #expect(found.reread == read, "\(sql)") }
      }
      #expect(all.allSatisfy { $0.results.statistics.resyncCount == 0 })
      try other.close()
    }
  }

  /// Nobody comes to tell compositions that they need not wait where there is nothing to tell.
  @Test func commitsWithoutNewsKeepNoCompositionsWaiting() throws {
    try SmallWorld.run(.file) { store in
      let other = try DatabaseQueue(path: #require(store.path))
      let all = try Self.plans.map { try Live($0, in: store) }
      for live in all { live.results.events.noteComposition() }
      for _ in 0..<3 {
        let found = try changed(all) {
          try other.write { try $0.execute(sql: "UPDATE item SET v = v WHERE id = 1") }
          try store.checkForExternalChanges()
        }
        #expect(found.heard == [])
      }
      let holdCount = store.commits.results.undelivered.withLock { $0.holds.count }
      #expect(holdCount == 0)
      try other.close()
    }
  }

  @Test(arguments: StorageKind.allCases)
  func whatWasRolledBackConcernsNobody(_ kind: StorageKind) throws {
    struct Problem: Error {}
    try SmallWorld.run(kind) { store in
      let all = try Self.plans.map { try Live($0, in: store) }
      let found = try changed(all) {
        #expect(throws: Problem.self) {
          try store.write {
            try $0.execute("UPDATE item SET s = 'B', k = 0")
            throw Problem()
          }
        }
      }
      #expect(found.heard == [])
      let later = try changed(all) {
        try store.write { transaction in
          try? transaction.savepoint {
            try transaction.execute("UPDATE item SET s = 'B' WHERE id = 1")
            throw Problem()
          }
          try transaction.execute("UPDATE item SET k = 9 WHERE id = 4")
        }
      }
      #expect(later.heard == [3, 7, 9])
    }
  }

  /// Old rows are read through the versions of the table, also by results that no commit concerned.
  @Test(arguments: StorageKind.allCases)
  func snapshotsOfRuledOutResultsKeepTheirRows(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let all = try Self.plans.map { try Live($0, in: store) }
      for round in 0..<20 {
        try store.write { try $0.execute("UPDATE item SET v = ? WHERE id = 4", "r\(round)") }
      }
      let snapshots = all.map(\.results.snapshot)
      let contents = try snapshots.map { try $0.materialized() }
      try store.write { try $0.execute("UPDATE item SET v = 'new', k = k + 1") }
      for (snapshot, contents) in zip(snapshots, contents) {
        #expect(try snapshot.materialized() == contents)
      }
      for live in all { try live.check() }
    }
  }

  /// Results that are looked up by their constants, and left behind by most commits: whatever is
  /// written, each shows what a fresh fetch shows, and its old rows stay readable.
  ///
  /// On a file every other seed has others write, too, through the change log.
  @Test(arguments: [StorageKind.memory, .file], 0..<2)
  func resultsAreLookedUpByTheirConstants(_ kind: StorageKind, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    func plan(_ filter: String, _ values: [StoredValue]) -> FetchPlan {
      var plan = FetchPlan(
        table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "k", "v"])
      plan.sort = [plan.term("v")]
      plan.filter = SQLFragment(filter, values)
      return plan
    }
    try SmallWorld.run(kind) { store in
      try store.write {
        try $0.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
          INSERT INTO item (id, s, k, v) SELECT i, 'S' || i % 30, i % 20, 'v' FROM n
          """)
      }
      let plans =
        (0..<30).map { plan("s = ?", [.text("S\($0)")]) }
        + (0..<20).map { plan("k = ?", [.integer($0)]) }
        + (1...20).map { plan("id = ?", [.integer($0 * 9)]) }
        + [plan("k > ?", [18]), plan("v <> 'v'", []), plan("k = ? AND s = ?", [3, "S3"])]
      let neighbor =
        try kind == .file && seed % 2 == 1 ? store.path.map { try DatabaseQueue(path: $0) } : nil
      if neighbor != nil { try store.changeLog.enable() }
      let all = try plans.map { try Live($0, in: store) }
      var held: [(ResultsSnapshot<UntypedRow>, SectionedContents<UntypedRow.ID, UntypedRow>)] = []
      for round in 0..<120 {
        let (id, other) = (number(200) + 1, number(200) + 1)
        let sql =
          switch number(12) {
          case 0: "DELETE FROM item WHERE id = \(id)"
          case 1:
            "INSERT OR REPLACE INTO item (id, s, k, v) VALUES (\(id), 'S\(number(30))', 3, 'n')"
          case 2: "UPDATE item SET k = \(number(20)), s = NULL WHERE id = \(id)"
          case 3: "UPDATE OR IGNORE item SET id = \(other) WHERE id = \(id)"
          case 4: "UPDATE item SET k = \(number(20)).0 WHERE id = \(id)"
          case 5: "UPDATE item SET s = 'S\(number(30))' WHERE id BETWEEN \(id) AND \(id + 9)"
          case 6: "UPDATE item SET k = (k + 1) % 20"
          default: "UPDATE item SET v = 'v\(number(50))' WHERE id = \(id)"
          }
        if number(10) == 0 {
          struct Problem: Error {}
          try? store.write { (tx: StoreTransaction) in
            try tx.execute(sql)
            throw Problem()
          }
        } else if let neighbor, number(2) == 0 {
          try neighbor.write { try $0.execute(sql: sql) }
          if number(2) == 0 { try store.checkForExternalChanges() }
        } else {
          try store.write { try $0.execute(sql) }
        }
        // Rows that others write are not kept as they were.
        if neighbor == nil, number(20) == 0 {
          let snapshot = all[number(all.count)].results.snapshot
          held.append((snapshot, try snapshot.materialized()))
        }
        if round % 24 == 23 {
          try store.checkForExternalChanges()
          for live in all { try live.check() }
          for (snapshot, contents) in held { #expect(try snapshot.materialized() == contents) }
        }
      }
      #expect(all.allSatisfy { $0.results.statistics.resyncCount == 0 })
      try neighbor?.close()
    }
  }

  /// A commit that is too large to be looked up asks all results: of those that were left behind
  /// each looks at the rows of this one, and not at those of all since.
  @Test func resultsThatWereLeftBehindLookAtOneCommit() throws {
    try SmallWorld.run(.memory) { store in
      try store.write {
        try $0.execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
          INSERT INTO item (id, s, k, v) SELECT i, 'S', i, 'v' FROM n
          """)
        let large = String(repeating: "v", count: 1 << 15)
        try $0.execute("UPDATE item SET v = ? WHERE id = 50", large)
      }
      let all = try (Int64(10)..<90).map { id in
        var plan = SmallWorld.plan
        plan.filter = SQLFragment(#""item"."id" = ?"#, [.integer(id)])
        return try Live(plan, in: store)
      }
      for id in 100..<140 {
        let sql = "UPDATE item SET v = 'z' WHERE id = \(id)"
        try store.write { try $0.execute(sql) }
      }
      let before = all.map(\.results.statistics.rereadRowCount)
      try store.write { try $0.execute("UPDATE item SET v = 'y' WHERE id = 50") }
      let reread = zip(all, before).map { $0.results.statistics.rereadRowCount - $1 }
      // Internal checks work every change out.
      if !InternalChecks.isOn { #expect(reread.allSatisfy { $0 < 10 }) }
      for live in all { try live.check() }
    }
  }

  /// Of a long list a set decides, also for results that stand alone.
  @Test(arguments: StorageKind.allCases)
  func rowsOutsideOfALongListAreNotLookedUp(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      var plan = SmallWorld.plan
      let list = (0..<200).map { StoredValue.integer($0 * 2) }
      let marks = list.map { _ in "?" }.joined(separator: ", ")
      plan.filter = SQLFragment(#""item"."id" IN (\#(marks))"#, list)
      let live = try Live(plan, in: store)
      #expect(live.results.numberOfItems == 2)
      for (sql, lines, rereads) in [
        ("UPDATE item SET v = 'z' WHERE id = 1", [], 0), ("DELETE FROM item WHERE id = 3", [], 0),
        ("UPDATE item SET v = 'z' WHERE id = 2", ["R~ [0,0]→[0,0] #2"], 1),
        ("INSERT INTO item (id, s, k) VALUES (6, 'A', 0)", ["R+ [0,0] #6"], 1),
        ("UPDATE item SET id = 7 WHERE id = 6", ["R- [0,0] #6"], 2),
      ] {
        let before = live.results.statistics.rereadRowCount
        let found = try live.changes { try store.write { try $0.execute(sql) } }
        #expect(found == lines, "\(sql)")
        if !InternalChecks.isOn {
          #expect(live.results.statistics.rereadRowCount - before == rereads, "\(sql)")
        }
      }
    }
  }

  @Test func manyRowsAreLeftToTheResults() throws {
    try SmallWorld.run(.memory) { store in
      let all = try Self.plans.map { try Live($0, in: store) }
      let found = try changed(all) {
        try store.write {
          try $0.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO item (id, s, k) SELECT i, 'A', i % 12 FROM n
            """)
        }
      }
      #expect(found.heard == [6, 9])
    }
  }
}
