import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Files with full-text indexes of what nobody keeps.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ContentlessIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pair(_ index: String, _ change: String) throws -> (before: String, after: String) {
    let before = try Database.make(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, x); CREATE VIRTUAL TABLE ft USING \(index);"
        + "INSERT INTO ft (rowid, x) VALUES (1, 'one word')", in: folder, as: "before.sqlite")
    let after = folder.file("after.sqlite")
    try FileManager.default.copyItem(atPath: before, toPath: after)
    try InspectionConnection(path: after, access: .readWrite).run(change) { _ in }
    return (before, after)
  }

  private static let indexes = [
    "fts5(x, content='')", "fts4(x, content=\"\")", "FTS5 (x, tokenize = 'ascii', Content = '')",
  ]

  @Test(arguments: indexes)
  func aPatchLeavesThemAlone(index: String) throws {
    let (before, after) = try pair(index, "INSERT INTO t VALUES (1, 2)")
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: before, toPath: copy)
    let sql = try CommandRun(["diff", before, after, "--sql"])
    #expect(sql.errors.isEmpty && !sql.output.contains("rebuild"), "\(sql.output)\(sql.errors)")
    #expect(try CommandRun(["sqlite", before, "--writable"], input: sql.output).code == 0)
    #expect(try CommandRun(["diff", before, after]).code == 0)
    let lines = try CommandRun(["diff", copy, after, "--ndjson"]).output
    #expect(try CommandRun(["apply", copy], input: lines).code == 0)
    #expect(try CommandRun(["diff", copy, after]).code == 0)
  }

  @Test(arguments: indexes)
  func aPatchThatAsksForAnIndexOfNothingIsApplied(index: String) throws {
    let (before, after) = try pair(index, "INSERT INTO t VALUES (1, 2)")
    let lines = try CommandRun(["diff", before, after, "--ndjson"]).output
      .replacing(
        "{\"v\":2,\"kind\":\"end\"",
        with: "{\"v\":2,\"kind\":\"rebuild\",\"table\":\"ft\"}\n{\"v\":2,\"kind\":\"end\"")
    #expect(lines.contains("rebuild"))
    let run = try CommandRun(["apply", before], input: lines)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test(arguments: indexes)
  func whatDiffersIsSaid(index: String) throws {
    let (before, after) = try pair(index, "INSERT INTO ft (rowid, x) VALUES (2, 'another')")
    for mode in ["text", "json", "ndjson", "sql"] {
      let run = try CommandRun(["diff", before, after, "--mode", mode])
      #expect(run.code == 1, "\(mode)")
      #expect(run.errors.contains("ft differs, and keeps no text"), "\(mode): \(run.errors)")
    }
  }

  @Test func anIndexOfAnotherTablesTextIsMadeAnew() throws {
    let (before, after) = try pair(
      "fts5(x, content='t', content_rowid='id')",
      "DELETE FROM t; INSERT INTO t VALUES (1, 'other'); INSERT INTO ft (ft) VALUES ('rebuild')")
    let sql = try CommandRun(["diff", before, after, "--sql"])
    #expect(sql.output.contains("VALUES('rebuild')"))
    #expect(try CommandRun(["sqlite", before, "--writable"], input: sql.output).code == 0)
    let found = try CommandRun(
      ["sqlite", before, "--mode", "list", "SELECT rowid FROM ft WHERE ft MATCH 'other'"])
    #expect(found.output == "1\n")
  }
}
