import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// A file with a log is copied, dumped and restored: the copy has a log that goes on, and tokens
/// know what became of it.
@Suite(.timeLimit(.minutes(60))) struct LogCopiesTests {
  private static let schema = """
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT UNIQUE);
    CREATE TABLE part (a TEXT, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      SELECT i, char(65 + i % 5), printf('%03d', i) FROM n;
    INSERT INTO part SELECT genre, id, title FROM song;
    """

  private static var plan: FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("title")]
    return plan
  }

  /// How a copy is made.
  enum Copying: CaseIterable { case dump, vacuum, backup, storeBackup }

  private func copy(_ file: LoggedFile, _ copying: Copying) throws -> String {
    let path = file.folder.file("copy.sqlite")
    switch copying {
    case .dump:
      let script = file.folder.file("dump.sql")
      try ForeignProgram.shell(file.path, ".once '\(script)'", ".dump")
      try ForeignProgram.shell(path, ".read '\(script)'")
    case .vacuum: try file.other.execute("VACUUM INTO '\(path)'")
    case .backup: try ForeignProgram.shell(file.path, ".backup '\(path)'")
    case .storeBackup: try file.store.backup(to: path)
    }
    return path
  }

  private static func open(_ path: String) throws -> Store {
    try Store.open(at: path, configuration: SmallWorld.configuration)
  }

  /// What results of a file answer a token.
  private func answer(
    in path: String, since token: ChangeToken
  ) async throws -> SectionedResults<UntypedRow>.Resumed {
    let store = try Self.open(path)
    let results = try store.results(of: Self.plan)
    let resumed = try await results.load(since: token)
    try await store.close()
    return resumed
  }

  private func expectChanges(
    from contents: ReplayedResults.Contents, since token: ChangeToken, in path: String
  ) async throws {
    let store = try Self.open(path)
    let results = try store.results(of: Self.plan)
    guard case .changes(let changes) = try await results.load(since: token) else {
      Issue.record("a reset")
      return
    }
    let reached = try contents.applying(changes)
    let now = try await results.contents()
    #expect(reached.sections == now.sections)
    try await store.close()
  }

  private func reason(in path: String, since token: ChangeToken) async throws -> ResetReason? {
    guard case .reset(let reason) = try await answer(in: path, since: token) else { return nil }
    return reason
  }

  @Test(arguments: Copying.allCases)
  func aCopyHasALogThatGoesOn(_ copying: Copying) async throws {
    let file = try LoggedFile(Self.schema)
    try file.store.commit("UPDATE song SET title = 'a' WHERE id = 1")
    let results = try file.follow(Self.plan)
    let (early, shown) = (try #require(results.results.token), results.shown)
    try file.store.commit("UPDATE song SET title = 'b' WHERE id = 2")
    try file.other.commit("DELETE FROM song WHERE id = 3")
    try file.store.look()
    let path = try copy(file, copying)
    // The original goes on.
    try file.store.commit("UPDATE song SET title = 'c' WHERE id = 4")
    let late = try #require(results.results.token)
    try await expectChanges(from: shown, since: early, in: path)
    #expect(try await reason(in: path, since: late) == .ahead)

    let copied = try Self.open(path)
    let status = try #require(try copied.changeLog.status())
    let broken = status.tables.filter { !$0.isIntact }
    #expect(broken.isEmpty)
    #expect(Set(status.tables.map(\.name)) == ["song", "part"])
    #expect(status.store == (try file.store.changeLog.status())?.store)
    let other = try ForeignConnection(path)
    let replayed = try ReplayedResults(Self.plan, in: copied)
    try copied.look()
    for sql in [
      "REPLACE INTO song VALUES (99, 'A', '010')", "UPDATE song SET id = 98 WHERE id = 5",
      "DELETE FROM song WHERE genre = 'B'",
    ] {
      let before = replayed.results.statistics
      try other.commit(sql)
      try copied.look()
      #expect(try replayed.problem() == nil, "\(sql)")
      #expect(replayed.results.statistics.way(since: before) == .byLog, "\(sql)")
      try copied.commit("UPDATE part SET c = 'own' WHERE b < 9")
    }
    #expect(replayed.results.statistics.resyncCount == 0)
    other.close()
    try await copied.close()
    // It has gone another way than the original since.
    #expect(try await reason(in: path, since: late) == .rewritten)
    try await expectChanges(from: shown, since: early, in: path)
    try file.close()
  }

  /// Restored in place, below a store that follows it.
  @Test(arguments: [false, true])
  func aBackupIsRestoredBelowAFollower(isWrittenOn: Bool) async throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    let (early, shown) = (try #require(results.results.token), results.shown)
    let path = try copy(file, .backup)
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id < 9") }
    try file.store.commit("UPDATE song SET genre = 'Q' WHERE id = 10")
    #expect(try results.problem() == nil)
    let late = try #require(results.results.token)
    try results.expect(.resync, in: file) {
      try ForeignProgram.shell(file.path, ".restore '\(path)'")
      if isWrittenOn {
        for id in 30..<45 {
          try file.other.commit("UPDATE song SET title = 'on' || id WHERE id = \(id)")
        }
      }
    }
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 12") }
    try file.store.commit("UPDATE song SET genre = 'R' WHERE id = 13")
    #expect(try results.problem() == nil)
    let token = try #require(results.results.token)
    let contents = results.shown
    let length = try file.other.integer("SELECT max(seq) FROM sectile_log")
    try file.close()
    #expect(
      try await reason(in: file.path, since: late)
        == (length < Int64(late.place.sequence) ? .ahead : .rewritten))
    try await expectChanges(from: shown, since: early, in: file.path)
    try await expectChanges(from: contents, since: token, in: file.path)
  }
}
