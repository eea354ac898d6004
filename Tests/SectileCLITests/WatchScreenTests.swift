import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// `watch --tui` in a terminal.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct WatchScreenTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Database.make(
      """
      CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT, name TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
      INSERT INTO tool SELECT i, 'kind ' || (i % 4), 'tool ' || i FROM n;
      UPDATE tool SET name = '日本' || char(27) || '[31m' WHERE id = 4;
      """, in: folder)
  }

  private func write(_ sql: String) throws {
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(sql) { _ in }
  }

  private func session(
    environment: [String: String] = [:], width: Int = 80, height: Int = 20
  ) throws -> TerminalSession {
    let session = try TerminalSession(
      ["watch", path, "--table", "tool", "--section-by", "kind", "--tui", "--interval", "0.05"],
      environment: ["TERM": "screen-256color", "NO_COLOR": ""].merging(environment) { $1 },
      width: width,
      height: height)
    try session.wait(for: "live")
    return session
  }

  private func lines(_ session: TerminalSession) throws -> [String] {
    try session.screen().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether a screen shows a section's head with a row of an id right below it.
  private func shows(_ screen: String, _ head: String, _ id: String) -> Bool {
    let lines = screen.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    return zip(lines, lines.dropFirst()).contains { above, below in
      above.joined(separator: " ") == head && below.first == id
    }
  }

  @Test func theScreenShowsRowsAndQuits() throws {
    let session = try session()
    let lines = try lines(session)
    #expect(lines[0].hasPrefix(" tool  200 rows in 4 sections  live  v"))
    #expect(lines[1].hasPrefix("  id  kind    name"))
    #expect(lines[2] == "▾ kind 0 (50)")
    #expect(lines[3] == "   4  kind 0  日本\\u{1B}[31m")
    #expect(lines[4] == "   8  kind 0  tool 8")
    #expect(lines[19].hasSuffix("arrows scroll"))
    try session.type("q")
    #expect(try session.exitCode() == 0)
    // The terminal is what it was before: the picture is gone.
    #expect(try !session.screen().contains("kind 0"))
  }

  @Test func changesStandOutInColourAndFade() throws {
    let session = try session()
    try write(
      """
      BEGIN; INSERT INTO tool VALUES (0, 'kind 0', 'new'); UPDATE tool SET name = 'other' WHERE id = 8;
      UPDATE tool SET kind = 'kind 0' WHERE id = 1; DELETE FROM tool WHERE id = 12; COMMIT
      """)
    // One screen for all: it fades.
    let screen = try session.wait("what is gone", isStyled: true) {
      TerminalSession.plain($0).contains("-1 gone")
    }
    let styled = screen.split(separator: "\n").map(String.init)
    for (text, colour) in [("new", "[32m"), ("other", "[33m"), ("tool 1", "[34m")] {
      let line = styled.first { $0.hasSuffix(text) || $0.contains(text + "\u{1B}") }
      #expect(line?.contains(colour) == true, "\(text): \(line ?? "is not shown")")
    }
    let lines = TerminalSession.plain(screen).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("+  0  kind 0  new") })
    #expect(lines.contains { $0.hasPrefix("~  8  kind 0  other") })
    #expect(lines.contains { $0.hasPrefix(">  1  kind 0  tool 1") })
    try session.wait("the colours to fade") { !$0.contains("gone") && !$0.contains("+ ") }
    #expect(try !session.screen(isStyled: true).contains("[32m"))
    #expect(try self.lines(session)[0].contains("changed "))
  }

  @Test func keysScrollJumpFoldAndHelp() throws {
    let session = try session()
    try session.press("Down", "Down")
    try session.wait("the third row") { shows($0, "▾ kind 0 (50)", "12") }
    try session.type("n")
    try session.wait("the second section") { shows($0, "▾ kind 1 (50)", "1") }
    try session.press("Tab")
    try session.wait("the folded section") {
      $0.contains("▸ kind 1 (50)\n▾ kind 2 (50)\n") && shows($0, "▾ kind 2 (50)", "2")
    }
    try session.press("End")
    try session.wait("the end") { $0.contains("199  kind 3  tool 199\n") }
    try session.press("PPage")
    try session.wait("a page up") { !$0.contains("tool 199") && $0.contains("▾ kind 3") }
    try session.type("?")
    try session.wait(for: "folds the section")
    try session.type("xg")
    try session.wait("the beginning") { shows($0, "▾ kind 0 (50)", "4") }
    try session.press("C-c")
    #expect(try session.exitCode() == 0)
  }

  @Test func theRowAtTheTopStaysWhileOthersComeAbove() throws {
    let session = try session()
    try session.type("n")
    try session.press("Down", "Down", "Down")
    try session.wait("the row") { shows($0, "▾ kind 1 (50)", "13") }
    try write("INSERT INTO tool VALUES (-1, 'kind 0', 'a'), (-2, 'kind 1', 'b'), (-3, 'a', 'c')")
    try session.wait("the new rows, out of sight") {
      $0.contains("203 rows in 5 sections") && shows($0, "▾ kind 1 (51)", "13")
    }
  }

  @Test func theSizeMayChangeAndBeTiny() throws {
    let session = try session()
    for (width, height) in [(20, 5), (120, 40), (4, 2), (60, 10)] {
      try session.resize(width: width, height: height)
      try session.wait("the size \(width)×\(height)") { screen in
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        let isWhole = height < 5 || lines.contains { $0.hasPrefix("▾ kind 0") }
        let isFilled = width < 20 || lines[height - 1].contains("? help")
        return isWhole && lines.count - 1 == height && lines[0].hasPrefix(" to") && isFilled
      }
    }
    try session.type("q")
    #expect(try session.exitCode() == 0)
  }

  @Test func withoutColoursTheMarksStay() throws {
    let session = try session(environment: ["NO_COLOR": "1"])
    try write("INSERT INTO tool VALUES (0, 'kind 0', 'new')")
    try session.wait(for: "+  0  kind 0  new")
    #expect(try !session.screen(isStyled: true).contains("[32m"))
  }

  @Test func errorsAreSaidWhenTheTerminalIsBack() throws {
    let session = try session()
    #expect(rename(path, path + ".old") == 0)
    #expect(try session.exitCode() == 74)
    let screen = try session.screen().replacing("\n", with: "")
    #expect(screen.contains("Error: "))
    #expect(screen.contains("was replaced, renamed or deleted"))
    #expect(!screen.contains("kind 0"))
  }

  @Test func whatItCannotShowIsRefused() throws {
    let request = ["watch", path, "--table", "tool", "--tui"]
    let run = try CommandRun(request)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("needs a terminal"))
    #expect(run.errors.contains("\nHint: "))
    #expect(try CommandRun(request + ["--ndjson"]).code == 64)
    #expect(try CommandRun(request + ["--exec", "true"]).code == 64)
    let unknown = try TerminalSession(request, environment: ["TERM": "no-such-terminal"])
    #expect(try unknown.exitCode() == 64)
    let dumb = try TerminalSession(request, environment: ["TERM": "dumb"])
    #expect(try dumb.exitCode() == 64)
    #expect(try dumb.screen().contains("cannot move its cursor"))
    let missing = try TerminalSession(["watch", path, "--table", "nothing", "--tui"])
    #expect(try missing.exitCode() == 65)
  }
}
