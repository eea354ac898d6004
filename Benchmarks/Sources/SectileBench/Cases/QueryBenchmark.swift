internal import GRDBBaseline
internal import Sectile
internal import Synchronization

/// Rows of several tables, and groups as rows, next to rows of one table.
enum QueryBenchmark: Benchmark {
  static let name = "queries"
  static let summary = "commit rows that a query joins and groups, next to rows of one table"
  static let goals = ["J1", "J2", "J3", "J5"]

  /// How many sales a shopper has.
  private static let salesOfShopper = 20

  static func run(_ bench: Bench) throws {
    try joinedRow(bench)
    try parent(bench)
    try groups(bench)
  }

  // MARK: World

  private static let schema = """
    CREATE TABLE shopper (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
    CREATE TABLE sale (
      id INTEGER PRIMARY KEY, shopper INTEGER, placed INTEGER, note INTEGER, shop INTEGER);
    CREATE TABLE piece (id INTEGER PRIMARY KEY, sale INTEGER, cents INTEGER);
    CREATE INDEX sale_on_shopper ON sale (shopper);
    CREATE INDEX sale_on_placed ON sale (placed);
    CREATE INDEX piece_on_sale ON piece (sale);
    """

  private static func rows(_ count: Int) -> String {
    """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO sale SELECT i, 1 + (i - 1) / \(salesOfShopper), i * 7919 % \(count), 0, 1 FROM n;
    INSERT INTO shopper SELECT DISTINCT shopper, 'shopper ' || shopper, 'country ' || shopper % 9
      FROM sale;
    INSERT INTO piece SELECT id * 3 + k.column1, id, id % 1000 FROM sale, (VALUES (0), (1), (2)) k;
    ANALYZE;
    """
  }

  /// A sale with columns of three tables, two of which are worked out of its pieces.
  private static let receipts = """
    SELECT sale.id, sale.placed, sale.note, shopper.name,
      (SELECT count(*) FROM piece WHERE piece.sale = sale.id) AS pieces,
      (SELECT sum(cents) FROM piece WHERE piece.sale = sale.id) AS cents
    FROM sale JOIN shopper ON shopper.id = sale.shopper
    """

  private static func store(_ bench: Bench) throws -> Store {
    let store = try World.emptyStore(bench.storage, in: bench.folder, schema: [])
    try store.write { try $0.execute(schema + rows(bench.size)) }
    return store
  }

  /// A store with one view, whose changes are counted.
  private final class Side {
    let store: Store
    private let bench: Bench
    private let changed: @Sendable () -> Int
    private var turn = 0
    private let results: any Sendable
    private let observation: DataSourceObservation

    init(_ bench: Bench, _ store: Store, _ results: SectionedResults<UntypedRow>) throws {
      (self.bench, self.store, self.results) = (bench, store, results)
      try results.load()
      let count = Count()
      observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event {
          count.value.withLock { $0 += changes.updates.count + changes.moves.count }
        }
      }
      changed = { count.value.withLock { exchange(&$0, with: 0) } }
    }

    /// Commits a statement for one row after the other.
    ///
    /// - Parameters:
    ///   - sql: The statement, of the row with a number.
    ///   - count: How many commits there are.
    ///   - changes: How many rows of the view each changes.
    /// - Returns: The time of one commit.
    /// - Throws: What committing throws, and where another number of changes was delivered.
    func commit(_ sql: String, _ count: Int, changing changes: Int) throws -> Sample {
      let ids = (0..<count).map { (turn + $0) * 37 % (bench.size / 2) + 1 }
      turn += count
      let (time, _) = try Stopwatch.time {
        for id in ids { try store.write { try $0.execute(sql, id) } }
        if bench.storage == .file { try store.checkpoint() }
      }
      let told = changed()
      try verify(told == count * changes, "\(told) of \(count * changes) changes were delivered")
      return time / count
    }

    private final class Count: Sendable {
      let value = Mutex(0)
    }
  }

  private static func joined(_ bench: Bench) throws -> Side {
    let store = try store(bench)
    return try Side(
      bench, store, try store.results(of: Query(receipts, key: ["id"]).sort(by: "placed")))
  }

  private static func single(_ bench: Bench) throws -> Side {
    let store = try store(bench)
    var plan = FetchPlan(
      table: "sale", keyColumns: ["id"], itemColumns: ["id", "shopper", "placed", "note"])
    plan.sort = [plan.term("placed")]
    return try Side(bench, store, try store.results(of: plan))
  }

  // MARK: Cases

  private static func joinedRow(_ bench: Bench) throws {
    let sides = [try joined(bench), try single(bench)]
    let sql = "UPDATE sale SET note = note + 1 WHERE id = ?"
    let grdb = try bench.grdb()
    try grdb.execute(schema + rows(bench.size))
    let observation = grdb.observeRows(receipts + " ORDER BY sale.placed, sale.id")
    let commits = bench.size >= 1_000_000 ? 1 : 3
    var turn = 0
    let times = try bench.interleave([
      { try sides[0].commit(sql, bench.commitCount, changing: 1) },
      { try sides[1].commit(sql, bench.commitCount, changing: 1) },
      {
        let (time, differences) = try Stopwatch.time {
          try (0..<commits).map { _ in
            turn += 1
            try grdb.execute("UPDATE sale SET note = note + 1 WHERE id = \(turn)")
            return observation.nextChange()
          }
        }
        try verify(differences.allSatisfy { $0 == 2 }, "differences \(differences)")
        return time / commits
      },
    ])
    bench.reportRatio("1 row of three tables / of one", times[0], to: times[1], goal: "J1")
    bench.reportRatio(
      "1 row of three tables / ValueObservation + difference", times[0], to: times[2],
      goal: bench.size == 100_000 ? "J2" : nil)
  }

  /// A parent that concerns as many rows as its other side touches.
  private static func parent(_ bench: Bench) throws {
    let sides = [try joined(bench), try single(bench)]
    let count = max(bench.commitCount / salesOfShopper, 5)
    let number = "1 + (?1 - 1) / \(salesOfShopper)"
    let times = try bench.interleave([
      {
        try sides[0].commit(
          "UPDATE shopper SET name = name || 'x' WHERE id = \(number)", count,
          changing: salesOfShopper)
      },
      {
        try sides[1].commit(
          "UPDATE sale SET note = note + 1 WHERE shopper = \(number)", count,
          changing: salesOfShopper)
      },
    ])
    bench.reportRatio("a parent of 20 rows / 20 rows", times[0], to: times[1], goal: "J3")
  }

  private static func groups(_ bench: Bench) throws {
    let sql = "SELECT %, count(*) AS n, sum(note) AS sum, avg(note) AS avg FROM sale GROUP BY %"
    func side(_ group: String) throws -> Side {
      let store = try store(bench)
      try store.write { try $0.execute("CREATE INDEX sale_group ON sale (\(group), note)") }
      let text = sql.replacing("%", with: group)
      return try Side(bench, store, try store.results(of: Query(text, key: [group])))
    }
    let sides = [try side("shop"), try side("shopper")]
    let times = try bench.interleave(
      sides.map { side in
        { try side.commit("UPDATE sale SET note = note + 1 WHERE id = ?", 5, changing: 1) }
      })
    bench.reportRatio(
      "a group of all rows / of 20 rows", times[0], to: times[1],
      goal: bench.size == 100_000 ? "J5" : nil)
  }
}
