import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Old values beside the change log.
@Suite(.timeLimit(.minutes(60))) struct KeptValuesTests {
  private let file: LoggedFile
  private var store: Store { file.store }

  init() throws {
    file = try LoggedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE, g AS (a || '!'));
      CREATE TABLE u (x, y, "it's", PRIMARY KEY (x, y)) WITHOUT ROWID
      """)
    try store.changeLog.keepValues(of: ["t", "U"])
  }

  private func end() throws -> ChangeToken { try store.history(since: nil).token }

  /// Runs statements of another program, and tells what was kept: `update 1: a 1 -> 2`.
  private func kept(_ sql: String, isOwn: Bool = false) throws -> [String] {
    let token = try end()
    if isOwn { try store.commit(sql) } else { try file.other.commit(sql) }
    return try lines(since: token)
  }

  private func lines(since token: ChangeToken) throws -> [String] {
    try store.history(since: token, includingValues: true).transactions.flatMap(\.changes).map {
      change in
      let values = change.values?.map { value in
        "\(value.column) \(value.before)" + (value.after.map { " -> \($0)" } ?? "")
      }
      let key = change.key.map(\.description).joined(separator: "/")
      return "\(change.operation) \(key): \(values?.joined(separator: ", ") ?? "nothing")"
    }
  }

  @Test(arguments: [false, true])
  func eachStatementKeepsWhatItTakesAway(isOwn: Bool) throws {
    let steps: [(String, [String])] = [
      ("INSERT INTO t (id, a, b) VALUES (1, 1, 'x')", ["insert 1: "]),
      ("UPDATE t SET a = 2, b = 'x'", ["update 1: a 1 -> 2"]),
      ("UPDATE t SET a = 2", ["update 1: "]),
      ("UPDATE t SET a = 2.0", ["update 1: a 2 -> 2.0"]),
      ("UPDATE t SET a = NULL, b = 'y'", ["update 1: a 2.0 -> NULL, b 'x' -> 'y'"]),
      (
        "REPLACE INTO t (id, a, b) VALUES (1, 3, 'z')",
        ["touched 1: id 1, a NULL, b 'y'", "insert 1: "]
      ),
      (
        "REPLACE INTO t (id, a, b) VALUES (2, 4, 'z')",
        ["touched 1: id 1, a 3, b 'z'", "insert 2: "]
      ),
      (
        "INSERT INTO t (id, a) VALUES (2, 9) ON CONFLICT DO UPDATE SET a = excluded.a",
        ["touched 2: id 2, a 4, b 'z'", "update 2: a 4 -> 9"]
      ),
      ("DELETE FROM t", ["delete 2: id 2, a 9, b 'z'"]),
      ("INSERT INTO u VALUES (1, 'a', x'00ff')", ["insert 1/'a': "]),
      (
        "REPLACE INTO u VALUES (1, 'a', NULL)",
        ["touched 1/'a': x 1, y 'a', it's x'00ff'", "insert 1/'a': "]
      ),
      ("UPDATE u SET \"it's\" = 7", ["update 1/'a': it's NULL -> 7"]),
    ]
    for (sql, expected) in steps { #expect(try kept(sql, isOwn: isOwn) == expected, "\(sql)") }
    let moved = try kept("UPDATE u SET x = 2", isOwn: isOwn)
    #expect(
      Set(moved) == ["delete 1/'a': x 1, y 'a', it's 7", "update 2/'a': x 1 -> 2"], "\(moved)")
  }

  @Test func valuesAreKeptToTheLastBit() throws {
    let values: [StoredValue] = [
      .integer(.max), .integer(.min), .real(-0x1p63), .real(.infinity), .real(-.infinity),
      .real(.leastNonzeroMagnitude), .real(0.1), .text(""), .text("a\0b"), .text("e\u{301}"),
      .blob([]), .blob([0, 255]), .null,
    ]
    var last = StoredValue.text("first")
    try store.write { try $0.execute("INSERT INTO t (id, a) VALUES (1, ?)", values: [last]) }
    for value in values {
      let token = try end()
      try store.write { try $0.execute("UPDATE t SET a = ?", values: [value]) }
      let page = try store.history(since: token, includingValues: true)
      let change = try #require(page.transactions.last?.changes.last?.values?.first)
      #expect(change.before == last)
      #expect(change.after == value)
      last = value
    }
    try file.other.execute("UPDATE t SET a = CAST(x'ff00' AS TEXT)")
    let page = try store.history(before: nil, limit: 1, includingValues: true)
    #expect(page.transactions.first?.changes.last?.values?.first?.after == .blob([0xFF, 0]))
  }

  @Test func timesAreThoseOfStatements() throws {
    let start = Date(timeIntervalSinceNow: -60)
    try file.other.execute("INSERT INTO t (id) VALUES (1)")
    let page = try store.history(before: nil, limit: 1, includingValues: true)
    let change = try #require(page.transactions.first?.changes.first)
    #expect(page.transactions.first?.date == nil)
    #expect(try #require(change.date) > start)
    let plain = try #require(try store.history(before: nil, limit: 1).transactions.first)
    #expect(plain.changes[0].date == nil && plain.changes[0].values == nil)
    let data = try JSONEncoder().encode(change)
    let read = try JSONDecoder().decode(Store.ChangeLog.RowChange.self, from: data)
    #expect(read.values == change.values)
    #expect(read.key == change.key)
  }

  @Test func statementsFindTheirLastRowAsBefore() throws {
    try file.other.execute("INSERT INTO t (id, b) VALUES (41, 'x')")
    #expect(try file.other.integer("SELECT last_insert_rowid()") == 41)
    #expect(try file.other.integer("SELECT changes()") == 1)
    try file.other.execute("PRAGMA trusted_schema = OFF; REPLACE INTO t (id, b) VALUES (42, 'x')")
    #expect(try file.other.integer("SELECT last_insert_rowid()") == 42)
  }

  @Test func whatIsUndoneIsKeptAsTriggersWould() throws {
    try store.commit("INSERT INTO t (id, a, b) VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z')")
    let undo = try store.writeUndoably {
      try $0.execute(
        "UPDATE t SET a = 9 WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO t (id) VALUES (4)"
      )
    }.undo
    let token = try end()
    try store.undo(undo)
    let lines = try lines(since: token)
    #expect(
      Set(lines) == ["update 1: a 9 -> 1", "insert 2: ", "delete 4: id 4, a NULL, b NULL"],
      "\(lines)")
  }

  // MARK: - Schemas

  @Test func columnsThatComeAreNoticedByTheNextCommit() throws {
    try file.other.execute("INSERT INTO t (id, a) VALUES (1, 1)")
    try file.other.execute("ALTER TABLE t ADD COLUMN c; ALTER TABLE t RENAME COLUMN a TO first")
    // Nobody keeps the new column yet; the other has the name that the trigger knows.
    #expect(try kept("UPDATE t SET c = 1, first = 2") == ["update 1: a 1 -> 2"])
    #expect(
      try kept("UPDATE t SET c = 2, first = 3", isOwn: true)
        == ["reset : nothing", "update 1: first 2 -> 3, c 1 -> 2"])
    #expect(try store.changeLog.status()?.tables.first?.valuesSince != nil)
  }

  @Test func aColumnIsDroppedOnceItsValuesAreNotKept() throws {
    try store.commit("INSERT INTO t (id, a) VALUES (1, 1)")
    try store.commit("ALTER TABLE t ADD COLUMN more")
    #expect(try kept("UPDATE t SET more = 5") == ["update 1: more NULL -> 5"])
    #expect(throws: StoreError.self) { try store.commit("ALTER TABLE t DROP COLUMN more") }
    #expect(try store.changeLog.stopKeepingValues(of: ["t"]))
    #expect(try !store.changeLog.stopKeepingValues(of: ["t"]))
    try store.commit("ALTER TABLE t DROP COLUMN more")
    #expect(try kept("UPDATE t SET a = 5") == ["update 1: nothing"])
    #expect(try store.changeLog.keepValues(of: ["t"]))
    #expect(try kept("UPDATE t SET a = 6") == ["update 1: a 5 -> 6"])
  }

  @Test func aTableThatIsMadeAgainKeepsOn() throws {
    try file.other.execute("INSERT INTO t (id, a) VALUES (1, 1)")
    try file.other.execute("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, z)")
    try store.commit("INSERT INTO t VALUES (1, 'q')")
    #expect(try kept("DELETE FROM t") == ["delete 1: id 1, z 'q'"])
    try store.commit("DROP TABLE t")
    #expect(try store.changeLog.status()?.tables.map(\.name) == ["u"])
    #expect(try file.other.integer("SELECT count(*) FROM sectile_log_audit") == 1)
    #expect(try store.verifyChangeLog(limit: 10)?.problems == [])
  }

  @Test func valuesThatSQLiteHandsOverInAnotherFormAreRefused() throws {
    try store.commit(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, code INTEGER REFERENCES p (code))
      """)
    let error = #expect(throws: StoreError.self) { try store.changeLog.keepValues(of: ["p"]) }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("another type") == true)
    #expect(try store.changeLog.status()?.tables.contains { $0.name == "p" } == true)
    #expect(throws: StoreError.self) { try store.changeLog.keepValues(of: ["nothing"]) }
  }

  // MARK: - The log

  @Test func valuesAreTrimmedWithTheirRows() throws {
    for id in 1...20 { try store.commit("INSERT INTO t (id, a) VALUES (\(id), 1)") }
    try store.commit("UPDATE t SET a = 2")
    try store.changeLog.prune(keeping: 5)
    let strays =
      "SELECT count(*) FROM sectile_log_value WHERE seq NOT IN (SELECT seq FROM sectile_log)"
    #expect(try file.other.integer(strays) == 0)
    #expect(try file.other.integer("SELECT count(*) FROM sectile_log_value") > 0)
    #expect(try store.verifyChangeLog(limit: 10)?.problems == [])
    try file.other.execute("INSERT INTO sectile_log_value (seq, place, old) VALUES (1, 0, 1)")
    #expect(try store.verifyChangeLog(limit: 10)?.problems.count == 1)
  }

  /// Numbers of rows come again, whose values are there.
  @Test func aLogThatWasEmptiedByHandRefusesNoWrite() throws {
    try file.other.execute("INSERT INTO t (id, a) VALUES (1, 0)")
    for _ in 0..<20 { try file.other.execute("UPDATE t SET a = a + 1") }
    try file.other.execute("DELETE FROM sectile_log")
    for _ in 0..<40 { try file.other.execute("UPDATE t SET a = a + 1") }
    #expect(try file.other.integer("SELECT a FROM t") == 60)
  }

  @Test func allOfItGoesWithTheLog() throws {
    try store.commit("INSERT INTO t (id) VALUES (1)")
    try store.changeLog.disable()
    #expect(
      try file.other.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'sectile_log%'")
        == 0)
    try store.changeLog.keepValues(of: ["t"])
    #expect(try store.changeLog.status()?.tables.map(\.name) == ["t"])
    #expect(try kept("DELETE FROM t") == ["delete 1: id 1, a NULL, b NULL"])
  }

  @Test func theFormOfTheLogSaysThatValuesAreKept() throws {
    #expect(try file.other.integer("SELECT format FROM sectile_log_state") == 2)
    let plain = try LoggedFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    #expect(try plain.other.integer("SELECT format FROM sectile_log_state") == 1)
    try plain.close()
  }
}
