import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// What the log does not explain is read again; what it does explain is not, before and after.
@Suite(.timeLimit(.minutes(60))) struct FollowingUnsureCommitsTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL);
    CREATE TABLE label (id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL);
    CREATE TABLE bare (id INTEGER, genre TEXT, title TEXT);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
      SELECT i, char(65 + i % 5), printf('%03d', i * 7 % 90) FROM n;
    INSERT INTO label SELECT * FROM song; INSERT INTO bare SELECT * FROM song;
    """

  private static func plan(_ table: String = "song", key: String = "id") -> FetchPlan {
    let columns = Set([key, "id"]).sorted() + ["genre", "title"]
    var plan = FetchPlan(table: table, keyColumns: [key], itemColumns: columns)
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("title", isDescending: true)]
    return plan
  }

  private static func open(_ path: String) throws -> Store {
    try Store.open(at: path, configuration: SmallWorld.configuration)
  }

  private static let kinds: [StorageKind] = [.file, .adoptedPool, .adoptedQueue]

  @Test(arguments: kinds)
  func aCheckpointOfOthersIsNoChange(_ kind: StorageKind) throws {
    let file = try LoggedFile(Self.schema, kind)
    let results = try file.follow(Self.plan())
    for mode in ["PASSIVE", "FULL", "RESTART", "TRUNCATE"] {
      try results.expect(.byLog, in: file, mode) {
        try file.other.commit("UPDATE song SET title = title || 'a' WHERE id = 5")
      }
      let version = results.results.version
      try results.expect(nil, in: file, mode) {
        try file.other.execute("PRAGMA wal_checkpoint(\(mode))")
      }
      #expect(results.results.version == version)
      // What is committed beside it is not lost.
      try results.expect(.byLog, in: file, mode) {
        try file.other.commit("DELETE FROM song WHERE title LIKE '01%'")
        try file.other.execute("PRAGMA wal_checkpoint(\(mode))")
        try file.other.commit("INSERT INTO song (genre, title) VALUES ('C', '01' || random())")
      }
      try file.store.commit("UPDATE song SET genre = 'Q' WHERE id = 6")
      #expect(try results.problem() == nil)
    }
    try file.close()
  }

  @Test(arguments: kinds)
  func aFollowerThatSleptWhileTheLogWasPrunedReadsAll(_ kind: StorageKind) throws {
    let file = try LoggedFile(Self.schema, kind)
    let results = try file.follow(Self.plan())
    let other = try Self.open(file.path)
    try results.expect(.resync, in: file) {
      for number in 0..<40 {
        try other.write {
          try $0.execute("UPDATE song SET title = title || ? WHERE id = ?", number, number)
        }
      }
      try file.other.commit("DELETE FROM song WHERE id = 40")
      #expect(try other.changeLog.prune(keeping: 5) > 20)
    }
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 1") }
    // What is pruned has been read: nothing is missing.
    try results.expect(.byLog, in: file) {
      try other.commit("DELETE FROM song WHERE id = 2")
    }
    // A note is all there is.
    let version = results.results.version
    #expect(try other.changeLog.prune(keeping: 1) > 0)
    try file.store.look()
    #expect(results.results.version == version)
    try results.expect(nil, in: file) { try file.other.commit("DELETE FROM song WHERE id = 3") }
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 4") }
    try other.close()
    try file.close()
  }

  @Test(arguments: kinds, [false, true])
  func theLogIsSwitchedOnWhileSomebodyFollows(_ kind: StorageKind, byOthers: Bool) throws {
    let file = try LoggedFile(Self.schema, kind, isLogged: false)
    let results = try file.follow(Self.plan())
    let other = try Self.open(file.path)
    // Where the log is known, what others have committed comes by itself.
    func own(_ sql: String, isLogKnown: Bool = true) throws {
      let states = isLogKnown ? [try results.fetched()] : []
      try file.store.commit(sql)
      let problem = try results.problem(after: states + [results.fetched()])
      #expect(problem == nil, "\(sql)")
    }
    try own("UPDATE song SET title = 'own' WHERE id = 1", isLogKnown: false)
    try results.expect(.resync, in: file) { try file.other.commit("DELETE FROM song WHERE id = 2") }
    try file.other.commit("UPDATE song SET genre = 'before' WHERE id = 3")
    let isNew =
      try byOthers ? other.changeLog.enable() : file.store.changeLog.enable(allowsAdopted: true)
    #expect(isNew)
    // Own commits that switch it on publish what was committed before.
    let problem = byOthers ? nil : try results.problem()
    #expect(problem == nil)
    try file.other.commit("UPDATE song SET genre = 'after' WHERE id = 4")
    try own("UPDATE song SET title = 'own' WHERE id = 3", isLogKnown: !byOthers)
    try own("UPDATE song SET title = 'own' WHERE id = 5")
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 6") }
    try own("DELETE FROM song WHERE id IN (3, 4)")
    try results.expect(.byLog, in: file) {
      try other.commit("UPDATE song SET genre = 'Z' WHERE id < 10")
    }
    // And off.
    let isOff = try byOthers ? other.changeLog.disable() : file.store.changeLog.disable()
    #expect(isOff)
    try file.other.commit("UPDATE song SET genre = 'off' WHERE id = 7")
    try own("UPDATE song SET title = 'off' WHERE id = 8", isLogKnown: byOthers)
    try results.expect(.resync, in: file) { try file.other.commit("DELETE FROM song WHERE id = 9") }
    #expect(results.results.token == nil)
    // And on again, while rows are not read yet.
    try file.other.commit("UPDATE song SET genre = 'unread' WHERE id = 10")
    #expect(try other.changeLog.enable())
    try file.other.commit("UPDATE song SET genre = 'again' WHERE id = 11")
    try results.expect(.resync, in: file) {}
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 12") }
    try own("UPDATE song SET title = 'end' WHERE id > 80")
    try other.close()
    try file.close()
  }

  @Test(arguments: kinds)
  func tablesThatAreNotNamedAreReadAnew(_ kind: StorageKind) throws {
    let file = try LoggedFile(Self.schema, kind, tables: ["song"])
    let songs = try file.follow(Self.plan(), "songs")
    let labels = try file.follow(Self.plan("label"), "labels")
    let bare = try file.follow(Self.plan("bare", key: "rowid"), "bare")
    func check(_ sql: String, _ expected: FollowedWay...) throws {
      let all = [songs, labels, bare]
      let before = all.map(\.results.statistics)
      try file.other.commit(sql)
      try file.store.look()
      for (position, results) in all.enumerated() {
        let problem = try results.problem()
        #expect(problem == nil, "\(sql)")
        let way = results.results.statistics.way(since: before[position])
        #expect(way == expected[position], "\(results.name): \(sql)")
      }
    }
    try check("DELETE FROM song WHERE id = 1", .byLog, .resync, .resync)
    try check("UPDATE label SET genre = 'Q' WHERE id < 9", .resync, .resync, .resync)
    try check(
      "DELETE FROM bare WHERE id = 3; DELETE FROM song WHERE id = 3", .byLog, .resync, .resync)
    // From then on it is followed, and the one without a key is not.
    #expect(try file.store.changeLog.enable(tables: ["label"], allowsAdopted: true))
    try check("UPDATE label SET genre = 'R' WHERE id < 9", .untouched, .byLog, .resync)
    try check("UPDATE bare SET genre = 'S'", .resync, .resync, .resync)
    try file.close()
  }

  @Test(arguments: kinds)
  func aLogOfANewerFormatIsNone(_ kind: StorageKind) throws {
    let file = try LoggedFile(Self.schema, kind)
    let results = try file.follow(Self.plan())
    #expect(results.results.token != nil)
    try results.expect(.resync, in: file) {
      try file.other.commit(
        """
        ALTER TABLE sectile_log ADD COLUMN more; UPDATE sectile_log_state SET format = 3;
        DELETE FROM song WHERE id = 1
        """)
    }
    #expect(results.results.token == nil)
    try results.expect(.resync, in: file) { try file.other.commit("DELETE FROM song WHERE id = 2") }
    let isCommit = "SELECT count(*) FROM sectile_log WHERE op = \(LogOperation.commit.rawValue)"
    let count = try file.other.integer(isCommit)
    try file.store.commit("UPDATE song SET title = 'own' WHERE id < 4")
    #expect(try results.problem() == nil)
    #expect(try file.other.integer(isCommit) == count)
    #expect(throws: StoreError.self) { try file.store.changeLog.status() }
    #expect(throws: StoreError.self) { try file.store.changeLog.prune() }
    #expect(try file.store.changeLog.disable())
    #expect(try file.store.changeLog.enable(allowsAdopted: true))
    try results.expect(nil, in: file) { try file.other.commit("DELETE FROM song WHERE id = 5") }
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 6") }
    try file.close()
  }

  /// Results that load next must not hide from others that they have not heard of it yet.
  @Test(arguments: kinds)
  func whatWasReadAndNotPublishedIsReadAgain(_ kind: StorageKind) throws {
    struct Failure: Error {}
    let file = try LoggedFile(Self.schema, kind)
    let results = try file.follow(Self.plan())
    try file.other.commit("UPDATE song SET title = 'x' WHERE id = 1")
    #expect(throws: Failure.self) {
      var hasNews = false
      try file.store.useWriter { db in
        try file.store.commits.catchUp(in: db, hasNews: &hasNews) { _ in throw Failure() }
      }
    }
    let later = try file.follow(Self.plan("label"))
    let problem = try results.problem()
    #expect(problem == nil)
    try results.expect(nil, in: file) { try file.other.commit("DELETE FROM song WHERE id = 2") }
    try later.expect(.byLog, in: file) { try file.other.commit("DELETE FROM label WHERE id = 2") }
    try file.close()
  }

  /// A store that never writes follows by the log, and leaves it as it is.
  @Test func aStoreThatOnlyReadsFollows() throws {
    let file = try LoggedFile(Self.schema)
    var configuration = SmallWorld.configuration
    configuration.isReadOnly = true
    let reader = try Store.open(at: file.path, configuration: configuration)
    let results = try ReplayedResults(Self.plan(), in: reader)
    try reader.look()
    for sql in ["DELETE FROM song WHERE id = 1", "UPDATE song SET genre = 'Q' WHERE id < 9"] {
      let before = results.results.statistics
      try file.other.commit(sql)
      try file.store.commit("UPDATE song SET title = title || 'own' WHERE id = 20")
      let state = try results.fetched()
      try reader.look()
      #expect(try results.problem(after: [state]) == nil, "\(sql)")
      #expect(results.results.statistics.way(since: before) == .byLog)
    }
    #expect(results.results.token != nil)
    try reader.close()
    try file.close()
  }

  /// Somebody does to the log what nobody should.
  @Test(arguments: [
    "DELETE FROM sectile_log",
    "DELETE FROM sectile_log WHERE seq < (SELECT max(seq) FROM sectile_log)",
    "UPDATE sectile_log SET salt = salt + 1", "UPDATE sectile_log SET seq = seq + 1000",
    "UPDATE sectile_log SET seq = -seq",
    "DELETE FROM sectile_log_table", "DELETE FROM sectile_log_state",
    "UPDATE sectile_log_state SET store = randomblob(16)",
    "UPDATE sectile_log_table SET id = id + 50",
    "INSERT INTO sectile_log (tbl, op, k0) VALUES (1, 1, CAST(x'ff' AS TEXT)), (1, 2, NULL), (1, 3, 1e9)",
    "DROP TRIGGER sectile_log_1_update", "DROP TABLE sectile_log_reader",
  ])
  func whoeverMeddlesWithTheLogIsReadAnew(_ meddling: String) throws {
    for isFirst in [false, true] {
      let file = try LoggedFile(Self.schema)
      let results = try file.follow(Self.plan())
      let write =
        "UPDATE song SET title = 'other' WHERE id IN (3, 5); DELETE FROM song WHERE id = 4"
      try results.expect(nil, in: file, meddling) {
        try file.other.commit(isFirst ? "\(meddling); \(write)" : "\(write); \(meddling)")
      }
      for id in 10..<13 {
        try results.expect(nil, in: file, meddling) {
          try file.other.commit("UPDATE song SET title = 'again' WHERE id = \(id)")
        }
        try file.store.write { try $0.execute("DELETE FROM song WHERE id = ?", id + 10) }
        #expect(try results.problem() == nil, "\(meddling)")
      }
      try file.close()
    }
  }

  /// A log that is not there in the end needs no repair: otherwise each look would write.
  @Test func aLogThatWasNotInstalledIsNotRepaired() throws {
    struct Problem: Error {}
    let folder = try TemporaryFolder()
    let store = try Self.open(folder.file("store.sqlite"))
    try store.write { try $0.execute(Self.schema) }
    let results = try store.results(of: Self.plan())
    try results.load()
    #expect(throws: Problem.self) {
      try store.write { transaction in
        _ = try store.commits.log.change(in: transaction.db) { try $0.install(nil) }
        throw Problem()
      }
    }
    for _ in 0..<2 { try store.checkForExternalChanges() }
    #expect(!store.commits.log.mayNeedRepair)
    let count = store.statistics.commitCount
    try store.checkForExternalChanges()
    #expect(store.statistics.commitCount == count)
    try store.close()
  }
}
