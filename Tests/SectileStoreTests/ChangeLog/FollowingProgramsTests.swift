import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Other programs write to the file, by the rules and past them, while live results follow.
@Suite(.timeLimit(.minutes(60))) struct FollowingProgramsTests {
  private static let schema = """
    CREATE TABLE album (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT UNIQUE, plays INTEGER,
      album REFERENCES album ON DELETE CASCADE);
    INSERT INTO album VALUES (1, 'a'), (2, 'b');
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      SELECT i, char(65 + i % 5), printf('%03d', i), i * 7 % 60, i % 2 + 1 FROM n;
    """

  private static var plan: FetchPlan {
    var plan = FetchPlan(
      table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title", "plays"])
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("plays")]
    return plan
  }

  @Test(arguments: [StorageKind.file, .adoptedQueue])
  func whatProgramsWriteIsFollowedByRow(_ kind: StorageKind) throws {
    let file = try LoggedFile(Self.schema, kind)
    let results = try file.follow(Self.plan)
    try results.expect(.byLog, in: file) {
      try ForeignProgram.shell(
        file.path, "BEGIN;", "REPLACE INTO song VALUES (70, 'Q', '007', 3, 1);",
        "UPDATE song SET plays = plays + 40 WHERE id < 5;", "COMMIT;",
        "DELETE FROM song WHERE id = 9;")
    }
    try results.expect(.byLog, in: file) {
      try ForeignProgram.shell(
        file.path, "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;",
        "DELETE FROM album WHERE id = 1;")
    }
    try results.expect(.byLog, in: file) {
      try ForeignProgram.python(
        file.path, "UPDATE OR REPLACE song SET title = '021' WHERE id = 23",
        "INSERT INTO song VALUES (1, 'P', 'python', 5, 2) ON CONFLICT DO UPDATE SET genre = 'U'",
        "UPDATE song SET id = id + 100 WHERE id BETWEEN 30 AND 33")
    }
    try file.store.commit("DELETE FROM song WHERE plays > 50")
    #expect(try results.problem() == nil)
    try file.close()
  }

  private static let hidden = [
    "UPDATE song SET title = 'hidden' || id WHERE id IN (10, 11)",
    "UPDATE song SET plays = 59 - plays", "DELETE FROM song WHERE id BETWEEN 20 AND 30",
    "INSERT INTO song VALUES (80, 'N', 'new', 4, 1), (81, 'A', 'other', -5, 1)",
    "UPDATE song SET id = id + 200 WHERE id % 3 = 0", "UPDATE song SET genre = 'one'",
    "DELETE FROM song",
  ]

  private func writeUnlogged(_ sql: String, to file: LoggedFile) throws {
    try ForeignProgram.shell(file.path, ".dbconfig enable_trigger off", sql + ";")
  }

  /// A commit of which the log has no word at all is found at once.
  @Test(arguments: hidden)
  func whatIsWrittenWithoutTriggersIsFound(_ sql: String) throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    try results.expect(.resync, in: file, sql) { try writeUnlogged(sql, to: file) }
    try results.expect(.byLog, in: file, sql) {
      try file.other.commit("INSERT INTO song (genre, title) VALUES ('last', 'one')")
    }
    try file.close()
  }

  /// Beside a commit that the log names, it is not seen: the documented hole.
  ///
  /// Nothing ends by it, and whatever reads everything finds it.
  @Test(.withoutInternalChecks, arguments: hidden, [false, true])
  func whatIsHiddenBesideALoggedCommitIsFoundLater(_ sql: String, byLoading: Bool) throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    try writeUnlogged(sql, to: file)
    try file.other.commit("UPDATE album SET name = 'logged' WHERE id = 2")
    try file.store.look()
    #expect(results.results.statistics.resyncCount == 0)
    // Rows that are touched now stand beside others that are not what they were.
    for id in [5, 10, 21, 80, 203, 59] {
      try file.store.write { transaction in
        try transaction.execute("UPDATE song SET plays = plays + 3, genre = 'B' WHERE id = ?", id)
      }
      try file.other.commit(
        "INSERT INTO song (genre, title, plays) VALUES ('C', random(), \(id % 7))")
      try file.store.look()
    }
    if byLoading {
      try results.results.load()
    } else {
      try file.other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try file.store.look()
    }
    #expect(results.recorder.violations == [])
    #expect(results.recorder.verify(against: results.results) == [])
    #expect(try results.recorder.contents == results.fetched())
    try file.close()
  }
}
