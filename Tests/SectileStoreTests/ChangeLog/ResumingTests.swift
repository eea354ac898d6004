import GRDB
import SectileCore
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// What happened since a token, by the change log.
@Suite(.timeLimit(.minutes(60))) struct ResumingTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL);
    CREATE TABLE other (id INTEGER PRIMARY KEY, song INTEGER);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      SELECT i, char(65 + i % 5), printf('%03d', i * 7 % 60) FROM n
    """

  private static func plan(_ filter: String? = nil) -> FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.section = FetchPlan.Section(
      identity: FetchPlan.SortTerm(expression: SQLFragment("\"song\".\"genre\"")))
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("\"song\".\"title\""))]
    plan.filter = filter.map { SQLFragment($0) }
    return plan
  }

  private static func open(_ path: String) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    return try Store.open(at: path, configuration: configuration)
  }

  /// Runs a closure with the path of a file that has a log, and what a client had of it.
  private func withLog(
    _ plan: FetchPlan = plan(),
    _ body: (String, ChangeToken, SectionedContents<UntypedRow.ID, UntypedRow>) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("songs.sqlite")
    let store = try Self.open(path)
    try await store.write { try $0.execute(Self.schema) }
    try store.changeLog.enable()
    let results = try store.results(of: plan)
    #expect(results.token == nil)
    try await results.load()
    let token = try #require(results.token)
    let contents = try await results.contents()
    try await store.close()
    try await body(path, token, contents)
    withExtendedLifetime(folder) {}
  }

  /// What the answer is in a new process.
  private func answer(
    at path: String, since token: ChangeToken, _ plan: FetchPlan = plan()
  ) async throws -> (
    SectionedResults<UntypedRow>.Resumed, SectionedContents<UntypedRow.ID, UntypedRow>
  ) {
    let store = try Self.open(path)
    let results = try store.results(of: plan)
    let resumed = try await results.load(since: token)
    let contents = try await results.contents()
    try await store.close()
    return (resumed, contents)
  }

  private func write(_ sql: String, to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func expectReset(
    _ reason: ResetReason, at path: String, since token: ChangeToken, _ plan: FetchPlan = plan()
  ) async throws {
    let resumed = try await answer(at: path, since: token, plan).0
    guard case .reset(let found) = resumed else {
      Issue.record("no reset: \(resumed)")
      return
    }
    #expect(found == reason)
  }

  @Test(arguments: 1...8)
  func changesByKeyLeadToTheContentsNow(seed: UInt64) async throws {
    try await withLog { path, token, contents in
      var random = SeededRandom(seed: seed)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let id = Int.random(in: 1...80, using: &random)
        let statements = [
          "DELETE FROM song WHERE id = \(id)",
          "INSERT OR REPLACE INTO song VALUES (\(id), 'Z', '\(id)')",
          "UPDATE song SET title = 'new' || id WHERE id = \(id)",
          "UPDATE song SET genre = 'B' WHERE id % 10 = \(id % 10)",
          "UPDATE OR REPLACE song SET id = id + 100 WHERE id = \(id)",
          "DELETE FROM song WHERE genre = '\(["A", "B", "C"].randomElement(using: &random) ?? "A")'",
        ]
        try write(statements.randomElement(using: &random) ?? "", to: path)
      }
      let (resumed, now) = try await answer(at: path, since: token)
      guard case .changes(let changes) = resumed else {
        Issue.record("\(resumed)")
        return
      }
      let reached = try contents.applying(changes)
      #expect(reached.sections == now.sections)
    }
  }

  @Test func nothingHappened() async throws {
    try await withLog { path, token, _ in
      guard case .changes(let changes) = try await answer(at: path, since: token).0 else {
        Issue.record("a reset")
        return
      }
      #expect(changes.deletes.isEmpty && changes.upserts.isEmpty)
    }
  }

  @Test func otherRequestsAreReset() async throws {
    try await withLog { path, token, _ in
      try await expectReset(.otherRequest, at: path, since: token, Self.plan("title > '010'"))
      var plan = Self.plan()
      plan.sort = []
      try await expectReset(.otherRequest, at: path, since: token, plan)
      plan = Self.plan()
      plan.section = nil
      try await expectReset(.otherRequest, at: path, since: token, plan)
      plan = Self.plan()
      plan.itemColumns = ["id", "genre"]
      try await expectReset(.otherRequest, at: path, since: token, plan)
    }
  }

  @Test(arguments: [
    "EXISTS (SELECT 1 FROM other WHERE song = song.id)", "title < datetime('now')",
    "random() <> song.id + 0.5",
  ])
  func whatKeysDoNotTellIsReset(filter: String) async throws {
    try await withLog(Self.plan(filter)) { path, token, _ in
      try await expectReset(.notByKey, at: path, since: token, Self.plan(filter))
    }
    var limited = Self.plan()
    limited.limit = 10
    try await withLog(limited) { path, token, _ in
      try await expectReset(.notByKey, at: path, since: token, limited)
    }
  }

  @Test func whatBecomesOfTheFileIsNoticed() async throws {
    try await withLog { path, token, _ in
      let backup = path + ".backup"
      try write("VACUUM INTO '\(backup)'", to: path, inTransaction: false)
      // A copy goes on from where the file was.
      guard case .changes = try await answer(at: backup, since: token).0 else {
        Issue.record("a reset in the copy")
        return
      }
      try write("UPDATE song SET title = 'x' WHERE id = 3", to: path)
      let store = try Self.open(path)
      let results = try store.results(of: Self.plan())
      try await results.load()
      let later = try #require(results.token)
      try await store.close()
      // Restored: the token is ahead. Restored and written on: something else is there.
      try await expectReset(.ahead, at: backup, since: later)
      try write("UPDATE song SET title = 'y' WHERE id = 4", to: backup)
      try await expectReset(.rewritten, at: backup, since: later)
      // The table was rebuilt.
      try write(
        """
        CREATE TABLE next (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL);
        INSERT INTO next SELECT * FROM song; DROP TABLE song; ALTER TABLE next RENAME TO song
        """, to: path)
      let again = try Self.open(path)
      try await again.write { try $0.execute("UPDATE song SET title = 'z' WHERE id = 5") }
      #expect(try again.changeLog.status()?.tables.allSatisfy(\.isIntact) == true)
      try await again.close()
      try await expectReset(.otherEpoch, at: path, since: later)
    }
  }

  @Test func aPrunedOrRemovedLogIsNoticed() async throws {
    try await withLog { path, token, _ in
      let store = try Self.open(path)
      for _ in 0..<30 {
        try await store.write {
          try $0.execute("UPDATE song SET title = title || 'a' WHERE id < 9")
        }
      }
      #expect(try store.changeLog.prune(keeping: 10) > 100)
      try await store.close()
      try await expectReset(.pruned, at: path, since: token)
      let other = try Self.open(path)
      #expect(try other.changeLog.disable())
      try await other.close()
      try await expectReset(.noLog, at: path, since: token)
      let third = try Self.open(path)
      try third.changeLog.enable()
      try await third.close()
      try await expectReset(.otherStore, at: path, since: token)
    }
  }

  @Test func tokensAreTexts() throws {
    let place = LogPlace(store: .max - 5, epoch: 1, sequence: 300, salt: .max)
    for token in [ChangeToken(place: place), ChangeToken(place: place, request: 7)] {
      #expect(ChangeToken(token.description) == token)
      #expect(ChangeToken(String(token.description.dropLast())) == nil)
      #expect(ChangeToken(token.description + "A") == nil)
    }
    for text in ["", "A", "AAAA", "…", String(repeating: "A", count: 500)] {
      #expect(ChangeToken(text) == nil)
    }
  }

  /// Runs a statement that cannot be in a transaction.
  private func write(_ sql: String, to path: String, inTransaction: Bool) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}
