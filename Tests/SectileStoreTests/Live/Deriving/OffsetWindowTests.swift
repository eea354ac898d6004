import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Windows behind other rows: each step is replayed and compared with a fresh fetch, and everything
/// is read again only where that is said.
@Suite(.timeLimit(.minutes(60))) struct OffsetWindowTests {
  /// Rows from 1 on in the order of `k`, in sections of ten.
  private static func schema(
    _ count: Int = 40, index: Bool = true, hasDefault: Bool = false
  ) -> String {
    """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT \(hasDefault ? "DEFAULT 'x'" : ""), u TEXT);
    \(index ? "CREATE INDEX item_on_s_k ON item (s, k);" : "")
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO item (id, s, k, v) SELECT i, char(97 + (i - 1) / 10), i * 10, 'x' FROM n;
    """
  }

  private static func plan(_ offset: Int, _ limit: Int?) -> FetchPlan {
    var plan = SmallWorld.plan
    plan.limit = limit
    plan.offset = offset
    return plan
  }

  private func run(
    _ kind: StorageKind, _ plan: FetchPlan, schema: String = schema(), rebuilds: Int = 0,
    _ body: (LiveResults<UntypedRow>, (String) throws -> Void) throws -> Void
  ) throws {
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<UntypedRow>(plan, in: store)
      try body(live) { sql in try store.write { try $0.execute(sql) } }
      #expect(live.results.statistics.rebuildCount == rebuilds)
      #expect(live.results.statistics.resyncCount == 0)
    }
  }

  // MARK: Where rows come and go

  /// Rows 6 to 9 of section a, with an index that has the order and without.
  @Test(arguments: StorageKind.allCases, [true, false])
  func commitsBeforeTheWindowPushItsRows(_ kind: StorageKind, _ isIndexed: Bool) throws {
    try run(kind, Self.plan(5, 4), schema: Self.schema(index: isIndexed)) { live, write in
      try live.expect(["R- [0,3] #9", "R+ [0,0] #5"]) {
        try write("INSERT INTO item (id, s, k) VALUES (99, 'a', 5)")
      }
      try live.expect(["R- [0,0] #5", "R+ [0,3] #9"]) {
        try write("DELETE FROM item WHERE id = 99")
      }
      try live.expect(["R- [0,0] #6", "R- [0,1] #7", "R+ [0,2] #10", "R+ [1,0] #11"].sectioned) {
        try write("DELETE FROM item WHERE id IN (1, 2)")
      }
      // Nothing is pushed: as many come as go, or they only change places there.
      try live.expect([]) {
        try write(
          "UPDATE item SET k = 1 WHERE id = 4; DELETE FROM item WHERE id = 3;"
            + "INSERT INTO item (id, s, k) VALUES (3, 'a', 2)")
      }
      try live.expect([]) { try write("UPDATE item SET v = 'y' WHERE id < 5") }
    }
  }

  @Test(arguments: StorageKind.allCases, [true, false])
  func commitsInTheWindowAreFollowed(_ kind: StorageKind, _ isIndexed: Bool) throws {
    try run(kind, Self.plan(5, 4), schema: Self.schema(index: isIndexed)) { live, write in
      try live.expect(["R~ [0,1]→[0,1] #7"]) { try write("UPDATE item SET v = 'y' WHERE id = 7") }
      try live.expect(["R> [0,0]→[0,2] #6*"]) { try write("UPDATE item SET k = 85 WHERE id = 6") }
      // Out of it to the front: the last before it enters.
      try live.expect(["R- [0,1] #8", "R+ [0,0] #5"]) {
        try write("UPDATE item SET k = 1 WHERE id = 8")
      }
      // Out of it to the end.
      try live.expect(["R- [0,0] #5", "R+ [0,3] #10"]) {
        try write("UPDATE item SET s = 'c' WHERE id = 5")
      }
    }
  }

  @Test(arguments: StorageKind.allCases, [true, false])
  func commitsBehindTheWindowConcernNobody(_ kind: StorageKind, _ isIndexed: Bool) throws {
    try run(kind, Self.plan(5, 4), schema: Self.schema(index: isIndexed)) { live, write in
      try live.expect([]) {
        try write(
          "UPDATE item SET k = k + 1 WHERE id > 30; DELETE FROM item WHERE id = 20;"
            + "INSERT INTO item (id, s, k) VALUES (99, 'c', 0)")
      }
      // From behind it to the front, and back.
      try live.expect(["R- [0,3] #9", "R+ [0,0] #5"]) {
        try write("UPDATE item SET s = 'a', k = 0 WHERE id = 25")
      }
      try live.expect(["R- [0,0] #5", "R+ [0,3] #9"]) {
        try write("UPDATE item SET s = 'd' WHERE id = 25")
      }
    }
  }

  /// Ties at both ends are decided by the key.
  @Test(arguments: StorageKind.allCases)
  func tiesAtTheEndsAreDecidedByTheKey(_ kind: StorageKind) throws {
    var plan = Self.plan(3, 3)
    plan.section = nil
    try run(kind, plan) { live, write in
      try live.expect([]) { try write("UPDATE item SET k = 30 WHERE id IN (1, 2)") }
      _ = try live.changes { try write("UPDATE item SET k = 30 WHERE id = 4") }
      try live.expect(["R- [0,2] #6", "R+ [0,0] #3"]) {
        try write("INSERT INTO item (id, s, k) VALUES (-1, 'a', 30)")
      }
      try live.expect([]) { try write("UPDATE item SET k = 50 WHERE id = 6") }
      try live.expect(["R- [0,2] #5", "R+ [0,2] #0"]) {
        try write("INSERT INTO item (id, s, k) VALUES (0, 'a', 50)")
      }
    }
  }

  // MARK: Where there is nothing to go by

  @Test func windowIsReadAgainWhereNothingOfItStays() throws {
    try run(.memory, Self.plan(5, 2), rebuilds: 2) { live, write in
      _ = try live.changes { try write("DELETE FROM item WHERE id IN (6, 7)") }
      _ = try live.changes { try write("DELETE FROM item WHERE id < 4") }
    }
  }

  /// Behind the last row nothing is known of what comes before, and from the first row that is
  /// shown on it is.
  @Test(arguments: StorageKind.allCases)
  func rowsArriveWhereTheTableIsShorterThanTheOffset(_ kind: StorageKind) throws {
    try run(kind, Self.plan(5, 3), schema: Self.schema(3), rebuilds: 2) { live, write in
      try live.expect([]) { try write("INSERT INTO item (id, s, k) VALUES (4, 'a', 99)") }
      _ = try live.changes {
        try write("INSERT INTO item (id, s, k) VALUES (5, 'a', 100), (6, 'a', 101)")
      }
      try live.expect(["R+ [0,0] #5"]) {
        try write("INSERT INTO item (id, s, k) VALUES (7, 'a', 0)")
      }
      try live.expect(["R- [0,0] #5"]) { try write("DELETE FROM item WHERE id = 7") }
    }
  }

  @Test(arguments: [(0, Int.max), (5, Int.max), (Int.max, 5), (Int.max, Int.max)])
  func largestLimitsAndOffsetsDoNotOverflow(_ offset: Int, _ limit: Int) throws {
    let rebuilds = offset == .max ? 2 : 0
    try run(.memory, Self.plan(offset, limit), rebuilds: rebuilds) { live, write in
      _ = try live.changes { try write("DELETE FROM item WHERE id IN (2, 12)") }
      _ = try live.changes { try write("INSERT INTO item (id, s, k) VALUES (2, 'a', 0)") }
    }
  }

  /// What the filter said of a row before the window is known where it compares columns with
  /// values.
  @Test func plainFiltersAreFollowedAndOthersAreNot() throws {
    var plan = Self.plan(3, 3)
    plan.filter = SQLFragment("\"v\" = ?", [.text("x")])
    try run(.memory, plan) { live, write in
      try live.expect(["R- [0,0] #4", "R+ [0,2] #7"]) {
        try write("UPDATE item SET v = 'z' WHERE id = 1")
      }
      try live.expect([]) { try write("DELETE FROM item WHERE id = 1") }
    }
    plan.filter = SQLFragment("v <> 'z'")
    try run(.memory, plan, rebuilds: 1) { live, write in
      try live.expect([]) { try write("UPDATE item SET v = 'z' WHERE id = 30") }
      try live.expect(["R- [0,0] #4", "R+ [0,2] #7"]) {
        try write("UPDATE item SET v = 'z' WHERE id = 1")
      }
    }
  }

  // MARK: Aggregates

  @Test(arguments: StorageKind.allCases)
  func aggregatesOfWhatIsShownAreFollowed(_ kind: StorageKind) throws {
    var plan = Self.plan(5, 8)
    plan.aggregates = [
      FetchPlan.Aggregate(.rowCount), FetchPlan.Aggregate(.sum("k")),
      FetchPlan.Aggregate(.maximum("k")),
    ]
    try run(kind, plan) { live, write in
      _ = try live.changes { try write("INSERT INTO item (id, s, k) VALUES (99, 'a', 5)") }
      _ = try live.changes { try write("UPDATE item SET k = 61 WHERE id = 6") }
      _ = try live.changes { try write("DELETE FROM item WHERE id IN (2, 3, 4)") }
      _ = try live.changes { try write("UPDATE item SET k = 500 WHERE id > 38") }
    }
  }

  // MARK: At random

  @Test(arguments: SeededRandom.batches())
  func randomCommitsAreExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let schema = Self.schema(
        Int.random(in: 0...24, using: &random), index: random.chance(0.6),
        hasDefault: random.chance(0.5))
      let kind =
        random.chance(0.9) ? StorageKind.memory : StorageKind.allCases.randomElement(using: &random)
      try SmallWorld.run(kind ?? .memory, schema: schema) { store in
        let live = try LiveResults<UntypedRow>(Self.randomPlan(&random), in: store)
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

  private static func randomPlan(_ random: inout SeededRandom) -> FetchPlan {
    var plan = plan(
      [1, 2, 5, 10, 18, Int.max].randomElement(using: &random) ?? 1,
      [nil, 0, 1, 3, 8, 40, Int.max].randomElement(using: &random) ?? nil)
    if random.chance(0.4) { plan.section = nil }
    if random.chance(0.4) { plan.sort[0].isDescending = true }
    if random.chance(0.4) { plan.sort[0].nullOrder = random.chance(0.5) ? .last : .first }
    if random.chance(0.2) { plan.sort[0].collation = .nocase }
    if random.chance(0.2), plan.section != nil { plan.section?.identity.isDescending = true }
    if random.chance(0.2) { plan.section?.title = SQLFragment("\"item\".\"v\"") }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: plan.filter = SQLFragment("\"v\" = ?", [.text("x")])
    case 1: plan.filter = SQLFragment("v <> 'z'")
    default: break
    }
    if random.chance(0.3) {
      plan.aggregates = [
        FetchPlan.Aggregate(.rowCount), FetchPlan.Aggregate(.valueCount("k")),
        FetchPlan.Aggregate(.maximum("k")),
        FetchPlan.Aggregate(.minimum("v")),
      ]
      if random.chance(0.3) { plan.aggregates.append(FetchPlan.Aggregate(.distinctCount("k"))) }
      if random.chance(0.3) { plan.aggregateScope = .wanted }
    }
    return plan
  }

  private static func statement(_ random: inout SeededRandom) -> String {
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    let id = number(1..<28)
    let key = ["NULL", "\(number(0..<260))", "\(number(0..<26) * 10)", "'text'", "'TEXT'", "1.5"][
      number(0..<6)]
    let section = ["'a'", "'b'", "'c'", "NULL"][number(0..<4)]
    switch number(0..<8) {
    case 0: return "DELETE FROM item WHERE id = \(id)"
    case 1, 2: return "REPLACE INTO item (id, s, k) VALUES (\(id), \(section), \(key))"
    case 3: return "UPDATE item SET s = \(section) WHERE id = \(id)"
    case 4:
      return "UPDATE item SET v = '\(["x", "y", "z"][number(0..<3)])' WHERE id % 4 = \(id % 4)"
    case 5: return "UPDATE OR IGNORE item SET id = \(id) WHERE id = \(28 - id)"
    default: return "UPDATE item SET k = \(key) WHERE id = \(id)"
    }
  }
}

extension [String] {
  /// The changes with the section that comes with the last of them.
  fileprivate var sectioned: [String] { ["S+ 1 (b)"] + self }
}
