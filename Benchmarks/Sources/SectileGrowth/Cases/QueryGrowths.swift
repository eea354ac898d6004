internal import Sectile

/// One-row commits with a query of several tables, of more and more rows: customers, each with
/// twenty orders, each with three lines.
struct QueryWorld {
  let store: Store
  let results: SectionedResults<UntypedRow>
  let orderCount: Int
  private var lineCount = 0

  private static let tables = [
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL)",
    "CREATE TABLE \"order\" (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, day INTEGER NOT NULL)",
    "CREATE INDEX order_customer ON \"order\" (customer)",
    "CREATE TABLE line (id INTEGER PRIMARY KEY, \"order\" INTEGER NOT NULL, price INTEGER NOT NULL)",
    "CREATE INDEX line_order ON line (\"order\")",
  ]

  /// Orders with their customer, the number of their lines and what they come to.
  static let orders = """
    SELECT o.id, o.day, c.name, c.country,
      (SELECT count(*) FROM line WHERE line."order" = o.id) AS lines,
      (SELECT sum(price) FROM line WHERE line."order" = o.id) AS value
    FROM "order" o JOIN customer c ON c.id = o.customer
    """

  /// What the orders of each customer come to.
  static let customers = """
    SELECT o.customer, count(*) AS lines, sum(line.price) AS value
    FROM "order" o JOIN line ON line."order" = o.id GROUP BY o.customer
    """

  /// What the orders of each country come to.
  static let countries = """
    SELECT c.country, count(*) AS lines, sum(line.price) AS value, avg(line.price) AS average
    FROM line JOIN "order" o ON o.id = line."order" JOIN customer c ON c.id = o.customer
    GROUP BY c.country
    """

  /// Customers, beside what the lines of each come to, which is worked out apart.
  static let accounts = """
    SELECT c.id, c.name, a.value FROM customer c LEFT JOIN (
      SELECT o.customer, sum(line.price) AS value
      FROM "order" o JOIN line ON line."order" = o.id GROUP BY o.customer
    ) a ON a.customer = c.id
    """

  /// Orders and lines, each once.
  static let entries = """
    SELECT 'order' AS kind, id, day AS value FROM "order"
    UNION SELECT 'line', id, price FROM line
    """

  /// The customers who have an expensive line.
  static let spenders = """
    SELECT c.id, c.name AS value FROM customer c WHERE EXISTS (
      SELECT 1 FROM "order" o JOIN line ON line."order" = o.id
      WHERE o.customer = c.id AND line.price > 80)
    """

  /// The prices that each customer has paid, each once.
  static let prices = """
    SELECT DISTINCT o.customer, line.price AS value FROM "order" o JOIN line ON line."order" = o.id
    """

  init(_ sql: String, key: String..., orderCount: Int) throws {
    store = try Store.inMemory()
    self.orderCount = orderCount
    try store.write { tx in
      for sql in Self.tables { try tx.execute(sql) }
      let numbers = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
      try tx.execute(
        numbers + "INSERT INTO customer SELECT i, 'name ' || i, 'country ' || i % 40 FROM n",
        max(1, orderCount / 20))
      try tx.execute(
        numbers + "INSERT INTO \"order\" SELECT i, (i + 19) / 20, i * 7 % 1000 FROM n", orderCount)
      try tx.execute(
        numbers + "INSERT INTO line SELECT i, (i + 2) / 3, i % 90 FROM n", orderCount * 3)
    }
    results = try store.results(of: Query(sql, key: key).sort(by: "value", .descending))
    try results.load()
  }

  /// Commits one line of an order: another one each time.
  mutating func commitLine() throws {
    lineCount += 1
    let line = lineCount * 37 % (orderCount * 3) + 1
    try store.write { try $0.execute("UPDATE line SET price = price + 1 WHERE id = ?", line) }
    try checkIsFollowed()
  }

  /// Checks that rows were looked up, and not compared as a whole.
  func checkIsFollowed() throws {
    try check(results.statistics.rebuildCount == 0, "\(results.statistics)")
  }
}

/// Commits of one line of an order.
struct QueryChildGrowth: GrowthCase {
  static let name = "query-child"
  static let summary =
    "commit one row that two aggregates of a query of three tables read; the query's rows"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.orders, key: "id", orderCount: size)
  }

  mutating func perform() throws {
    try world.commitLine()
  }
}

/// Commits of one customer, whom twenty rows show.
struct QueryParentGrowth: GrowthCase {
  static let name = "query-parent"
  static let summary = "commit one row that twenty rows of a query show; the query's rows"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private let world: QueryWorld
  private var number = 0

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.orders, key: "id", orderCount: size)
  }

  mutating func perform() throws {
    number += 1
    let customer = number * 37 % (world.orderCount / 20) + 1
    try world.store.write {
      try $0.execute("UPDATE customer SET name = ? WHERE id = ?", "name \(number)", customer)
    }
    try world.checkIsFollowed()
  }
}

/// Commits of one row of a group of sixty.
struct QueryGroupGrowth: GrowthCase {
  static let name = "query-group"
  static let summary = "commit one row of a group of sixty; the groups"
  static let sizes = (small: 250, large: 4_000)
  static let exponent = 0.0

  private var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.customers, key: "customer", orderCount: size * 20)
  }

  mutating func perform() throws {
    try world.commitLine()
  }
}

/// Commits of one row of a group that has a fortieth of all rows.
struct QueryLargeGroupGrowth: GrowthCase {
  static let name = "query-large-group"
  static let summary = "commit one row of one of forty groups; the rows"
  static let sizes = (small: 4_000, large: 64_000)
  static let exponent = 0.0

  private var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.countries, key: "country", orderCount: size)
    // A group is read as a whole once.
    for _ in 0..<400 { try perform() }
  }

  mutating func perform() throws {
    try world.commitLine()
  }
}

/// Commits of one line of an order, which a query shows in some shape.
protocol QueryShapeGrowth: GrowthCase {
  var world: QueryWorld { get set }
}

extension QueryShapeGrowth {
  static var sizes: (small: Int, large: Int) { (small: 4_000, large: 64_000) }
  static var exponent: Double { 0.0 }

  mutating func perform() throws {
    try world.commitLine()
  }
}

/// Commits of a line whose customer is joined to what is grouped apart.
struct QueryJoinedGroupsGrowth: QueryShapeGrowth {
  static let name = "query-joined-groups"
  static let summary = "commit one row of a group that is joined to another table; the orders"

  var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.accounts, key: "id", orderCount: size)
  }
}

/// Commits of a line that a UNION shows.
struct QueryUnionGrowth: QueryShapeGrowth {
  static let name = "query-union"
  static let summary = "commit one row of an arm of a UNION; the orders"

  var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.entries, key: "kind", "id", orderCount: size)
  }
}

/// Commits of a line that decides whether its customer is shown.
struct QueryExistsGrowth: QueryShapeGrowth {
  static let name = "query-exists"
  static let summary = "commit one row that EXISTS asks for; the orders"

  var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.spenders, key: "id", orderCount: size)
  }
}

/// Commits of a line that decides which rows are different.
struct QueryDistinctGrowth: QueryShapeGrowth {
  static let name = "query-distinct"
  static let summary = "commit one row of those that DISTINCT makes one; the orders"

  var world: QueryWorld

  init(size: Int) throws {
    world = try QueryWorld(QueryWorld.prices, key: "customer", "value", orderCount: size)
  }
}
