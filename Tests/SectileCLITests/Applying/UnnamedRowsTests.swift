import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What a patch or an import does not name stays, or is told.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct UnnamedRowsTests {
  private static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w);"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ sql: String, _ name: String) throws -> String {
    try Database.make(sql, in: folder, as: name)
  }

  private func rows(_ path: String, _ table: String = "t") throws -> [String] {
    var rows: [String] = []
    try InspectionConnection(path: path).run("SELECT * FROM \(table) ORDER BY 1") { row in
      rows.append(row.map(\.description).joined(separator: " "))
    }
    return rows
  }

  private func patch(_ before: String, _ after: String) throws -> String {
    let first = try file(before, "first-\(UUID().uuidString)")
    let second = try file(after, "second-\(UUID().uuidString)")
    return try CommandRun(["diff", first, second, "--ndjson"]).output
  }

  @Test(arguments: [
    "CREATE UNIQUE INDEX u ON t (v)", "CREATE UNIQUE INDEX u ON t (lower(v))",
    "CREATE UNIQUE INDEX u ON t (v COLLATE NOCASE) WHERE w IS NULL",
    "CREATE UNIQUE INDEX u ON t (v); CREATE TABLE log (x); "
      + "CREATE TRIGGER gone AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.id); END",
  ])
  func forceTellsTheRowsThatItDeletes(index: String) throws {
    let changed = try patch(
      Self.schema + "INSERT INTO t VALUES (1, 'one', NULL)",
      Self.schema + "INSERT INTO t VALUES (1, 'new', NULL), (2, 'two', NULL)")
    let copy = try file(
      Self.schema + "INSERT INTO t VALUES (1, 'one', NULL), (8, 'two', NULL), (9, 'new', NULL);"
        + index, "copy")
    let refused = try CommandRun(["apply", copy], input: changed)
    #expect(refused.code == 1)
    #expect(try rows(copy).count == 3)
    let run = try CommandRun(["apply", copy, "--on-conflict", "force"], input: changed)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("1 row inserted, 1 updated, 2 deleted, 2 conflicts"))
    #expect(run.errors.contains("t 9 is deleted: it has unique values of t 1"))
    #expect(run.errors.contains("t 8 is deleted: it has unique values of t 2"))
    #expect(try rows(copy) == ["1 'new' NULL", "2 'two' NULL"])
  }

  @Test func rowsOfThePatchAreNotDeletedForEachOther() throws {
    let changed = try patch(
      Self.schema, Self.schema + "INSERT INTO t VALUES (1, 'a', 1), (2, 'A', 2)")
    let copy = try file(
      Self.schema + "CREATE UNIQUE INDEX u ON t (v COLLATE NOCASE);"
        + "INSERT INTO t VALUES (9, 'a', 9)", "copy")
    let run = try CommandRun(["apply", copy, "--on-conflict", "force"], input: changed)
    #expect(run.code == 0)
    #expect(run.errors.contains("t 2 does not fit"), "\(run.errors)")
    #expect(try rows(copy) == ["9 'a' 9"])
  }

  /// A table may say by itself that rows replace others, or are passed over in silence.
  @Test(arguments: ["REPLACE", "IGNORE"])
  func aTableThatReplacesByItselfLosesNoRow(clause: String) throws {
    let schema =
      "CREATE TABLE t (id INTEGER PRIMARY KEY ON CONFLICT \(clause), v UNIQUE ON CONFLICT \(clause));"
    let changed = try patch(
      schema + "INSERT INTO t VALUES (1, 'one')",
      schema + "INSERT INTO t VALUES (1, 'new'), (2, 'two')")
    let other = schema + "INSERT INTO t VALUES (1, 'one'), (8, 'two'), (9, 'new')"
    let copy = try file(other, "copy")
    let before = try rows(copy)
    #expect(try CommandRun(["apply", copy], input: changed).code == 1)
    #expect(try rows(copy) == before)
    let run = try CommandRun(["apply", copy, "--on-conflict", "force"], input: changed)
    #expect(run.output.hasPrefix("1 row inserted, 1 updated, 2 deleted, 2 conflicts"))

    let (first, second) = (
      try file(schema + "INSERT INTO t VALUES (1, 'one')", "a"),
      try file(schema + "INSERT INTO t VALUES (1, 'new'), (2, 'two')", "b")
    )
    let sql = try CommandRun(["diff", first, second, "--sql"]).output
    let target = try file(other, "target")
    #expect(try CommandRun(["sqlite", target, "--writable"], input: sql).code != 0)
    #expect(try rows(target) == before)

    let text = folder.file("rows.csv")
    try Data("id,v\n20,new\n".utf8).write(to: URL(fileURLWithPath: text))
    let importing = try CommandRun(["import", target, "--table", "t", text])
    #expect(importing.code == 65, "\(importing.output)")
    #expect(try rows(target) == before)
    let upsert = ["import", target, "--table", "t", "--upsert", text]
    #expect(try CommandRun(upsert).code == 65)
    #expect(try rows(target) == before)
  }

  @Test func aKeyThatTwoRowsHaveChangesNeither() throws {
    let first = try file("CREATE TABLE t (k, v); INSERT INTO t VALUES ('a', 1), ('b', 1)", "a")
    let second = try file("CREATE TABLE t (k, v); INSERT INTO t VALUES ('a', 2)", "b")
    let changed = try CommandRun(["diff", first, second, "--table", "t", "--key", "k", "--ndjson"])
    let rows = "('a', 1), ('a', 1), ('b', 1), ('b', 1)"
    let copy = try file("CREATE TABLE t (k, v); INSERT INTO t VALUES \(rows)", "copy")
    for policy in ["error", "skip", "force"] {
      let run = try CommandRun(
        ["apply", copy, "--on-conflict", policy], input: changed.output)
      #expect(run.code == 65, "\(run.output)")
      #expect(run.errors.contains("2 rows of t have the key"), "\(run.errors)")
    }
    #expect(try self.rows(copy).count == 4)
  }

  @Test(arguments: ["", " WITHOUT ROWID"])
  func aKeyThatComparesOtherwiseThanItsColumnNamesOneRow(end: String) throws {
    let schema =
      "CREATE TABLE t (id TEXT COLLATE NOCASE NOT NULL, v, PRIMARY KEY (id COLLATE BINARY))\(end);"
    let before = schema + "INSERT INTO t VALUES ('a', 1), ('A', 2), ('c', 3), ('C', 4)"
    let after = schema + "INSERT INTO t VALUES ('a', 9), ('A', 2), ('C', 4)"
    let copy = try file(before, "copy")
    let run = try CommandRun(["apply", copy], input: patch(before, after))
    #expect(run.output.hasPrefix("0 rows inserted, 1 updated, 1 deleted"), "\(run.errors)")
    #expect(try Set(rows(copy)) == ["'a' 9", "'A' 2", "'C' 4"])

    let text = folder.file("rows.csv")
    try Data("id,v\nA,7\nb,5\n".utf8).write(to: URL(fileURLWithPath: text))
    let importing = try CommandRun(["import", copy, "--table", "t", "--upsert", text])
    #expect(importing.code == 0, "\(importing.errors)")
    #expect(try Set(rows(copy)) == ["'a' 9", "'A' 7", "'C' 4", "'b' 5"])
  }

  @Test func aRowOfAWatchThatDoesNotFitStaysAsItWas() throws {
    let source = try file(
      Self.schema + "INSERT INTO t VALUES (1, 'b', 1), (2, 'a', 2), (3, 'x', 3), (4, 'X', 4)",
      "source")
    let lines = try CommandRun(["watch", source, "--table", "t", "--ndjson", "--for", "0"]).output
    let copy = try file(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE COLLATE NOCASE, w);"
        + "INSERT INTO t VALUES (1, 'a', 0), (2, 'b', 0), (3, 'p', 0), (4, 'q', 0)", "copy")
    let run = try CommandRun(["apply", copy, "-", "--on-conflict", "skip"], input: lines)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("t 4 does not fit"), "\(run.errors)")
    #expect(run.output.hasPrefix("0 rows inserted, 3 updated, 0 deleted, 1 conflict"))
    #expect(try rows(copy) == ["1 'b' 1", "2 'a' 2", "3 'x' 3", "4 'q' 0"])
  }

  @Test func forceTellsTheRowsOfACopyThatItDeletes() throws {
    let source = try file(Self.schema + "INSERT INTO t VALUES (1, 'b', 1)", "source")
    let lines = try CommandRun(
      ["watch", source, "--table", "t", "--ndjson", "--for", "0"]
    ).output
    let change = lines.split(separator: "\n").filter { !$0.contains("\"start\"") }
    let start = try #require(lines.split(separator: "\n").first { $0.contains("\"start\"") })
    // The first contents come twice: the second time as a change.
    let copy = try file(Self.schema + "CREATE UNIQUE INDEX u ON t (v)", "copy")
    let first = ([String(start)] + change.map(String.init)).joined(separator: "\n")
    #expect(try CommandRun(["apply", copy, "-"], input: first).code == 0)
    try InspectionConnection(path: copy, access: .readWrite)
      .run("UPDATE t SET v = 'z'; INSERT INTO t VALUES (9, 'b', 9)") { _ in }
    // A watch of changes alone leaves row 9, which it does not know.
    let known = first.replacing("\"rows\":1", with: "\"rows\":2")
    let run = try CommandRun(
      ["apply", copy, "-", "--on-conflict", "force"], input: known)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("t 9 is deleted: it has unique values of t 1"), "\(run.errors)")
    #expect(try rows(copy) == ["1 'b' 1"])
  }
}
