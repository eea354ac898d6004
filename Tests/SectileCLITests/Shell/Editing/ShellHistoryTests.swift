import Foundation
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite struct ShellHistoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func theFileIsWhereTheEnvironmentSays() throws {
    let state = folder.file("state")
    ShellHistory(environment: ["XDG_STATE_HOME": state, "HOME": "/nowhere"]).keep("SELECT 1;")
    #expect(FileManager.default.fileExists(atPath: state + "/sectile/history"))
    ShellHistory(environment: ["HOME": folder.url.path]).keep("SELECT 2;")
    let home = folder.file(".local/state/sectile/history")
    #expect(try String(contentsOfFile: home, encoding: .utf8) == "SELECT 2;\n")
    let named = folder.file("named")
    ShellHistory(environment: ["SECTILE_HISTORY": named]).keep("SELECT 3;")
    #expect(FileManager.default.fileExists(atPath: named))
    ShellHistory(environment: ["SECTILE_HISTORY": "", "HOME": folder.file("none")]).keep(
      "SELECT 4;")
    #expect(!FileManager.default.fileExists(atPath: folder.file("none")))
  }

  @Test func whatIsNotWorthKeepingIsNotKept() {
    let path = folder.file("history")
    let history = ShellHistory(environment: ["SECTILE_HISTORY": path])
    #expect(history.append("SELECT 1;") == "SELECT 1;")
    for entry in ["SELECT 1;", "", "  ", " secret", "SELECT '\u{1B}[2J'", "a\u{202E}b"] {
      #expect(history.append(entry) == nil)
    }
    #expect(history.append("SELECT 2;  ") == "SELECT 2;")
    let next = ShellHistory(environment: ["SECTILE_HISTORY": path])
    #expect(next.load() == ["SELECT 1;", "SELECT 2;"])
    #expect(next.append("SELECT 2;") == nil)
  }

  @Test func anEntryOfSeveralLinesComesBackAsItWas() throws {
    let path = try folder.write("SELECT 1;\n", to: "history")
    let history = ShellHistory(environment: ["SECTILE_HISTORY": path])
    #expect(history.load() == ["SELECT 1;"])
    let entry = "SELECT 'a\tb'\n\t-- a comment\n\nFROM tool;"
    #expect(history.append(entry) == entry)
    _ = history.append("SELECT 2;")
    #expect(
      ShellHistory(environment: ["SECTILE_HISTORY": path]).load()
        == ["SELECT 1;", entry, "SELECT 2;"])
  }

  @Test func aFileFromElsewhereDoesNoHarm() throws {
    let path = try folder.write("good\n\u{1B}]0;PWNED\u{7}\nbad\u{9B}\nalso good", to: "history")
    #expect(
      ShellHistory(environment: ["SECTILE_HISTORY": path]).load() == ["good", "also good"])
  }

  @Test func aLongHistoryIsCut() throws {
    let lines = (0..<(2 * ShellHistory.entryLimit + 1)).map { "SELECT \($0);" }
    let path = try folder.write(lines.map { $0 + "\n" }.joined(), to: "history")
    #expect(
      ShellHistory(environment: ["SECTILE_HISTORY": path]).load().count == ShellHistory.entryLimit)
    let kept = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(kept.count == ShellHistory.entryLimit)
    #expect(kept.last == "SELECT \(2 * ShellHistory.entryLimit);")
  }

  @Test func whatCannotBeWrittenIsNoFailure() throws {
    let file = try folder.write("", to: "file")
    let history = ShellHistory(environment: ["SECTILE_HISTORY": file + "/history"])
    #expect(history.load().isEmpty)
    #expect(history.append("SELECT 1;") == "SELECT 1;")
  }
}

extension ShellHistory {
  fileprivate func keep(_ entry: String) {
    _ = append(entry)
  }
}
