import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// The shell in a terminal: what is typed, and what the screen shows.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct InteractiveShellTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT, weight REAL);
      CREATE TABLE toolbox (id INTEGER PRIMARY KEY, label TEXT);
      INSERT INTO tool VALUES (1, 'saw', 1.5), (2, 'anvil', 80);
      """, in: folder)
  }

  private func session(
    _ arguments: [String] = [], environment: [String: String] = [:], width: Int = 80,
    height: Int = 24
  ) throws -> TerminalSession {
    let settings = ["SECTILE_HISTORY": folder.file("state/history"), "TERM": "screen-256color"]
    let session = try TerminalSession(
      ["sqlite", path] + arguments, environment: settings.merging(environment) { $1 },
      width: width, height: height)
    try session.wait(for: "sectile>")
    return session
  }

  @Test func statementsSpanLinesAndQuitEnds() throws {
    let session = try session()
    try session.type("SELECT name")
    try session.press("Enter")
    try session.wait(for: "   ...>")
    try session.type("FROM tool ORDER BY id;")
    try session.press("Enter")
    try session.wait(for: "anvil")
    try session.type(".quit")
    try session.press("Enter")
    #expect(try session.exitCode() == 0)
    let screen = try session.screen()
    #expect(
      screen.contains(
        "sectile> SELECT name\n   ...> FROM tool ORDER BY id;\nname\n-----\nsaw\nanvil\n"))
  }

  @Test func controlDEndsAndControlCClearsTheLine() throws {
    let session = try session()
    try session.type("SELECT 'half a line")
    try session.wait(for: "half a line")
    try session.press("C-c")
    try session.wait(for: "^C\nsectile>")
    try session.type("SELECT 40 + 2 AS answer;")
    try session.press("Enter")
    try session.wait(for: "\n    42\n")
    try session.type("SELECT 1")
    try session.press("Enter")
    try session.wait(for: "   ...>")
    try session.press("C-c")
    try session.wait(for: "...> ^C\nsectile>")
    try session.type("SELECT 7 * 7 AS square;")
    try session.press("Enter")
    try session.wait(for: "\n    49\n")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func aFailingStatementIsMarkedAndTheSessionGoesOn() throws {
    let session = try session()
    try session.type("SELECT nam FROM tool;")
    try session.press("Enter")
    let screen = try session.wait(for: "Hint: ")
    #expect(
      screen.contains(
        """
        Error: no such column: nam
          SELECT nam FROM tool;
                 ^
        Hint: Did you mean name?
        """))
    try session.type("DELETE FROM tool;")
    try session.press("Enter")
    try session.wait(for: "Add --writable")
    try session.type(".tabels")
    try session.press("Enter")
    try session.wait(for: "Did you mean .tables?\nsectile>")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func controlCStopsTheStatementThatRuns() throws {
    let session = try session()
    try session.type(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;")
    try session.press("Enter")
    try session.wait(for: "running for ")
    try session.press("C-c")
    let screen = try session.wait(for: "Interrupted.")
    #expect(!screen.contains("running for"))
    try session.type("SELECT 40 + 2 AS answer;")
    try session.press("Enter")
    try session.wait(for: "\n    42\n")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func controlDThatIsPressedAheadEnds() throws {
    let session = try session()
    try session.type(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000) SELECT max(i) AS most FROM n;"
    )
    try session.press("Enter", "C-d")
    #expect(try session.exitCode() == 0)
    #expect(try session.screen().contains("2000000"))
  }

  @Test func historyComesBackInThisSessionAndTheNext() throws {
    let first = try session()
    try first.type("SELECT 'first'")
    try first.press("Enter")
    try first.type("AS word;")
    try first.press("Enter")
    try first.wait(for: "word\n")
    try first.type(".print second")
    try first.press("Enter")
    try first.wait("what is printed") { $0.contains("second\nsecond") || $0.contains("\nsecond\n") }
    try first.press("Up", "Up")
    try first.wait("the whole statement") {
      $0.components(separatedBy: "sectile> SELECT 'first'\n   ...> AS word;").count == 3
    }
    try first.press("C-c")
    try first.wait(for: "^C\nsectile>")
    try first.press("C-d")
    #expect(try first.exitCode() == 0)
    let history = folder.file("state/history")
    #expect(
      try String(contentsOfFile: history, encoding: .utf8)
        == "SELECT 'first'\n\tAS word;\n.print second\n")
    let mode = try FileManager.default.attributesOfItem(atPath: history)[.posixPermissions]
    #expect(mode as? Int == 0o600)

    let second = try session()
    try second.press("Up")
    try second.wait(for: "sectile> .print second")
    try second.press("C-c")
    try second.wait(for: "^C\nsectile>")
    try second.press("C-d")
    #expect(try second.exitCode() == 0)
  }

  @Test func tabCompletesNamesKeywordsCommandsAndFiles() throws {
    _ = try folder.write("SELECT 'read from a file' AS source;", to: "report.sql")
    let session = try session(width: 160)
    try session.type("sel")
    try session.press("Tab")
    try session.wait(for: "sectile> select")
    try session.type("wei")
    try session.press("Tab")
    try session.wait(for: "sectile> select weight")
    try session.type("FROM too")
    try session.press("Tab")
    try session.wait(for: "FROM tool")
    try session.press("Tab")
    try session.wait(for: "tool     toolbox")
    try session.type(" WHERE id = 2;")
    try session.press("Enter")
    try session.wait(for: "80.0")
    try session.type(".rea")
    try session.press("Tab")
    try session.wait(for: "sectile> .read")
    try session.type(folder.file("repo"))
    try session.press("Tab")
    try session.wait(for: "report.sql")
    try session.press("Enter")
    try session.wait(for: "read from a file")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func longResultsGoThroughThePager() throws {
    let session = try session(
      environment: ["PAGER": "sed -e 's/^/paged: /'"], height: 12)
    let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 12) SELECT i FROM n;"
    try session.type(rows)
    try session.press("Enter")
    try session.wait(for: "paged: 12")
    try session.type("SELECT 'short' AS s;")
    try session.press("Enter")
    try session.wait(for: "\nshort\n")
    try session.type(".pager off")
    try session.press("Enter")
    try session.type(rows)
    try session.press("Enter")
    try session.wait(for: "\n12\n")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func aPagerThatIsClosedEarlyEndsTheStatementOnly() throws {
    let session = try session(environment: ["PAGER": "head -n 3"], height: 12)
    try session.type(".limit 0")
    try session.press("Enter")
    try session.type(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT i FROM n;")
    try session.press("Enter")
    try session.wait(for: "i\n----\n   1\nsectile>")
    try session.type("SELECT 40 + 2 AS answer;")
    try session.press("Enter")
    try session.wait(for: "\n    42\n")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func manyRowsAreLimitedWithANotice() throws {
    let session = try session(environment: ["PAGER": ""])
    try session.type(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n;")
    try session.press("Enter")
    try session.wait(for: "… more than 1000 rows; .limit 0 shows all")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func watchingFollowsWhatOthersWriteAndComesBack() throws {
    let session = try session(environment: ["PAGER": ""], width: 140, height: 60)
    try session.type(".results")
    try session.press("Enter")
    try session.wait(for: "No live results")
    try session.type(".watch tool name")
    try session.press("Enter")
    try session.wait(for: "didFinishLoading  2 rows in 2 sections")
    let other = try CommandRun(
      ["sqlite", path, "--writable", "INSERT INTO tool VALUES (3, 'plane', 2)"])
    #expect(other.code == 0)
    try session.wait(for: "didFinishLoading  3 rows in 3 sections")
    try session.press("C-c")
    try session.wait("the prompt") { $0.hasSuffix("sectile>") || $0.contains("sectile>\n\n") }
    try session.type(".results")
    try session.press("Enter")
    let screen = try session.wait("the results and the prompt") {
      $0.contains("strategy") && $0.contains(#/ 1\nsectile>/#)
    }
    #expect(screen.contains(#/1 +tool +name +3 +3 +2 +(seeking|searching) /#))
    // Ctrl-C is the prompt's again.
    try session.type("SELECT 'half")
    try session.wait(for: "SELECT 'half")
    try session.press("C-c")
    try session.wait(for: "half^C\nsectile>")
    try session.type(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;")
    try session.press("Enter")
    try session.wait(for: "running for ")
    try session.press("C-c")
    try session.wait(for: "Interrupted.")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func aDumbTerminalReadsPlainLines() throws {
    let session = try session(environment: ["TERM": "dumb"])
    try session.type("SELECT 40 + 2 AS answer;")
    try session.press("Enter")
    // With the prompt behind it.
    let screen = try session.wait(for: "\n    42\nsectile>")
    #expect(screen.contains("sectile> SELECT 40 + 2 AS answer;\nanswer\n------\n    42\nsectile>"))
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }
}
