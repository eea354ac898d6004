import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Statements as a person types, pastes and edits them.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct TypingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      "CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO tool VALUES (1, 'saw')",
      in: folder)
  }

  private func session(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> TerminalSession {
    let settings = [
      "SECTILE_HISTORY": folder.file("history"), "XDG_CONFIG_HOME": folder.file("settings"),
      "TERM": "screen-256color", "PAGER": "", "NO_COLOR": "",
    ]
    let session = try TerminalSession(
      ["sqlite", path] + arguments, environment: settings.merging(environment) { $1 })
    try session.wait(for: "sectile>")
    return session
  }

  @Test func whatIsPastedIsTakenAsItIsAndRunsAsAWhole() throws {
    let session = try session()
    try session.paste("SELECT hex('a\tb') AS h, -- a comment\n\t'x;\ny' AS t;\nSELECT 6 * 7 AS n;")
    try session.wait(for: "SELECT 6 * 7 AS n;")
    #expect(try !session.screen().contains("610962"))
    try session.press("Enter")
    try session.wait(for: "610962")
    try session.wait(for: "\n42\n")
    try session.press("Up")
    try session.wait("the whole entry") {
      $0.components(separatedBy: "   ...> y' AS t;").count == 3
    }
    try session.press("C-c")
    try session.wait(for: "^C\nsectile>")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
    #expect(
      try String(contentsOfFile: folder.file("history"), encoding: .utf8)
        == "SELECT hex('a\tb') AS h, -- a comment\n\t\t'x;\n\ty' AS t;\n\tSELECT 6 * 7 AS n;\n")
  }

  @Test func theLinesOfAStatementCanBeEdited() throws {
    let session = try session()
    try session.type("SELECT 1")
    try session.press("Enter")
    try session.wait(for: "   ...>")
    try session.type("AS answer;")
    try session.press("Up", "End")
    try session.type("+ 41")
    try session.press("Enter")
    try session.wait(for: "\n    42\n")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func whatIsTypedHasColours() throws {
    let session = try session()
    try session.type("SELECT 'text' -- why")
    try session.wait(for: "why")
    let screen = try session.screen(isStyled: true)
    #expect(screen.contains("[34mSELECT"))
    #expect(screen.contains("[32m'text'"))
    try session.press("C-c")
    // What is typed while the terminal tells of C-c is lost with the line.
    try session.wait(for: "^C\nsectile>")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func theKeysOfViEdit() throws {
    let session = try session(["--vi"])
    try session.type("SELECT 12 AS n;")
    try session.wait(for: "12 AS n;")
    try session.press("Escape")
    try session.type("0")
    try session.type("wr4")
    try session.press("Enter")
    try session.wait(for: "\n42\n")
    try session.type("")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func anEditorChangesTheLastStatement() throws {
    let editor = try folder.write("#!/bin/sh\nsed -i 's/6 \\* 7/40 + 2/' \"$1\"\n", to: "editor")
    let session = try session(environment: ["EDITOR": "sh \(editor)", "VISUAL": ""])
    try session.type("SELECT 6 * 7 AS n;")
    try session.press("Enter")
    try session.wait(for: "\n42\n")
    try session.type(".edit")
    try session.press("Enter")
    try session.wait(for: "sectile> SELECT 40 + 2 AS n;")
    try session.press("Enter")
    try session.wait("the second answer") { $0.components(separatedBy: "\n42\n").count == 3 }
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func settingsRunBeforeTheFirstPromptAndAreNotLookedForElsewhere() throws {
    _ = try folder.write(".print reached\n", to: "config")
    let own = folder.url.appendingPathComponent("settings/sectile")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    try Data(".nullvalue nothing\n.frob\n".utf8).write(to: own.appendingPathComponent("config"))
    let session = try session()
    let screen = try session.screen()
    #expect(screen.contains("config:2: unknown command '.frob'"))
    #expect(!screen.contains("reached"))
    try session.type("SELECT NULL AS n;")
    try session.press("Enter")
    try session.wait(for: "\nnothing\n")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func wideRowsStandBelowEachOtherUntilAModeIsNamed() throws {
    let session = try session()
    let wide = "SELECT printf('%050d', 1) AS first, printf('%050d', 2) AS second;"
    try session.type(wide)
    try session.press("Enter")
    try session.wait(for: "── row 1 ─")
    try session.wait(for: " first  000000")
    try session.type(".mode table")
    try session.press("Enter")
    try session.type(wide)
    try session.press("Enter")
    try session.wait(for: "first    ")
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func oneShotResultsArePaged() throws {
    let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60) SELECT i FROM n;"
    let paged = try TerminalSession(
      ["sqlite", path, rows], environment: ["PAGER": "sed -e 's/^/paged: /'"])
    #expect(try paged.exitCode() == 0)
    #expect(try paged.screen().contains("paged: 60"))
    let direct = try TerminalSession(
      ["sqlite", path, rows, "--no-pager"], environment: ["PAGER": "sed -e 's/^/paged: /'"])
    #expect(try direct.exitCode() == 0)
    #expect(try !direct.screen().contains("paged"))
  }
}
