import SectileCore
import SectileStore
import SectileTestSupport

/// The tables and plans of the random tests: NULLs, ties, mixed storage classes, collations, text
/// and composite keys, relationships, cascades, triggers, windows, views; and values that bad
/// hashes and canonical equivalence take for each other: a number and its complement, é in both its
/// forms; keys that compare otherwise than their columns do.
enum RandomWorld {
  static let schema = """
    CREATE TABLE team (tid INTEGER PRIMARY KEY, name TEXT, pos INTEGER);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, team INTEGER REFERENCES team ON DELETE SET NULL ON UPDATE CASCADE,
      s TEXT, k, v TEXT, n TEXT COLLATE NOCASE);
    CREATE INDEX item_on_s_k ON item (s, k);
    CREATE TABLE tag (
      item INTEGER REFERENCES item ON DELETE CASCADE ON UPDATE CASCADE, label TEXT, weight INTEGER,
      PRIMARY KEY (item, label)) WITHOUT ROWID;
    CREATE TABLE note (code TEXT PRIMARY KEY NOT NULL, s, k);
    CREATE TABLE club (
      code TEXT COLLATE NOCASE NOT NULL, s, k INTEGER, PRIMARY KEY (code COLLATE BINARY));
    CREATE TABLE seat (
      line TEXT COLLATE NOCASE NOT NULL, s, number TEXT NOT NULL, k INTEGER,
      PRIMARY KEY (number COLLATE NOCASE, line COLLATE BINARY)) WITHOUT ROWID;
    CREATE TRIGGER item_noted AFTER UPDATE OF v ON item WHEN new.v = 'noted' BEGIN
      INSERT OR REPLACE INTO note (code, s, k) VALUES ('n' || new.id, new.s, new.k);
    END;
    CREATE VIEW crowd AS
      SELECT team.tid, team.name, count(item.id) AS size
      FROM team LEFT JOIN item ON item.team = team.tid GROUP BY team.tid;
    """

  static let tables: [RandomTransactions.Table] = [
    .init(
      "team", key: ["tid": [1, 2, 3, 4]],
      columns: ["name": ["Reds", "Blues", "Greens", nil], "pos": [0, -1, 1, -2, 2, nil]]),
    .init(
      "item", key: ["id": (1...24).map { .integer($0) }],
      columns: [
        "team": [1, 2, 3, 4, nil],
        "s": ["A", "B", "C", "a", "", nil, "\u{E9}", "e\u{301}"],
        "k": [
          0, -1, 1, -2, 3, 9, -10, 2.5, -0.5, "9", "x", nil, .blob([1]),
          .blob([0, 0, 0, 0, 0, 0, 0, 0]), .blob([255, 255, 255, 255, 255, 255, 255, 255]),
        ],
        "v": ["x", "y", "hidden", "noted", nil], "n": ["ant", "Ant", "bee", "BEE", "", nil],
      ]),
    .init(
      "tag",
      key: ["item": (1...12).map { .integer($0) }, "label": ["hot", "new", "\u{E9}", "e\u{301}"]],
      columns: ["weight": [0, -1, 1, -2, 3, nil]]),
    .init(
      "note", key: ["code": ["n1", "n2", "n3", "m1", "M2", "\u{E9}", "e\u{301}"]],
      columns: ["s": ["A", 1, 1.5, nil], "k": [0, -1, 1, -2, nil]]),
    .init(
      "club", key: ["code": ["a", "A", "b", "B", "c", "\u{E9}", "\u{C9}"]],
      columns: ["s": ["A", 1, nil], "k": [0, 1, 2, nil]]),
    .init(
      "seat", key: ["line": ["a", "A", "b", "B"], "number": ["1", "x", "X"]],
      columns: ["s": ["A", nil], "k": [0, 1, nil]]),
  ]

  /// The columns of a plan's table that are declared NOCASE: `code` of `club`, not of `note`.
  static func foldedColumns(of plan: FetchPlan) -> Set<String> {
    switch plan.table {
    case "item": ["n"]
    case "club": ["code"]
    case "seat": ["line"]
    default: []
    }
  }

  static let backwards = TextCollation("backwards") { left, right in
    left == right
      ? 0 : Array(left.utf8.reversed()).lexicographicallyPrecedes(right.utf8.reversed()) ? -1 : 1
  }

