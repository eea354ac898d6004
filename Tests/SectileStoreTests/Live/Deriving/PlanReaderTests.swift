import GRDB
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Touched rows that are read together, and those that a transaction of many rows goes through.
@Suite(.timeLimit(.minutes(60))) struct PlanReaderTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k INTEGER);
    CREATE INDEX item_on_s ON item (s);
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO item SELECT i, substr('abc', 1 + i % 3, 1), i * 7919 % 300 FROM n;
    """

  private var plan: FetchPlan {
    var plan = FetchPlan(
      table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "k"],
      where: SQLFragment("s <> ?", ["c"]))
    plan.section = FetchPlan.Section(identity: plan.term("s"))
    plan.sort = [plan.term("k")]
    return plan
  }

  /// Fewer than a batch, just a batch, and full batches with a rest of few or many.
  @Test(arguments: [1, 7, 8, 63, 64, 65, 71, 72, 141])
  func rowsReadTogetherAreThoseReadByThemselves(count: Int) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Self.schema)
      let reader = PlanReader(queries: try PlanQueries(plan, in: db), db: db)
      // Some are not wanted, the first and the last ones are not there.
      let keys = (0..<Int64(count)).map { RowKey.integer(($0 - 2) * 5) }
      func values(_ cursor: PlanCursor) throws -> [StoredValue] {
        try (0..<cursor.statement.columnCount).map { try cursor.statement.columnValue(at: $0) }
      }
      var together: [Int: [StoredValue]] = [:]
      try reader.forEachRow(of: keys) { position, cursor in
        #expect(together[position] == nil)
        together[position] = try values(cursor)
      }
      for (position, key) in keys.enumerated() {
        #expect(try reader.withRow(key, values) == together[position], "\(key)")
      }
      #expect(together.isEmpty == (count == 1))
    }
  }

  /// A filter may name any table and any column.
  @Test func namesOfAFilterAreThoseOfTheUser() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE track (id INTEGER PRIMARY KEY, k0, column1);
          CREATE TABLE wanted (k0);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
            INSERT INTO track SELECT i, i % 3, i % 2 FROM n;
          INSERT INTO wanted VALUES (1);
          """)
      let plan = FetchPlan(
        table: "track", keyColumns: ["id"], itemColumns: ["id"],
        where: SQLFragment("k0 IN (SELECT k0 FROM wanted) AND column1 = ?", [1]))
      let reader = PlanReader(queries: try PlanQueries(plan, in: db), db: db)
      var found: [Int] = []
      try reader.forEachRow(of: (1...20 as ClosedRange<Int64>).map(RowKey.integer)) { position, _ in
        found.append(position + 1)
      }
      #expect(found.sorted() == [1, 7, 13, 19])
    }
  }

  /// SQLite would rather search an index that serves the filter, and then the table.
  @Test func rowsAreFoundByTheirRowIDs() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Self.schema)
      var plan = plan
      plan.filter = SQLFragment("s = ?", ["a"])
      let statement = PlanSQL(plan).selectRows(count: PlanQueries.batchSize)
      let steps = try QueryPlanStep.steps(
        of: SQLFragment(
          statement.sql,
          (1...Int64(PlanQueries.batchSize)).map(StoredValue.integer) + statement.values), in: db)
      let details = steps.flatMap(\.all).map(\.detail)
      #expect(details.contains { $0.contains("USING INTEGER PRIMARY KEY (rowid=?)") }, "\(details)")
      #expect(!details.contains { $0.contains("item_on_s") }, "\(details)")
    }
  }

  /// Rows that move, stay, leave, arrive, are wanted no longer and wanted again, all in one commit:
  /// with few of them places are looked for, with many the list is made anew.
  @Test(arguments: [(50, 0), (299, 1)])
  func manyRowsOfOneTransactionAreFollowed(last: Int, rebuildCount: Int) throws {
    var all = plan
    all.filter = nil
    for plan in [plan, all] {
      try SmallWorld.run(.memory, schema: Self.schema) { store in
        let live = try LiveResults<UntypedRow>(plan, in: store)
        let before = live.results.statistics.rebuildCount
        let lines = try live.changes {
          try store.write {
            try $0.execute(
              """
              UPDATE item SET k = 300 - k WHERE id BETWEEN 10 AND \(last) AND id % 2 = 0;
              UPDATE item SET s = substr('cab', 1 + id % 3, 1)
                WHERE id BETWEEN 10 AND \(last) AND id % 5 = 0;
              DELETE FROM item WHERE id BETWEEN 10 AND \(last) AND id % 7 = 0;
              INSERT INTO item SELECT id + 1000, s, k FROM item
                WHERE id BETWEEN 10 AND \(last) AND id % 3 = 0;
              """)
          }
        }
        #expect(lines.count > 3 * PlanReader.leastBatch)
        // Internal checks have each commit followed row by row, too.
        let rebuilds = InternalChecks.isOn ? 0 : rebuildCount
        #expect(live.results.statistics.rebuildCount == before + rebuilds)
      }
    }
  }

  @Test func walkMeetsEachRowAtItsPath() {
    var builder = SectionedIndexBuilder(blockCapacity: 4)
    var handle: Int32 = 0
    for (ordinal, count) in [0, 0, 3, 1, 0, 17, 0].enumerated() {
      builder.appendSection(SourceSection(identity: .integer(Int64(ordinal)), title: ""))
      for _ in 0..<count {
        builder.appendRow(handle)
        handle += 1
      }
    }
    let index = builder.finish()
    var walk = RowWalk(index)
    for handle in 0..<handle {
      let row = walk.next()
      #expect(row?.handle == handle && row?.path == index.path(of: handle))
    }
    #expect(walk.next() == nil)
  }
}
