import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Live results in the order of how well their rows match: each step is replayed and compared with
/// a fresh fetch.
@Suite(.timeLimit(.minutes(60))) struct FullTextRankTests {
  private static func request(_ query: String = "note") -> FetchRequest<Label> {
    FetchRequest<Label>().matching(query, in: "label_text", bestFirst: true)
  }

  private static func inOrderOfSQLite(_ query: String, in store: Store) throws -> [Int64] {
    try store.read { db in
      try db.query(
        """
        SELECT label.id FROM label_text JOIN label ON label.id = label_text.rowid
        WHERE label_text MATCH ? ORDER BY label_text.rank, label.id
        """, query
      ).compactMap { row in
        if case .integer(let id)? = row["id"] { id } else { nil }
      }
    }
  }

  private static func ids(_ live: LiveResults<Label>) -> [Int64] {
    live.recorder.contents.sections.flatMap { $0.rows.map(\.id) }
  }

  @Test(arguments: FullTextFilterTests.kinds, StorageKind.allCases)
  func bestMatchComesFirst(_ options: String, _ kind: StorageKind) throws {
    let schema =
      FullTextFilterTests.schema(options, count: 40)
      + ";UPDATE label SET name = name || ' note note' WHERE id IN (7, 8, 30)"
    try SmallWorld.run(kind, schema: schema) { store in
      for query in ["note", "note*", "verve OR note", "\"note note\""] {
        let found = try store.read { try $0.fetchAll(Self.request(query)) }
        #expect(try found.map(\.id) == Self.inOrderOfSQLite(query, in: store), "\(query)")
        #expect(!found.isEmpty)
      }
    }
  }

  /// A rank is relative: a row moves that nobody wrote to.
  @Test(arguments: StorageKind.allCases)
  func rowsMoveThatNobodyTouched(_ kind: StorageKind) throws {
    let schema =
      FullTextFilterTests.schema(FullTextFilterTests.external, count: 1)
      + ";DELETE FROM label;INSERT INTO label VALUES (1, 'blue blue'), (2, 'note'), (3, 'blue'), (4, 'other')"
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<Label>(Self.request("blue OR note"), in: store)
      let before = Self.ids(live)
      let others = (5..<40).map { "(\($0), 'note note note x')" }.joined(separator: ",")
      let lines = try live.changes {
        try store.write { try $0.execute("INSERT INTO label VALUES \(others)") }
      }
      #expect(lines.filter { $0.hasPrefix("R+") }.count == 35)
      let after = Self.ids(live).filter { $0 < 5 }
      #expect(before != after)
      #expect(lines.contains { $0.hasPrefix("R>") && !$0.hasSuffix("*") })
    }
  }

  @Test func anIndexThatLostStepSaysHowItIsMadeAnew() throws {
    let schema = FullTextFilterTests.schema(FullTextFilterTests.external, count: 8)
    try SmallWorld.run(.memory, schema: schema) { store in
      let found = try store.read { try $0.fetchAll(Self.request()) }
      let id = try #require(found.first?.id)
      try store.write { try $0.execute("DELETE FROM label_text_docsize WHERE id = \(id)") }
      let error = #expect(throws: StoreError.self) {
        try store.read { try $0.fetchAll(Self.request()) }
      }
      #expect(error?.code == .corrupt)
      #expect(error?.hint?.contains("'rebuild'") == true)
      try store.write { try $0.execute("INSERT INTO label_text (label_text) VALUES ('rebuild')") }
      #expect(try store.read { try $0.fetchAll(Self.request()) } == found)
    }
  }

  @Test func strategyIsToFetchAgain() throws {
    let schema = FullTextFilterTests.schema(FullTextFilterTests.external, count: 8)
    try SmallWorld.run(.memory, schema: schema) { store in
      let results = try store.results(of: Self.request().limit(3))
      let strategy = try results.strategy
      #expect(strategy.kind == .refetching)
      #expect(strategy.reason.contains("ranked"))
    }
  }

  @Test func sortKeysBeforeDecideFirst() throws {
    let schema = FullTextFilterTests.schema(FullTextFilterTests.external, count: 40)
    try SmallWorld.run(.memory, schema: schema) { store in
      let sorted = FetchRequest<Label>().sort(by: \.name.firstLetter)
      let found = try store.read {
        try $0.fetchAll(sorted.searching("note", in: "label_text", bestFirst: true))
      }
      #expect(found.map { $0.name.prefix(1) } == found.map { $0.name.prefix(1) }.sorted())
      #expect(Set(found.map { $0.name.prefix(1) }).count > 1)
      // Without a word there is no rank.
      let all = try store.read {
        try $0.fetchAll(FetchRequest<Label>().searching(" ", in: "label_text", bestFirst: true))
      }
      #expect(all.map(\.id) == Array(1...40))
    }
  }

  @Test func keyOfSeveralColumnsIsRefused() throws {
    #expect {
      try FetchRequest<AlbumTrack>().sort { $0.fullTextRank(of: "note", in: "label_text") }
        .makePlan()
    } throws: {
      ($0 as? StoreError)?.code == .invalidRequest
    }
  }

  /// Random writes to the table and to its full-text table, seen whole, in sections, and through
  /// windows.
  @Test(arguments: SeededRandom.batches())
  func randomCommitsAreExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let kinds = FullTextFilterTests.kinds
      let options = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      let schema = FullTextFilterTests.schema(options, count: 30)
      try SmallWorld.run(.memory, schema: schema) { store in
        let query = ["note", "note*", "verve OR book*"].randomElement(using: &random) ?? ""
        let request = Self.request(query)
        let requests = [
          request, request.sectioned(by: \.name.firstLetter),
          request.limit(Int.random(in: 0...6, using: &random))
            .offset(Int.random(in: 0...3, using: &random)),
        ]
        let live = try requests.map { try LiveResults<Label>($0, in: store) }
        for _ in 0..<5 {
          let statements = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            FullTextFilterTests.statement(isExternal: options.contains("content"), &random)
          }
          try store.write { try $0.execute(statements.joined(separator: ";")) }
          for live in live { try live.check() }
        }
        let shown = Self.ids(live[0])
        #expect(try shown == Self.inOrderOfSQLite(query, in: store), "seed \(seed)")
      }
    }
  }
}
