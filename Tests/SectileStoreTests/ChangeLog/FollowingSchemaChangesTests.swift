import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Others change the schema while live results follow by the log: what that leaves in doubt is read
/// again, and the next commit of a store puts the triggers in order.
@Suite(.timeLimit(.minutes(60))) struct FollowingSchemaChangesTests {
  private static let schema = """
    CREATE TABLE song (
      id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL UNIQUE, extra, spare);
    CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT);
    CREATE INDEX song_on_genre ON song (genre);
    INSERT INTO song WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
      SELECT i, char(65 + i % 5), printf('%03d', i), i % 10, i FROM n;
    INSERT INTO label VALUES (1, 'Verve'), (2, 'Stax');
    """

  private static var plan: FetchPlan {
    var plan = FetchPlan(table: "song", keyColumns: ["id"], itemColumns: ["id", "genre", "title"])
    plan.section = FetchPlan.Section(identity: plan.term("genre"))
    plan.sort = [plan.term("title", isDescending: true)]
    return plan
  }

  /// The table made anew as SQLite's manual says, with other columns.
  private static func rebuilt(_ columns: String, _ options: String = "") -> String {
    """
    CREATE TABLE next (\(columns)) \(options);
    INSERT INTO next (id, genre, title) SELECT id, genre, title FROM song;
    DROP TABLE song; ALTER TABLE next RENAME TO song
    """
  }

  private static let statements = [
    "ALTER TABLE song DROP COLUMN spare", "ALTER TABLE song ADD COLUMN year INTEGER DEFAULT 1999",
    "ALTER TABLE song RENAME COLUMN extra TO more", "ALTER TABLE label RENAME TO company",
    "ALTER TABLE label RENAME COLUMN id TO number",
    "CREATE UNIQUE INDEX song_extra ON song (extra, title)",
    "CREATE INDEX song_title ON song (title)",
    "CREATE UNIQUE INDEX song_upper ON song (upper(title)) WHERE id > 3",
    "CREATE UNIQUE INDEX song_folded ON song (title COLLATE NOCASE)", "DROP INDEX song_on_genre",
    "CREATE TABLE more (id INTEGER PRIMARY KEY)", "DROP TABLE label", "REINDEX", "ANALYZE",
    "CREATE VIEW all_songs AS SELECT * FROM song",
    """
    CREATE TRIGGER counted AFTER UPDATE OF title ON song BEGIN
      UPDATE song SET genre = 'T' WHERE id = NEW.id + 1;
    END
    """,
    "ALTER TABLE song RENAME TO tune; ALTER TABLE tune RENAME TO song",
    rebuilt("id INTEGER PRIMARY KEY, genre TEXT NOT NULL, title TEXT NOT NULL UNIQUE"),
    rebuilt("title TEXT, spare, genre TEXT DEFAULT 'x', id INTEGER PRIMARY KEY, extra"),
    rebuilt("id INTEGER PRIMARY KEY, genre TEXT, title TEXT, extra", "WITHOUT ROWID"),
    rebuilt("id INT PRIMARY KEY, genre TEXT, title TEXT, UNIQUE (genre, title)"),
    rebuilt("id INTEGER PRIMARY KEY, genre TEXT, title TEXT COLLATE NOCASE, extra ANY", "STRICT"),
    """
    DROP TABLE song; CREATE TABLE song (id INTEGER PRIMARY KEY, genre TEXT, title TEXT UNIQUE);
    INSERT INTO song VALUES (5, 'A', 'anew'), (200, 'B', 'two')
    """,
  ]

  /// What happens between the change and the next commit of the store.
  private enum Noticing: CaseIterable { case look, ownCommit, ownFailure, writesBetween }

  @Test(arguments: statements)
  func whatOthersChangeIsFollowed(_ sql: String) throws {
    for noticing in Noticing.allCases {
      let file = try LoggedFile(Self.schema)
      let results = try file.follow(Self.plan)
      let label = "\(noticing) after \(sql)"
      try file.other.commit("UPDATE song SET title = 'before' WHERE id = 1")
      try file.other.commit(sql)
      switch noticing {
      case .look: try results.expect(sql == "REINDEX" ? .byLog : .resync, in: file, label) {}
      case .ownCommit: break
      case .ownFailure:
        try? file.store.write { transaction in
          try transaction.execute("DELETE FROM song WHERE id < 10")
          throw CancellationError()
        }
        #expect(try results.problem() == nil, "\(label)")
      case .writesBetween:
        try file.other.commit("UPDATE song SET title = 'between' WHERE id = 5")
        try results.expect(sql == "REINDEX" ? .byLog : .resync, in: file, label) {}
        try results.expect(nil, in: file, label) {
          try file.other.commit("UPDATE OR REPLACE song SET title = '013' WHERE id = 12")
        }
      }
      let states = [try results.fetched()]
      try file.store.commit("UPDATE song SET genre = 'own' WHERE id = 5")
      #expect(try results.problem(after: states + [results.fetched()]) == nil, "\(label)")
      let status = try #require(try file.store.changeLog.status())
      let broken = status.tables.filter { !$0.isIntact }
      #expect(broken.isEmpty, "\(label)")
      #expect(status.tables.contains { $0.name.lowercased() == "song" }, "\(label)")
      for sql in [
        "INSERT OR REPLACE INTO song (id, genre, title) VALUES (5, 'R', '033')",
        "UPDATE OR REPLACE song SET title = '040' WHERE id = 41",
        "UPDATE song SET id = id + 1000 WHERE id IN (5, 50)", "DELETE FROM song WHERE id = 60",
      ] {
        try results.expect(nil, in: file, "\(sql), \(label)") { try file.other.commit(sql) }
      }
      try results.expect(.byLog, in: file, label) {
        try file.other.commit("INSERT INTO song (id, genre, title) VALUES (500, 'Z', 'last')")
      }
      try file.close()
    }
  }

  /// The store changes the schema itself, and what it does to the rows by the way.
  @Test(arguments: statements)
  func whatTheStoreChangesIsFollowed(_ sql: String) throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    try file.other.commit("UPDATE song SET title = 'before' WHERE id = 1")
    let states = [try results.fetched()]
    try file.store.commit("\(sql); UPDATE song SET title = 'own' || title WHERE id = 5")
    let problem = try results.problem(after: states + [results.fetched()])
    #expect(problem == nil, "\(sql)")
    let broken = try #require(try file.store.changeLog.status()).tables.filter { !$0.isIntact }
    #expect(broken.isEmpty, "\(sql)")
    try results.expect(.byLog, in: file, sql) {
      try file.other.commit("INSERT OR REPLACE INTO song (id, genre, title) VALUES (5, 'R', '033')")
    }
    try file.close()
  }

  /// The rows are others, and no row was touched: the table is another one.
  @Test func aTableThatTheStoreMakesAnewIsReadAnew() throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    try file.store.commit(
      """
      CREATE TABLE next (genre TEXT, title TEXT UNIQUE, id INTEGER PRIMARY KEY);
      INSERT INTO next SELECT genre || '!', title || '?', id FROM song WHERE id > 2;
      DROP TABLE song; ALTER TABLE next RENAME TO song
      """)
    let problem = try results.problem()
    #expect(problem == nil)
    #expect(results.results.numberOfItems == 88)
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 5") }
    try file.close()
  }

  @Test func aVacuumOfOthersIsNoChange() throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    let version = results.results.version
    try file.other.execute("VACUUM")
    try file.store.look()
    #expect(try results.problem() == nil)
    #expect(results.results.version == version)
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 4") }
    try file.close()
  }

  @Test func aTableThatIsRenamedAwayAndBackIsFollowedOn() throws {
    let file = try LoggedFile(Self.schema)
    let results = try file.follow(Self.plan)
    results.recorder.allowFailures()
    let version = results.results.version
    try file.other.commit("ALTER TABLE song RENAME TO tune; DELETE FROM tune WHERE id = 1")
    try file.store.look()
    try file.store.commit("UPDATE tune SET title = 'tune' WHERE id = 2")
    try file.other.commit("DELETE FROM tune WHERE id = 3")
    try file.store.look()
    #expect(results.results.version == version)
    #expect(results.results.token == nil)
    results.recorder.reset()
    try file.other.commit("ALTER TABLE tune RENAME TO song")
    try file.store.look()
    #expect(try results.problem() == nil)
    #expect(results.results.version == version + 1)
    try file.store.commit("UPDATE song SET title = 'song' WHERE id = 2")
    #expect(try results.problem() == nil)
    try results.expect(.byLog, in: file) { try file.other.commit("DELETE FROM song WHERE id = 4") }
    try file.close()
  }

  /// What was called so is another table now, which the log knows by another number.
  @Test func twoTablesThatChangePlacesAreFollowed() throws {
    let file = try LoggedFile(
      Self.schema + """
        CREATE TABLE tune (id INTEGER PRIMARY KEY, genre TEXT, title TEXT);
        INSERT INTO tune VALUES (1, 'T', 'one'), (2, 'T', 'two');
        """)
    let results = try file.follow(Self.plan)
    let swap = """
      ALTER TABLE song RENAME TO away; ALTER TABLE tune RENAME TO song; ALTER TABLE away RENAME TO tune
      """
    for _ in 0..<2 {
      try results.expect(.resync, in: file) { try file.other.commit(swap) }
      try results.expect(nil, in: file) {
        try file.other.commit(
          "UPDATE song SET title = title || 'x' WHERE id = 2; DELETE FROM tune WHERE id = 1")
      }
      try file.store.commit("UPDATE song SET genre = 'own' WHERE id < 4")
      #expect(try results.problem() == nil)
      try results.expect(.byLog, in: file) {
        try file.other.commit("UPDATE song SET title = title || 'y' WHERE id < 3")
      }
    }
    try file.close()
  }
}
