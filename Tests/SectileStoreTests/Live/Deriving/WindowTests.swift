import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Windows of the first rows, in ``OffsetWindowTests`` those behind others: each step is replayed
/// and compared with a fresh fetch, and everything is read again only where that is said.
@Suite(.timeLimit(.minutes(60))) struct WindowTests {
  /// Rows from 1 on in the order of `k`, in sections of ten.
  private static func schema(_ count: Int = 30, index: Bool = true) -> String {
    """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT DEFAULT 'x', u TEXT);
    \(index ? "CREATE INDEX item_on_s_k ON item (s, k);" : "")
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO item (id, s, k) SELECT i, char(97 + (i - 1) / 10), i * 10 FROM n;
    """
  }

  private static func plan(limit: Int?, offset: Int = 0) -> FetchPlan {
    var plan = SmallWorld.plan
    plan.limit = limit
    plan.offset = offset
    return plan
  }

  private func run(
    _ kind: StorageKind, limit: Int, schema: String = schema(),
    _ body: (LiveResults<UntypedRow>, (String) throws -> Void) throws -> Void
  ) throws {
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<UntypedRow>(Self.plan(limit: limit), in: store)
      try body(live) { sql in try store.write { try $0.execute(sql) } }
      #expect(live.results.statistics.rebuildCount == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func rowsInsideComeGoAndMove(_ kind: StorageKind) throws {
    try run(kind, limit: 12) { live, write in
      try live.expect(["R~ [0,2]→[0,2] #3"]) { try write("UPDATE item SET v = 'y' WHERE id = 3") }
      try live.expect(["R> [0,2]→[0,5] #3*"]) { try write("UPDATE item SET k = 65 WHERE id = 3") }
      // The last of the window makes room.
      try live.expect(["R- [1,1] #12", "R+ [0,0] #99"]) {
        try write("INSERT INTO item (id, s, k) VALUES (99, 'a', 5)")
      }
      // One that nobody touched enters at the end.
      try live.expect(["R- [0,0] #99", "R+ [1,1] #12"]) {
        try write("DELETE FROM item WHERE id = 99")
      }
      try live.expect(["R- [0,0] #1", "R- [0,1] #2", "R+ [1,2] #13", "R+ [1,3] #14"]) {
        try write("DELETE FROM item WHERE id IN (1, 2)")
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func rowsOutsideConcernNobody(_ kind: StorageKind) throws {
    try run(kind, limit: 12) { live, write in
      try live.expect([]) {
        try write(
          "UPDATE item SET k = k + 1 WHERE id > 20; DELETE FROM item WHERE id = 30;"
            + "INSERT INTO item (id, s, k) VALUES (99, 'c', 0)")
      }
      #expect(live.results.statistics.rereadRowCount == 11)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func rowsCrossTheEndBothWays(_ kind: StorageKind) throws {
    try run(kind, limit: 5) { live, write in
      try live.expect(["R- [0,1] #2", "R+ [0,4] #6"]) {
        try write("UPDATE item SET k = 75 WHERE id = 2")
      }
      try live.expect(["R- [0,4] #6", "R+ [0,0] #25"]) {
        try write("UPDATE item SET s = 'a', k = 1 WHERE id = 25")
      }
      // Behind the last that stays, and still in the window.
      try live.expect(["R> [0,2]→[0,4] #3*"]) { try write("UPDATE item SET k = 55 WHERE id = 3") }
      // Before one that nobody touched, and out of the window.
      try live.expect(["R- [0,2] #4", "R+ [0,4] #6"]) {
        try write("UPDATE item SET k = 61 WHERE id = 4")
      }
    }
  }

  /// Ties at the end are decided by the key.
  @Test(arguments: StorageKind.allCases)
  func tiesAtTheEndAreDecidedByTheKey(_ kind: StorageKind) throws {
    try run(kind, limit: 3) { live, write in
      try live.expect([]) { try write("UPDATE item SET k = 30 WHERE id IN (4, 5)") }
      try live.expect(["R- [0,2] #3", "R+ [0,2] #4"]) {
        try write("UPDATE item SET id = 6.0 + 93 WHERE id = 3")
      }
      try live.expect(["R- [0,2] #4", "R+ [0,2] #0"]) {
        try write("INSERT INTO item (id, s, k) VALUES (0, 'a', 30)")
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func sectionsEnterAndLeaveAtTheEnd(_ kind: StorageKind) throws {
    try run(kind, limit: 10) { live, write in
      let entered = try live.changes { try write("DELETE FROM item WHERE id = 5") }
      #expect(entered == ["S+ 1 (b)", "R- [0,4] #5", "R+ [1,0] #11"])
      let left = try live.changes { try write("INSERT INTO item (id, s, k) VALUES (5, 'a', 50)") }
      #expect(left == ["S- 1 (b)", "R- [1,0] #11", "R+ [0,4] #5"])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func windowWithRoomTakesWhatComes(_ kind: StorageKind) throws {
    try run(kind, limit: 5, schema: Self.schema(3)) { live, write in
      try live.expect(["R+ [0,3] #4"]) {
        try write("INSERT INTO item (id, s, k) VALUES (4, 'a', 99)")
      }
      try live.expect(["R+ [0,0] #5"]) {
        try write("INSERT INTO item (id, s, k) VALUES (5, 'a', 1)")
      }
      try live.expect(["R- [0,4] #4", "R+ [0,1] #6"]) {
        try write(
          "INSERT INTO item (id, s, k) VALUES (6, 'a', 2); INSERT INTO item (id, s, k) VALUES (7, 'a', 200)"
        )
      }
      try live.expect(["R- [0,0] #5", "R- [0,1] #6", "R+ [0,3] #4", "R+ [0,4] #7"]) {
        try write("DELETE FROM item WHERE k < 10")
      }
      try live.expect(["R- [0,4] #7"]) { try write("DELETE FROM item WHERE k > 100") }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func windowOfNothingStaysEmpty(_ kind: StorageKind) throws {
    try run(kind, limit: 0) { live, write in
      try live.expect([]) { try write("UPDATE item SET k = 0 WHERE id < 9") }
    }
  }

  /// Where no row stays, there is nothing to go by.
  @Test func windowIsReadAgainWhereNothingOfItStays() throws {
    try SmallWorld.run(.memory, schema: Self.schema()) { store in
      let live = try LiveResults<UntypedRow>(Self.plan(limit: 2), in: store)
      try live.expect(["R- [0,0] #1", "R- [0,1] #2", "R+ [0,0] #3", "R+ [0,1] #4"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE id < 3") }
      }
      #expect(live.results.statistics.rebuildCount == 1)
    }
  }

  @Test(arguments: SeededRandom.batches())
  func randomCommitsAreExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let schema = Self.schema(Int.random(in: 0...20, using: &random), index: random.chance(0.5))
      try SmallWorld.run(.memory, schema: schema) { store in
        var plan = Self.plan(
          limit: [0, 1, 3, 8, 40, Int.max][Int.random(in: 0..<6, using: &random)])
        if random.chance(0.3) { plan.section = nil }
        if random.chance(0.3) {
          plan.sort[0].isDescending = true
          plan.sort[0].nullOrder = .last
        }
        if random.chance(0.3) { plan.filter = SQLFragment("v <> 'z'") }
        if random.chance(0.2) { plan.aggregates = [FetchPlan.Aggregate(.rowCount)] }
        let live = try LiveResults<UntypedRow>(plan, in: store)
        for _ in 0..<8 {
          let statements = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Self.statement(&random)
          }
          _ = try live.changes {
            try store.write { try $0.execute(statements.joined(separator: ";")) }
          }
        }
      }
    }
  }

  private static func statement(_ random: inout SeededRandom) -> String {
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    let id = number(1..<24)
    let key = ["NULL", "\(number(0..<220))", "\(number(0..<22) * 10)", "'text'"][number(0..<4)]
    let section = ["'a'", "'b'", "'c'", "NULL"][number(0..<4)]
    switch number(0..<7) {
    case 0: return "DELETE FROM item WHERE id = \(id)"
    case 1: return "REPLACE INTO item (id, s, k) VALUES (\(id), \(section), \(key))"
    case 2: return "UPDATE item SET s = \(section) WHERE id = \(id)"
    case 3:
      return "UPDATE item SET v = '\(["x", "y", "z"][number(0..<3)])' WHERE id % 4 = \(id % 4)"
    case 4: return "UPDATE OR IGNORE item SET id = \(id) WHERE id = \(24 - id)"
    default: return "UPDATE item SET k = \(key) WHERE id = \(id)"
    }
  }
}
