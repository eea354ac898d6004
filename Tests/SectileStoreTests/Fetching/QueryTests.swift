import SectileCore
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// Live results of a SELECT: after each transaction they are what a fresh fetch is, and the changes
/// lead there.
@Suite(.timeLimit(.minutes(60))) struct QueryTests {
  typealias Live = LiveResults<UntypedRow>

  // MARK: - Following

  @Test(arguments: StorageKind.allCases, QueryWorld.queries.indices)
  func ownCommitsAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    let query = QueryWorld.queries[number]
    try QueryWorld.run(kind) { store in
      let live = try Live(query, in: store)
      try live.expectRows(of: query, in: store)
      for sql in QueryWorld.transactions {
        _ = try live.changes { try store.write { try $0.execute(sql) } }
        try live.expectRows(of: query, in: store)
      }
      _ = try live.changes {
        try store.write { try $0.execute("DELETE FROM track; DELETE FROM artist") }
      }
    }
  }

  @Test(
    arguments: [StorageKind.file, .adoptedQueue, .adoptedPool], QueryWorld.queries.indices)
  func commitsOfAnotherConnectionAreFollowed(_ kind: StorageKind, _ number: Int) throws {
    let query = QueryWorld.queries[number]
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(QueryWorld.schema) }
    let live = try Live(query, in: store)
    let other = try ForeignConnection(folder.file("store.sqlite"))
    for sql in QueryWorld.transactions {
      try other.commit(sql)
      _ = try live.changes { try store.checkForExternalChanges() }
      try live.expectRows(of: query, in: store)
    }
    other.close()
    try store.close()
  }

  @Test func aCommitIsTheChangeOfItsRows() throws {
    try QueryWorld.run(.memory) { store in
      let live = try Live(QueryWorld.artists, in: store)
      try live.expect(["R~ [0,1]→[0,1] #2"]) {
        try store.write { try $0.execute("UPDATE track SET length = 70 WHERE id = 3") }
      }
      // Not longer than a minute: no row of the query changes.
      try live.expect([]) {
        try store.write { try $0.execute("INSERT INTO track VALUES (9, 1, 'i', 5)") }
      }
      try live.expect(["R- [0,2] #3"]) {
        try store.write { try $0.execute("DELETE FROM artist WHERE id = 3") }
      }
    }
  }

  /// The name of a query is that of a table, which is another one.
  @Test(arguments: StorageKind.allCases)
  func aQueryIsCalledLikeATable(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE query (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, country, tracks, longest);
      INSERT INTO query VALUES (1, 'b', 'x', 0, 0), (2, 'A', 'y', 0, 0), (3, 'a', 'x', 0, 0);
      """
    try SmallWorld.run(kind, schema: QueryWorld.schema + schema) { store in
      let other = Query("SELECT id, name COLLATE BINARY AS name FROM query", key: ["id"])
        .sort(by: "name")
      let queries = [QueryWorld.artists.sort(by: "name"), other]
      let live = try queries.map { try Live($0, in: store) }
      for sql in QueryWorld.transactions + [
        "UPDATE query SET name = 'B' WHERE id = 1", "DELETE FROM query WHERE id = 2",
        "INSERT INTO query VALUES (4, 'aa', 'z', 1, 1)",
      ] {
        for live in live { live.recorder.reset() }
        try store.write { try $0.execute(sql) }
        for (live, query) in zip(live, queries) {
          try live.check()
          try live.expectRows(of: query, in: store)
        }
      }
      #expect(!live[0].results.allows(.removing, at: ItemPath(section: 0, item: 0)))
      #expect(try names(live[1].results) == ["B", "a", "aa"])
    }
  }

  @Test func viewsAndConstantsAreQueries() throws {
    try QueryWorld.run(.memory) { store in
      try store.write {
        try $0.execute("CREATE VIEW \"a view\" AS SELECT id, name FROM artist WHERE id > 1")
      }
      let view = try Live(Query(view: "a view", key: ["id"]).sort(by: "name"), in: store)
      #expect(try names(view.results) == ["abba", "Air", "Zaz"])
      try view.expect(["R- [0,1] #3"]) {
        try store.write { try $0.execute("DELETE FROM artist WHERE id = 3") }
      }
      let constants = try Live(Query("VALUES (2, 'b'), (1, 'a')", key: ["column1"]), in: store)
      #expect(constants.results.numberOfItems == 2)
    }
  }

  private func names(_ results: SectionedResults<UntypedRow>) throws -> [StoredValue?] {
    try (0..<results.numberOfItems).map {
      try results.item(at: ItemPath(section: 0, item: $0)).row["name"]
    }
  }

  /// So many keys that no one expression compares with all of them.
  @Test func manyRowsOfACompositeKeyAreRead() throws {
    try QueryWorld.run(.memory) { store in
      try store.write {
        try $0.execute(
          """
          WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 1309)
          INSERT INTO track SELECT i, 1, 't' || i, 9 FROM n
          """)
      }
      let query = Query("SELECT artist, id, title FROM track", key: ["artist", "id"])
      let results = try store.results(of: query)
      try results.load()
      let contents = try results.snapshot.materialized()
      #expect(contents.sections.map(\.rows.count) == [1305])
      let last = contents.sections.first?.rows.first { $0.id.keyValues == [1, 1309] }
      #expect(last?.item.row["title"] == "t1309")
    }
  }

  // MARK: - Order

  /// A query that groups by a column of another collation, for which SQLite sorts, too.
  @Test func aColumnIsOrderedByItsOwnCollation() throws {
    try QueryWorld.run(.memory) { store in
      try store.write {
        try $0.execute(
          """
          DELETE FROM artist;
          INSERT INTO artist VALUES (1, 'x', 'b'), (2, 'y', 'A'), (3, 'z', 'a'), (4, 'w', 'B');
          """)
      }
      let query = Query(
        "SELECT name, max(country) AS country FROM artist GROUP BY name", key: ["name"])
      let live = try Live(query.sort(by: "country"), in: store)
      #expect(try names(live.results) == ["y", "w", "z", "x"])
      let folded = try Live(query.sort(by: "country", collation: .nocase), in: store)
      #expect(try names(folded.results) == ["y", "z", "w", "x"])
      let rows = try store.read { try $0.fetchAll(query.sort(by: "country")) }
      #expect(rows.map { $0.row["name"] } == ["y", "w", "z", "x"])
    }
  }

  // MARK: - Changing the request

  @Test(arguments: StorageKind.allCases)
  func refinementsChangeInPlace(_ kind: StorageKind) throws {
    try QueryWorld.run(kind) { store in
      let query = QueryWorld.artists
      let live = try Live(query, in: store)
      let refinements: [Query] = [
        query.filter(SQLFragment("tracks > ?", [0])), query.sort(by: "name", .descending),
        query.sectioned(by: "country", .descending, nulls: .first),
        query.sectioned(by: SQLFragment("tracks % ?", [2])).limit(2), query.limit(0), query,
        query.sort(by: "tracks").unsorted().sectioned(by: "name").unsectioned(),
      ]
      for refined in refinements {
        live.expectFresh { try store.results(of: refined) }
        _ = try live.changes { try live.results.update(to: refined) }
        try live.expectRows(of: refined, in: store)
        _ = try live.changes {
          try store.write { try $0.execute("UPDATE track SET length = length + 13") }
        }
        try live.expectRows(of: refined, in: store)
      }
      for other in [
        Query("SELECT id, name FROM artist", key: ["id"]),
        Query(view: "artist", key: ["id"]),
      ] {
        try expectStoreError(.invalidRequest) { try live.results.update(to: other) }
      }
      try live.check()
    }
  }

  // MARK: - Parameters

  private func plan(_ query: Query) throws -> FetchPlan {
    var plan: FetchPlan?
    try QueryWorld.run(.memory) { store in
      plan = try store.read { try query.makePlan(in: $0) }
    }
    return try #require(plan)
  }

  @Test func namesAreParametersOutsideOfTextsAndComments() throws {
    let query = Query(
      """
      SELECT id, ':a' AS ":a", [name] AS "it's" -- :a
      FROM artist /* @b */ WHERE id IN (:a, @b, $a) AND name <> '$b''@b' -- $a
      """, key: ["id"], named: ["a": 1, "b": 2])
    let plan = try plan(query)
    #expect(
      plan.query
        == SQLFragment(
          """
          SELECT id, ':a' AS ":a", [name] AS "it's" -- :a
          FROM artist /* @b */ WHERE id IN (?, ?, ?) AND name <> '$b''@b'
          """, [1, 2, 1]))
    #expect(plan.itemColumns == ["id", ":a", "it's"])
  }

  @Test func numbersAreParameters() throws {
    let query = Query("SELECT ?2 AS id, ? AS b, ?1 AS c, ?2 AS d", key: ["id"], [1, 2, 3])
    let plan = try plan(query)
    #expect(plan.query == SQLFragment("SELECT ? AS id, ? AS b, ? AS c, ? AS d", [2, 3, 1, 2]))
    #expect(plan.keyColumns == ["id"])
  }

  @Test(
    arguments: [
      "SELECT id, name FROM artist;", "SELECT id, name FROM artist ; ;\n",
      "SELECT id, name FROM artist -- all of them", "SELECT id, name FROM artist; /* that is it",
      "/* one */ SELECT id, name -- two\nFROM artist -- three\n; -- four",
      "WITH a AS (SELECT * FROM artist) SELECT id, name FROM a --)",
    ])
  func commentsAndSemicolonsEndNothing(_ sql: String) throws {
    try QueryWorld.run(.memory) { store in
      let query = Query(sql, key: ["id"]).filter(SQLFragment("id > ? -- not the first", [1]))
      let live = try Live(query.sort(by: SQLFragment("-id -- descending")), in: store)
      #expect(try names(live.results) == ["Zaz", "Air", "abba"])
    }
  }

  // MARK: - Errors

  private static let nonsense: [(query: Query, message: String)] = [
    (Query("", key: ["id"]), "no statement"), (Query(" ; -- x", key: ["id"]), "no statement"),
    (Query("SELECT 1 AS id; SELECT 2", key: ["id"]), "several statements"),
    (Query("SELEC 1", key: ["id"]), "no SELECT"),
    (Query("PRAGMA user_version", key: ["user_version"]), "no SELECT"),
    (Query("DELETE FROM artist RETURNING id", key: ["id"]), "no SELECT"),
    (
      Query(
        "WITH x AS (SELECT 9 AS id) INSERT INTO artist (id) SELECT id FROM x RETURNING id",
        key: ["id"]), "writes"
    ),
    (Query("SELECT id FROM artist", key: ["nope"]), "no column nope"),
    (Query("SELECT id FROM artist", key: ["id"]).sort(by: "nope"), "no column nope"),
    (Query("SELECT id FROM artist", key: ["id"]).sectioned(by: "nope"), "no column nope"),
    (
      Query("SELECT id FROM artist", key: ["id"]).aggregating(FetchPlan.Aggregate(.sum("nope"))),
      "no column nope"
    ),
    (
      Query("SELECT artist.id, track.ID, name FROM artist, track", key: ["id"]),
      "Two columns of the query query are called id"
    ),
    (Query("SELECT id FROM artist", key: []), "no key column"),
    (Query("SELECT id FROM artist", key: ["id"]).limit(-1), "limit"),
    (Query("SELECT ? AS id", key: ["id"]), "no value"),
    (Query("SELECT ?3 AS id", key: ["id"], [1, 2]), "no value"),
    (Query("SELECT ?0 AS id", key: ["id"], [1]), "no value"),
    (Query("SELECT ? AS id", key: ["id"], [1, 2]), "2 values"),
    (Query("SELECT :a AS id", key: ["id"], [1]), ":a of a query has no value"),
    (Query("SELECT :a AS id", key: ["id"], named: ["b": 1]), ":a of a query has no value"),
    (Query("SELECT :a AS id", key: ["id"], named: ["a": 1, ":b": 1]), "no parameter :b"),
    (Query("SELECT ? AS id", key: ["id"], named: ["a": 1]), "has no name"),
  ]

  @Test(arguments: nonsense)
  func whatMakesNoSenseIsRefused(_ test: (query: Query, message: String)) throws {
    try QueryWorld.run(.memory) { store in
      let error = try expectStoreError(.invalidRequest) { try store.results(of: test.query) }
      #expect(error.message.contains(test.message), "\(error.message)")
      #expect(error.hint != nil)
    }
  }

  @Test func whatSQLiteRefusesIsToldInItsWords() throws {
    try QueryWorld.run(.memory) { store in
      for (sql, words) in [
        ("SELECT id FROM missing", "no such table"), ("SELECT id, FROM artist", "syntax error"),
        ("SELECT id FROM artist) AS a, (SELECT 1", "syntax error"),
      ] {
        let error = try expectStoreError(.statementFailed) {
          try store.results(of: Query(sql, key: ["id"]))
        }
        #expect(error.detailedDescription.contains(words), "\(error.detailedDescription)")
      }
    }
  }

  private static let failures: [(sql: String, code: StoreError.Code)] = [
    ("SELECT 1 AS id FROM artist", .duplicateKey),
    (
      "SELECT track.id FROM artist LEFT JOIN track ON track.artist = artist.id AND track.id > 4",
      .duplicateKey
    ),
    ("SELECT id, temp_name.n FROM artist, temp.temp_name", .invalidRequest),
  ]

  @Test(arguments: failures)
  func loadsFail(_ test: (sql: String, code: StoreError.Code)) throws {
    try QueryWorld.run(.memory) { store in
      try store.write {
        try $0.execute("CREATE TEMP TABLE temp_name (n); INSERT INTO temp_name VALUES (1)")
      }
      let results = try store.results(of: Query(test.sql, key: ["id"]))
      try expectStoreError(test.code) { try results.load() }
    }
  }

  /// NULL is a key of its own, as that of the group of NULL.
  @Test(arguments: StorageKind.allCases)
  func aNullInTheKeyIsAKey(_ kind: StorageKind) throws {
    try QueryWorld.run(kind) { store in
      let rows = Query(
        "SELECT country, id, name FROM artist WHERE id <> 3", key: ["country", "id"])
      let groups = Query(
        "SELECT country, count(*) AS artists FROM artist GROUP BY country", key: ["country"])
      let live = try (rows: Live(rows, in: store), groups: Live(groups, in: store))
      for country in ["NULL", "'uk'", "NULL"] {
        live.rows.recorder.reset()
        try store.write {
          try $0.execute("UPDATE artist SET country = \(country) WHERE id = 1")
        }
        #expect(live.rows.recorder.errors.isEmpty)
        try live.rows.expectRows(of: rows, in: store)
        try live.groups.expectRows(of: groups, in: store)
        // Each can be read by its key.
        for results in [live.rows.results, live.groups.results] {
          for item in 0..<results.numberOfItems {
            _ = try results.snapshot.item(at: ItemPath(section: 0, item: item))
          }
        }
      }
    }
  }

  // MARK: - Plans by hand

  @Test func aPlanHasAnotherName() throws {
    try QueryWorld.run(.memory) { store in
      var plan = FetchPlan(
        query: SQLFragment("SELECT id, name, country FROM artist WHERE id > ?", [1]),
        named: "someone", keyColumns: ["id"], itemColumns: ["id", "name"])
      plan.filter = SQLFragment("\"someone\".\"country\" IS NOT ?", ["fr"])
      plan.sort = [plan.term("name", isDescending: true)]
      let live = try LiveResults(plan, in: store)
      #expect(try names(live.results) == ["Air", "abba"])
      try live.expect(["R- [0,0] #3"]) {
        try store.write { try $0.execute("UPDATE artist SET country = 'fr' WHERE id = 3") }
      }
    }
  }

  private static let refusedPlans: [(query: SQLFragment, message: String)] = [
    (SQLFragment("SELECT id FROM artist WHERE id > ?"), "1 ? marks, and 0 values"),
    (SQLFragment("SELECT id FROM artist WHERE id > :id", [1]), "name or a number"),
    (SQLFragment("SELECT id FROM artist WHERE id > ?1", [1]), "name or a number"),
    (SQLFragment("SELECT name FROM artist"), "no column id"),
    (SQLFragment("SELECT id, * FROM artist"), "called id"),
  ]

  @Test(arguments: refusedPlans)
  func plansAreChecked(_ test: (query: SQLFragment, message: String)) throws {
    try QueryWorld.run(.memory) { store in
      let plan = FetchPlan(query: test.query, keyColumns: ["id"], itemColumns: ["id"])
      let results = try store.results(of: plan)
      let error = try expectStoreError(.invalidRequest) { try results.load() }
      #expect(error.message.contains(test.message), "\(error.message)")
    }
  }

  // MARK: - Explaining, editing, fetching

  @Test func aQueryIsExplained() throws {
    try QueryWorld.run(.memory) { store in
      let query = QueryWorld.artists.filter(SQLFragment("tracks < ?", [9])).limit(7)
      let explanation = try store.explain(query)
      #expect(explanation.values == [60, 9, 7])
      #expect(explanation.followedTables.map(\.table).sorted() == ["artist", "track"])
      #expect(explanation.suggestedIndexes.map(\.name) == ["track_on_artist"])
      #expect(explanation.description.contains("AS \"query\""))
    }
  }

  @Test func rowsOfAQueryAreNotEdited() throws {
    try QueryWorld.run(.memory) { store in
      let live = try Live(QueryWorld.artists, in: store)
      let path = ItemPath(section: 0, item: 0)
      #expect(!live.results.allows(.removing, at: path))
      let error = try expectStoreError(.notEditable) { try live.results.remove(at: path) }
      #expect(error.message.contains("The query query is no table"))
    }
  }

  @Test func rowsAreFetchedInATransaction() throws {
    try QueryWorld.run(.memory) { store in
      let query = QueryWorld.artists.sort(by: "tracks", .descending).limit(3)
      try store.read { transaction in
        let rows = try transaction.fetchAll(query)
        #expect(rows.map { $0.row["name"] } == ["Nina", "abba", "Air"])
        #expect(rows.map(\.id.keyValues) == [[1], [2], [3]])
        #expect(try transaction.fetchCount(query) == 3)
        #expect(try transaction.fetchCount(query.limit(nil)) == 4)
      }
    }
  }
}
