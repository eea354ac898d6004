import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// The change log compared with itself, and with the data.
@Suite(.timeLimit(.minutes(60))) struct ChangeLogVerificationTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.open(at: folder.file("store.sqlite"))
    try store.write {
      try $0.execute(
        """
        CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT UNIQUE);
        CREATE TABLE word (text TEXT COLLATE NOCASE, n, PRIMARY KEY (text, n));
        CREATE TABLE loose (x);
        """)
    }
    try store.changeLog.enable()
    try store.write {
      try $0.execute(
        """
        INSERT INTO song VALUES (1, 'a'), (2, 'b'), (3, 'c');
        INSERT INTO word VALUES ('X', 1), ('y', 1.5), (NULL, 1), (CAST(x'ff' AS TEXT), 2);
        """)
    }
  }

  private func findings(limit: Int = 100) throws -> ChangeLogFindings {
    try #require(try store.verifyChangeLog(limit: limit))
  }

  /// Writes past the log's triggers.
  private func writeUnseen(_ sql: String) throws {
    let connection = try InspectionConnection(
      path: folder.file("store.sqlite"), access: .readWrite)
    connection.setTriggers(false)
    try connection.run(sql) { _ in }
  }

  @Test func nothingIsWrongWithALogThatEverybodyKept() throws {
    try store.write {
      try $0.execute(
        """
        INSERT OR REPLACE INTO song VALUES (9, 'a'); UPDATE song SET id = 20 WHERE id = 2;
        DELETE FROM word WHERE n = 1; INSERT INTO word VALUES ('x', 1);
        UPDATE word SET n = 1.0 WHERE n = 1; DELETE FROM song WHERE id = 3; INSERT INTO song VALUES (3, 'd');
        """)
    }
    let findings = try findings()
    #expect(findings.problems.isEmpty)
    #expect(findings.notes.isEmpty)
    #expect(findings.tableCount == 2)
    // 1, 2, 3, 9, 20; and X, x, x as a real, y, and what is not UTF-8.
    #expect(findings.keyCount == 10)
    try store.changeLog.prune(keeping: 3)
    #expect(try self.findings().problems.isEmpty)
  }

  @Test func withoutALogThereIsNothingToCompare() throws {
    try store.changeLog.disable()
    #expect(try store.verifyChangeLog(limit: 10) == nil)
  }

  @Test func whatContradictsTheLogIsFound() throws {
    try store.write { try $0.execute("DELETE FROM song WHERE id = 3") }
    try writeUnseen(
      """
      DELETE FROM song WHERE id = 1; INSERT INTO song VALUES (3, 'q');
      UPDATE word SET text = 'Y' WHERE text = 'y';
      """)
    let problems = try findings().problems
    #expect(problems.count == 3)
    #expect(problems.contains { $0.hasPrefix("song 1 is not there, and was written last by row ") })
    #expect(problems.contains { $0.hasPrefix("song 3 is there, and was deleted last by row ") })
    #expect(problems.contains { $0.hasPrefix("word 'y', 1.5 is not there, ") })
    #expect(try findings(limit: 2).problems.count == 2)
  }

  @Test func whatContradictsNothingIsNotFound() throws {
    try writeUnseen(
      "UPDATE song SET title = 'other' WHERE id = 1; INSERT INTO song VALUES (77, 'x')")
    #expect(try findings().problems.isEmpty)
  }

  @Test func triggersThatAreAwayAreFoundUntilAStoreMakesThem() throws {
    let connection = try InspectionConnection(
      path: folder.file("store.sqlite"), access: .readWrite)
    try connection.run("DROP TRIGGER sectile_log_1_delete; DELETE FROM song WHERE id = 2") { _ in }
    let problems = try findings().problems
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("the triggers of song are not those that it needs") == true)
    try store.write { try $0.execute("INSERT INTO loose VALUES (1)") }
    // What is before the row that says "anything may have changed" is not compared.
    #expect(try findings().problems.isEmpty)
  }

  @Test func tablesThatAreGoneOrNewAreNotes() throws {
    let connection = try InspectionConnection(
      path: folder.file("store.sqlite"), access: .readWrite)
    try connection.run("DROP TABLE song") { _ in }
    var findings = try findings()
    #expect(findings.problems.isEmpty)
    #expect(findings.notes == ["song is gone; the next commit of a store takes note of it"])
    try store.write { try $0.execute("INSERT INTO loose VALUES (1)") }
    try connection.run("CREATE TABLE late (id INTEGER PRIMARY KEY)") { _ in }
    findings = try self.findings()
    #expect(findings.problems.isEmpty)
    #expect(
      findings.notes == ["there are new tables, which the next commit of a store will follow"])
  }

  @Test(arguments: [
    ("DELETE FROM sectile_log WHERE seq = 3", "rows after 0 that are missing: 1"),
    ("DELETE FROM sectile_log", "the log is empty"),
    ("UPDATE sectile_log SET salt = NULL WHERE seq = 2", "rows without a salt: 1"),
    ("UPDATE sectile_log_state SET pruned_to = 4, pruned_salt = 1", "row 1 is there"),
    (
      "INSERT INTO sectile_log_reader VALUES ('r', 900, '2026-01-01')",
      "the reader r has read up to 900"
    ),
    ("UPDATE sectile_log_table SET since = 900 WHERE id = 1", "song is followed from row 900 on"),
    ("UPDATE sectile_log SET k3 = 99 WHERE op = 5", "commits that do not say where they begin: "),
    (
      "CREATE TRIGGER sectile_log_9_insert AFTER INSERT ON loose BEGIN SELECT 1; END",
      "the trigger sectile_log_9_insert of loose is for a table"
    ),
  ])
  func aLogThatSomebodyChangedIsFound(sql: String, problem: String) throws {
    try writeUnseen(sql)
    let problems = try findings().problems
    #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
  }

  @Test func tablesThatTriggersWriteToAreNotCompared() throws {
    try store.write {
      try $0.execute(
        """
        CREATE TRIGGER own AFTER INSERT ON song WHEN NEW.id > 50
          BEGIN DELETE FROM song WHERE id = NEW.id; END;
        """)
    }
    try store.write { try $0.execute("INSERT INTO song VALUES (60, 'gone')") }
    let findings = try findings()
    #expect(findings.problems.isEmpty)
    #expect(findings.notes.count == 1)
    #expect(findings.notes.first?.hasPrefix("the rows of song are not compared") == true)
    #expect(findings.keyCount == 3)
  }

  /// Random tables and statements with all conflict verbs, cascades and triggers: whatever they do,
  /// the data does not contradict what the triggers have logged; and where a row goes unseen, it
  /// does.
  @Test(arguments: SeededRandom.batches(debug: 20, release: 100, of: 5))
  func randomStatementsContradictNothing(seeds: Range<UInt64>) throws {
    var (keyCount, unseenCount) = (0, 0)
    for seed in seeds {
      let store = try Store.open(at: folder.file("random-\(seed).sqlite"))
      var schema = LogRandomSchema(random: SeededRandom(seed: seed))
      for sql in schema.statements { try? store.write { try $0.execute(sql) } }
      try store.changeLog.enable()
      for number in 0..<60 {
        let sql = number == 30 ? schema.uniqueIndex() : schema.statement()
        try? store.write { try $0.execute(sql) }
      }
      let findings = try #require(try store.verifyChangeLog(limit: 5))
      #expect(findings.problems.isEmpty, "seed \(seed): \(schema.statements)")
      keyCount += findings.keyCount
      if try deleteUnseen(in: store, "random-\(seed).sqlite", schema) {
        unseenCount += 1
        #expect(try store.verifyChangeLog(limit: 5)?.problems.count == 1, "seed \(seed)")
      }
      try store.close()
    }
    // Otherwise nothing was tried.
    #expect(keyCount > 0)
    if seeds == 0..<5 { #expect(unseenCount > 0) }
  }

  /// Deletes a row whose key was compared; returns whether there is one.
  private func deleteUnseen(
    in store: Store, _ file: String, _ schema: LogRandomSchema
  ) throws -> Bool {
    let status = try #require(try store.changeLog.status())
    for table in status.tables where table.keys.count == 1 && table.isIntact {
      let notes = try #require(try store.verifyChangeLog(limit: 5)).notes
      if notes.contains(where: { $0.contains(" of \(table.name) are not compared") }) { continue }
      let (name, key) = (SQLName.quote(table.name), SQLName.quote(table.keys[0]))
      let id = try store.read { transaction in
        try transaction.query(
          """
          SELECT id FROM sectile_log_table WHERE name = ?
          """, values: [.text(table.name)]
        ).first?.values.first
      }
      let found = try store.read { transaction in
        try transaction.query(
          """
          SELECT r.\(key) FROM \(name) AS r, sectile_log AS l
          WHERE l.tbl = ?1 AND l.k0 IS r.\(key) COLLATE BINARY AND typeof(l.k0) = typeof(r.\(key))
            AND l.k0 IS NOT NULL AND l.seq > ?2
            AND l.seq > coalesce((SELECT max(seq) FROM sectile_log WHERE tbl = ?1 AND op = 7), 0)
            AND l.op = (SELECT op FROM sectile_log WHERE tbl = ?1 AND k0 IS l.k0
              AND typeof(k0) = typeof(l.k0) ORDER BY seq DESC LIMIT 1)
            AND l.op IN (1, 2)
          LIMIT 1
          """, values: [id ?? .null, .integer(table.since)]
        ).first?.values.first
      }
      guard let found else { continue }
      let connection = try InspectionConnection(path: folder.file(file), access: .readWrite)
      connection.setTriggers(false)
      try connection.run("PRAGMA foreign_keys = OFF") { _ in }
      let statement = try connection.prepare(
        "DELETE FROM \(name) WHERE \(key) IS ?1 COLLATE BINARY AND typeof(\(key)) = typeof(?1)")
      try statement.run([found])
      return connection.lastChangeCount == 1
    }
    return false
  }
}
