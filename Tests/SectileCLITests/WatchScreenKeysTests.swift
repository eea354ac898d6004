import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Searching, conditions and whole rows of `watch --tui` in a terminal.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct WatchScreenKeysTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
      INSERT INTO tool SELECT i, 'kind ' || (i % 4), 'tool ' || i FROM n;
      """, in: folder)
  }

  private func write(_ sql: String) throws {
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(sql) { _ in }
  }

  private func session(_ arguments: String...) throws -> TerminalSession {
    let session = try TerminalSession(
      ["watch", path, "--table", "tool", "--section-by", "kind", "--tui", "--interval", "0.05"]
        + arguments,
      environment: ["TERM": "screen-256color", "NO_COLOR": ""], width: 80, height: 20)
    try session.wait(for: "live")
    return session
  }

  @Test func aSearchChoosesItsMatches() throws {
    let session = try session()
    try session.type("/tool 13")
    try session.wait(for: "/tool 13█")
    try session.press("BSpace", "3", "Enter")
    try session.wait(for: "›132  kind 0  tool 132")
    try session.type("n")
    try session.wait(for: "›136  kind 0  tool 136")
    try session.type("n")
    try session.wait(for: "› 13  kind 1  tool 13")
    try session.type("N")
    try session.wait(for: "›136  kind 0  tool 136")
    try session.press("Escape")
    try session.wait("no row to be chosen") { !$0.contains("›") }
    try session.type("/nowhere")
    try session.press("Enter")
    try session.wait(for: "no row contains nowhere")
    try session.type("q")
    #expect(try session.exitCode() == 0)
  }

  @Test func aConditionChoosesRowsAndStaysLive() throws {
    let session = try session("--where", "id <> 200 OR id > 1000")
    try session.wait(for: "199 rows in 4 sections  live")
    try session.type("w")
    try session.wait(for: "where █")
    try session.type("id > 195 -- not 195")
    try session.press("Enter")
    try session.wait("the rows of the condition") {
      $0.contains(" where id > 195 -- not 195") && $0.contains("4 rows in 4 sections  live")
    }
    // What a condition leaves out is not gone from the file.
    #expect(try !session.screen().contains("gone"))
    try write("INSERT INTO tool VALUES (300, 'kind 0', 'new')")
    try session.wait("the new row") {
      $0.contains("5 rows in 4 sections  live") && $0.contains("300  kind 0  new")
    }
    try session.type("w")
    try session.press("C-u")
    try session.type("siz > 1")
    try session.press("Enter")
    try session.wait("the refusal") {
      $0.contains("no such column: siz") && $0.contains("5 rows in 4 sections")
    }
    try session.press("Escape")
    try session.wait("all rows") {
      $0.contains("200 rows in 4 sections  live") && !$0.contains(" where id")
    }
    try session.type("q")
    #expect(try session.exitCode() == 0)
  }

  /// SQLite finds out only while it reads the rows.
  @Test func aConditionThatFailsLeavesTheRowsOfBefore() throws {
    let session = try session()
    try session.type("wabs(-9223372036854775807 - (id > 100))")
    try session.press("Enter")
    try session.wait("the refusal and the rows") {
      $0.contains("integer overflow") && $0.contains("200 rows in 4 sections  live")
    }
    try session.type("q")
    #expect(try session.exitCode() == 0)
  }

  @Test func aConditionWhoseColumnIsRenamedCanBeLeft() throws {
    let session = try session()
    try session.type("wname <> ''")
    try session.press("Enter")
    try session.wait(for: " where name <> ''")
    try write("ALTER TABLE tool RENAME COLUMN name TO title")
    try session.wait("the news") { !$0.contains("sections  live") }
    try session.press("Escape")
    try session.wait("all rows with the new name") {
      $0.contains("200 rows in 4 sections  live") && $0.contains("  title")
        && !$0.contains(" where name")
    }
    try session.type("q")
    #expect(try session.exitCode() == 0)
  }

  @Test func aRowIsShownWholeAndFollowed() throws {
    let session = try session()
    try write("UPDATE tool SET name = 'first line' || char(10) || 'second line' WHERE id = 4")
    try session.press("Enter")
    try session.wait("the row") {
      $0.contains("\n row 1 of 200\n") && $0.contains("\n  name  first line\n        second line\n")
    }
    try write("UPDATE tool SET name = 'another' WHERE id = 4")
    try session.wait(for: " name  another")
    try session.press("Right")
    try session.wait(for: "  name  tool 8")
    try write("DELETE FROM tool WHERE id = 8")
    try session.wait("the news and the row") {
      $0.contains("This row is gone") && $0.contains("  name  tool 8")
    }
    try session.press("Right")
    try session.wait(for: "  name  tool 12")
    try session.press("Escape")
    try session.wait(for: "›12  kind 0  tool 12")
    try session.type("q")
    #expect(try session.exitCode() == 0)
  }

  @Test func theKeysAreExplainedInTheHelpAndOnTheScreen() throws {
    let help = try CommandRun(["watch", "--help"]).output
    for (keys, meaning) in ScreenKey.meanings {
      let line = help.split(separator: "\n").first { $0.contains("  \(keys)  ") }
      #expect(line?.hasSuffix("  \(meaning)") == true, "\(keys)")
    }
    let session = try session()
    try session.type("?")
    let screen = try session.wait(for: "quits")
    for (_, meaning) in ScreenKey.meanings { #expect(screen.contains(meaning), "\(meaning)") }
  }
}
