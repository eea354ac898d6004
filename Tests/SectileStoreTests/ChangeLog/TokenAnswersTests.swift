import Dispatch
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// What a token is answered, for every way in which the request and the file may have changed.
@Suite(.timeLimit(.minutes(60))) struct TokenAnswersTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT, plays INTEGER, spare);
    CREATE TABLE tune (id INTEGER PRIMARY KEY, genre TEXT, title TEXT, plays INTEGER);
    CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      SELECT i, char(65 + i % 5), printf('%03d', i), i * 7 % 60, i FROM n;
    """

  private static func plan(_ change: (inout FetchPlan) -> Void = { _ in }) -> FetchPlan {
    var plan = FetchPlan(
      table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title", "plays"])
    plan.filter = SQLFragment("plays > ?", [5])
    plan.section = FetchPlan.Section(
      identity: plan.term("genre"), title: SQLFragment("lower(genre)"))
    plan.sort = [plan.term("title", isDescending: true)]
    change(&plan)
    return plan
  }

  private static func open(_ path: String, isReadOnly: Bool = false) throws -> Store {
    var configuration = SmallWorld.configuration
    configuration.isReadOnly = isReadOnly
    return try Store.open(at: path, configuration: configuration)
  }

  /// A token, and what was shown with it.
  private struct Point {
    let token: ChangeToken
    let contents: ReplayedResults.Contents
  }

  private func point(in store: Store, _ plan: FetchPlan) throws -> Point {
    let results = try ReplayedResults(plan, in: store)
    return Point(token: try #require(results.results.token), contents: results.shown)
  }

  /// Returns the reason of a reset; nil where changes came, which are applied and compared.
  private func reason(
    in path: String, since point: Point, _ plan: FetchPlan = plan(), _ label: String = "",
    isReadOnly: Bool = false
  ) async throws -> ResetReason? {
    let store = try Self.open(path, isReadOnly: isReadOnly)
    let results = try store.results(of: plan)
    let resumed = try await results.load(since: point.token)
    let now = try await results.contents()
    try await store.close()
    switch resumed {
    case .reset(let reason): return reason
    case .changes(let changes):
      let reached = try point.contents.applying(changes)
      #expect(reached.sections == now.sections, "\(label)")
      return nil
    }
  }

  private static let others: [(name: String, change: @Sendable (inout FetchPlan) -> Void)] = [
    ("value", { $0.filter = SQLFragment("plays > ?", [6]) }),
    ("kind of value", { $0.filter = SQLFragment("plays > ?", ["5"]) }),
    ("filter", { $0.filter = nil }), ("no sort", { $0.sort = [] }),
    ("ascending", { $0.sort[0].isDescending = false }),
    ("collation", { $0.sort[0].collation = .nocase }),
    ("nulls", { $0.sort[0].nullOrder = .first }),
    ("another sort", { $0.sort.append($0.term("plays")) }), ("no section", { $0.section = nil }),
    ("title", { $0.section?.title = nil }),
    ("order of sections", { $0.section?.identity.isDescending = true }),
    ("fixed sections", { $0.section?.fixedSections = ["A", "B", "C", "D", "E"] }),
    ("fewer columns", { $0.itemColumns.removeLast() }),
    ("more columns", { $0.itemColumns.append("spare") }), ("limit", { $0.limit = 50 }),
    ("offset", { $0.offset = 1 }),
  ]

  @Test func everyOtherRequestIsAReset() async throws {
    let file = try LoggedFile(Self.schema)
    let point = try point(in: file.store, Self.plan())
    try file.close()
    for (name, change) in Self.others {
      let other = Self.plan(change)
      #expect(
        try await reason(in: file.path, since: point, other, name) == .otherRequest, "\(name)")
    }
    // How much is read at a time is nobody's business.
    #expect(try await reason(in: file.path, since: point, Self.plan { $0.batchSize = 7 }) == nil)
    let bare = Point(
      token: ChangeToken(place: point.token.place), contents: point.contents)
    #expect(try await reason(in: file.path, since: bare) == .otherRequest)
  }

  @Test func aTokenOfAWindowIsNotByKey() async throws {
    for change: @Sendable (inout FetchPlan) -> Void in [{ $0.limit = 5 }, { $0.offset = 3 }] {
      let file = try LoggedFile(Self.schema)
      let plan = Self.plan(change)
      let point = try point(in: file.store, plan)
      try file.close()
      #expect(try await reason(in: file.path, since: point, plan) == .notByKey)
      #expect(try await reason(in: file.path, since: point) == .otherRequest)
    }
  }

  /// What becomes of a file, and what the answer is: at once, and after the next commit of a store,
  /// which puts the log in order.
  private static let fates: [(sql: String, atOnce: ResetReason?, later: ResetReason?)] = [
    ("UPDATE song SET plays = plays + 3 WHERE id % 4 = 0", nil, nil),
    ("DELETE FROM song; INSERT INTO song VALUES (1, 'Q', 'q', 9, 0)", nil, nil),
    (
      "REPLACE INTO song (id, genre, title, plays) VALUES (5, 'A', 'z', 1), (70, 'B', 'y', 7)", nil,
      nil
    ),
    ("UPDATE song SET id = 61 - id WHERE false; UPDATE song SET id = id + 100", nil, nil),
    ("PRAGMA wal_checkpoint(TRUNCATE)", nil, nil), ("VACUUM", nil, nil), ("REINDEX", nil, nil),
    ("ALTER TABLE song ADD COLUMN more DEFAULT 5", nil, nil),
    ("ALTER TABLE song DROP COLUMN spare", nil, nil),
    ("ALTER TABLE song RENAME COLUMN spare TO more", nil, nil),
    ("CREATE INDEX song_title ON song (title)", nil, nil), ("DROP TABLE label", nil, nil),
    ("CREATE TABLE more (id INTEGER PRIMARY KEY)", nil, nil),
    // Its rows are told apart by the key already.
    ("CREATE UNIQUE INDEX song_unique ON song (title, id)", nil, nil),
    ("CREATE UNIQUE INDEX song_title ON song (title)", .noLog, .otherEpoch),
    (
      """
      CREATE TABLE next (id INTEGER PRIMARY KEY, genre TEXT, title TEXT, plays INTEGER);
      INSERT INTO next SELECT id, genre, title, plays + 1 FROM song;
      DROP TABLE song; ALTER TABLE next RENAME TO song
      """, .noLog, .otherEpoch
    ),
    (
      """
      DROP TABLE song;
      CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT, plays INTEGER)
      """, .noLog, .otherEpoch
    ),
    (
      """
      ALTER TABLE song RENAME TO away; ALTER TABLE tune RENAME TO song; ALTER TABLE away RENAME TO tune
      """, .noLog, .otherEpoch
    ),
    ("DROP TRIGGER sectile_log_N_update", .noLog, .otherEpoch),
    ("UPDATE sectile_log_state SET format = 3", .noLog, .noLog),
    ("UPDATE sectile_log_state SET epoch = epoch + 1", .otherEpoch, .otherEpoch),
    ("UPDATE sectile_log_state SET store = zeroblob(16)", .otherStore, .otherStore),
    ("UPDATE sectile_log SET salt = salt + 1", .rewritten, .rewritten),
    // Emptied, and at the same number again: the salt tells.
    ("DELETE FROM sectile_log", .ahead, .rewritten),
    (
      """
      INSERT INTO song (genre, title, plays) WITH RECURSIVE n (i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10002) SELECT 'N', i, 9 FROM n
      """, .tooMany, .tooMany
    ),
  ]

  @Test(arguments: fates.indices)
  func everyFateOfTheFileIsAnswered(_ fateNumber: Int) async throws {
    let fate = Self.fates[fateNumber]
    let file = try LoggedFile(Self.schema)
    try file.store.commit("UPDATE song SET plays = 30 WHERE id = 1")
    let point = try point(in: file.store, Self.plan())
    let number = try file.other.integer("SELECT id FROM sectile_log_table WHERE name = 'song'")
    try await file.store.close()
    try file.other.execute(fate.sql.replacing("_N_", with: "_\(number)_"))
    // Who only reads repairs nothing.
    let atOnce = try await reason(
      in: file.path, since: point, Self.plan(), fate.sql, isReadOnly: true)
    #expect(atOnce == fate.atOnce, "\(fate.sql)")
    let store = try Self.open(file.path)
    try store.commit("UPDATE song SET title = title || '!' WHERE id < 9")
    try await store.close()
    let later = try await reason(in: file.path, since: point, Self.plan(), fate.sql)
    #expect(later == fate.later, "\(fate.sql)")
    file.other.close()
  }

  @Test func theLastRowThatWasPrunedIsEnough() async throws {
    let file = try LoggedFile(Self.schema)
    try file.store.commit("UPDATE song SET plays = 30 WHERE id = 1")
    let point = try point(in: file.store, Self.plan())
    for id in 2..<9 { try file.other.commit("UPDATE song SET plays = 2 WHERE id = \(id)") }
    let sequence = Int(point.token.place.sequence)
    func head() throws -> Int { Int(try file.other.integer("SELECT max(seq) FROM sectile_log")) }
    try file.store.changeLog.prune(keeping: head() - sequence)
    #expect(try file.other.integer("SELECT min(seq) FROM sectile_log") == Int64(sequence + 1))
    #expect(try await reason(in: file.path, since: point) == nil)
    try file.store.changeLog.prune(keeping: head() - sequence - 1)
    #expect(try await reason(in: file.path, since: point) == .pruned)
    try file.close()
  }

  /// Where callbacks are made somewhere else, a load is not over when it has been asked for.
  @Test(arguments: [StorageKind.file, .adoptedQueue])
  func theAnswerWaitsForTheLoad(_ kind: StorageKind) async throws {
    let file = try LoggedFile(Self.schema, kind)
    let point = try point(in: file.store, Self.plan())
    try file.other.commit("UPDATE song SET plays = 50 WHERE id < 20")
    let queue = DispatchQueue(label: "callbacks")
    let late = CallbackDelivery { job in
      queue.asyncAfter(deadline: .now() + .milliseconds(200)) { job() }
    }
    for delivery in [CallbackDelivery.immediate, .mainActor, late] {
      let results = try file.store.results(of: Self.plan(), delivery: delivery)
      guard case .changes(let changes) = try await results.load(since: point.token) else {
        Issue.record("a reset")
        continue
      }
      let reached = try point.contents.applying(changes)
      let now = try await results.contents()
      #expect(reached.sections == now.sections)
    }
    let broken = try file.store.results(of: Self.plan { $0.filter = SQLFragment("nothing > 0") })
    await #expect(throws: StoreError.self) { _ = try await broken.load(since: point.token) }
    try file.close()
  }

  @Test func aTableThatIsNotFollowedHasNoLog() async throws {
    let file = try LoggedFile(Self.schema, tables: ["label"])
    let point = try point(in: file.store, Self.plan())
    #expect(try await reason(in: file.path, since: point) == .noLog)
    // From here on it is, but not from where the token was: nothing moved the log meanwhile.
    try file.other.commit("DELETE FROM song WHERE id = 29")
    #expect(try file.store.changeLog.enable())
    #expect(try await reason(in: file.path, since: point) == .otherEpoch)
    let next = try self.point(in: file.store, Self.plan())
    try file.other.commit("DELETE FROM song WHERE id = 30")
    #expect(try await reason(in: file.path, since: next) == nil)
    // Off and on: another log.
    #expect(try file.store.changeLog.disable())
    #expect(try await reason(in: file.path, since: next) == .noLog)
    #expect(try file.store.changeLog.enable())
    #expect(try await reason(in: file.path, since: next) == .otherStore)
    try file.close()
  }
}