  static let plans: [(name: String, plan: FetchPlan)] = [
    ("by s, k", item(section: "s", sort: ["k"])),
    ("descending, NULL last, filtered", filtered),
    ("by team name", byTeam(named: true)),
    ("by team position", byTeam(named: false)),
    ("folded", item(section: "n", sort: ["v", "k"])),
    ("window", window(limit: 5, offset: 2)),
    ("top", window(limit: 3, offset: 0)),
    ("text key", notes),
    ("composite key", tags),
    ("key by bytes", keyed("club", ["code"], sort: ["k"])),
    ("key by bytes, in sections", keyed("club", ["code"], section: "s", sort: [])),
    ("key by bytes, sections by key", keyed("club", ["code"], section: "code", sort: ["k"])),
    ("key by bytes, window", keyed("club", ["code"], sort: ["k"], limit: 4, offset: 1)),
    ("composite key by bytes", keyed("seat", ["line", "number"], sort: ["k"])),
    (
      "composite key by bytes, in sections",
      keyed("seat", ["number", "line"], section: "s", sort: [])
    ),
    ("with a hot tag", hot),
    ("view", crowd),
    ("fixed sections", fixed),
    ("backwards", backwardsPlan),
    ("one list", item(section: nil, sort: ["v"])),
    ("own expression", expression),
    ("some ids", bounded(SQLFragment(#"("item"."id" > ?) AND ("item"."id" <= ?)"#, [4, 9]))),
    ("one value", bounded(SQLFragment("s IS ? AND v = ?", ["A", "x"]))),
    ("one name, folded", bounded(SQLFragment("n = ?", ["ant"]))),
    ("numbers", bounded(SQLFragment("k >= ? AND team < ?", [2, 3]))),
    ("few of one value", bounded(SQLFragment("s = ?", ["B"]), limit: 3)),
    ("aggregated", aggregated(item(section: "s", sort: ["k"]))),
    ("aggregated, one list", aggregated(item(section: nil, sort: ["v"]))),
    ("aggregated, folded", aggregated(item(section: "n", sort: ["v", "k"]))),
    ("aggregated, filtered", aggregated(filtered)),
    ("aggregated, by team name", aggregated(byTeam(named: true))),
    ("aggregated, by team position", aggregated(byTeam(named: false))),
    ("aggregated, window", aggregated(window(limit: 5, offset: 2))),
    ("aggregated, fixed sections", aggregated(fixed)),
    ("aggregated, own expression", aggregated(expression)),
    ("aggregated, composite key", aggregatedTags),
    ("aggregated, view", aggregatedCrowd),
  ]

  /// A plan with every kind of aggregate.
  private static func aggregated(_ plan: FetchPlan) -> FetchPlan {
    var plan = plan
    let functions: [FetchPlan.Aggregate.Function] = [
      .rowCount, .conditionCount(SQLFragment(#""item"."k" > ?"#, [0])), .valueCount("k"),
      .distinctCount("k"), .distinctCount("n"), .sum("k"), .average("k"), .minimum("k"),
      .maximum("k"), .minimum("n"), .maximum("n"), .sum("team"), .sum("v"),
    ]
    plan.aggregates = functions.map { FetchPlan.Aggregate($0) }
    return plan
  }

  private static var aggregatedTags: FetchPlan {
    var plan = tags
    plan.aggregates = [
      .init(.sum("weight")), .init(.average("weight")), .init(.maximum("weight"), name: "heaviest"),
      .init(.rowCount),
    ]
    return plan
  }

  private static var aggregatedCrowd: FetchPlan {
    var plan = crowd
    plan.aggregates = [.init(.sum("size")), .init(.minimum("name")), .init(.distinctCount("name"))]
    return plan
  }

  private static func item(section: String?, sort: [String]) -> FetchPlan {
    var plan = FetchPlan(
      table: "item", keyColumns: ["id"], itemColumns: ["id", "team", "s", "k", "v", "n"])
    plan.section = section.map { FetchPlan.Section(identity: plan.term($0)) }
    plan.sort = sort.map { plan.term($0) }
    return plan
  }

  private static var filtered: FetchPlan {
    var plan = item(section: nil, sort: [])
    plan.filter = SQLFragment("v <> ?", ["hidden"])
    plan.section = FetchPlan.Section(identity: plan.term("s", isDescending: true, nulls: .last))
    plan.sort = [plan.term("k", isDescending: true), plan.term("v", nulls: .first)]
    return plan
  }

  /// A plan whose filter rules out most rows without SQLite.
  private static func bounded(_ filter: SQLFragment, limit: Int? = nil) -> FetchPlan {
    var plan = item(section: "s", sort: ["k"])
    plan.filter = filter
    plan.limit = limit
    return plan
  }

  private static func byTeam(named: Bool) -> FetchPlan {
    var plan = item(section: nil, sort: ["k"])
    plan.joins = [
      FetchPlan.Join(
        table: "team", alias: "t", source: "item", sourceColumns: ["team"], targetColumns: ["tid"])
    ]
    let identity = FetchPlan.SortTerm(expression: SQLFragment(named ? "t.name" : "t.tid"))
    plan.section = FetchPlan.Section(
      identity: identity,
      order: named ? [] : [FetchPlan.SortTerm(expression: SQLFragment("t.pos"), nullOrder: .last)],
      title: named ? nil : SQLFragment("t.name"))
    if named { plan.sort.insert(FetchPlan.SortTerm(expression: SQLFragment("t.pos")), at: 0) }
    plan.dependencies = [
      FetchPlan.Dependency(
        table: "team", keyColumns: ["tid"],
        affected: .query("SELECT id FROM item WHERE team = ?"))
    ]
    return plan
  }

  private static func window(limit: Int, offset: Int) -> FetchPlan {
    var plan = item(section: "s", sort: ["k"])
    plan.limit = limit
    plan.offset = offset
    return plan
  }

  private static var notes: FetchPlan {
    var plan = FetchPlan(table: "note", keyColumns: ["code"], itemColumns: ["code", "s", "k"])
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment("upper(substr(code, 1, 1))")))
    plan.sort = [plan.term("k", isDescending: true)]
    return plan
  }

  private static func keyed(
    _ table: String, _ key: [String], section: String? = nil, sort: [String], limit: Int? = nil,
    offset: Int = 0
  ) -> FetchPlan {
    var plan = FetchPlan(table: table, keyColumns: key, itemColumns: key + ["s", "k"])
    plan.section = section.map { FetchPlan.Section(identity: plan.term($0)) }
    plan.sort = sort.map { plan.term($0) }
    (plan.limit, plan.offset) = (limit, offset)
    return plan
  }

  private static var tags: FetchPlan {
    var plan = FetchPlan(
      table: "tag", keyColumns: ["item", "label"], itemColumns: ["item", "label", "weight"])
    plan.section = FetchPlan.Section(identity: plan.term("label"))
    plan.sort = [plan.term("weight", isDescending: true)]
    return plan
  }

  private static var hot: FetchPlan {
    var plan = item(section: "s", sort: ["k"])
    plan.filter = SQLFragment(
      "EXISTS (SELECT 1 FROM tag WHERE tag.item = item.id AND tag.label = 'hot' AND weight > 1)")
    plan.dependencies = [
      FetchPlan.Dependency(
        table: "tag", keyColumns: ["item"], observedColumns: ["item", "label", "weight"],
        affected: .sameKey)
    ]
    return plan
  }

  private static var crowd: FetchPlan {
    var plan = FetchPlan(
      table: "crowd", keyColumns: ["tid"], itemColumns: ["tid", "name", "size"])
    plan.section = FetchPlan.Section(identity: plan.term("size", isDescending: true))
    plan.sort = [plan.term("name")]
    return plan
  }

  private static var fixed: FetchPlan {
    var plan = item(section: "s", sort: ["k"])
    plan.section?.fixedSections = ["B", nil, "Z", "A"]
    return plan
  }

  private static var backwardsPlan: FetchPlan {
    var plan = item(section: "s", sort: [])
    plan.sort = [plan.term("v", isDescending: true, nulls: .last, collation: backwards)]
    return plan
  }

  private static var expression: FetchPlan {
    var plan = item(section: nil, sort: [])
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment("id % 3"), isDescending: true),
      title: SQLFragment("'rest ' || (id % 3) || coalesce(v, '')"))
    plan.sort = [
      FetchPlan.SortTerm(expression: SQLFragment("coalesce(n, v, s)"), collation: .nocase)
    ]
    return plan
  }
}
