import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct PlainArgumentsTests {
  @Test(arguments: [
    [], ["sqlite"], ["sqlite", "--help"], ["sqlite", "a.db", "-h"], ["sqlite", "a.db", "--", "-1"],
    ["sqlite", "--mode", "csv", "a.db"], ["watch", "a.db"], ["help", "sqlite"], ["--version"],
  ])
  func othersAreForTheParser(arguments: [String]) {
    #expect(PlainArguments.command(arguments) == nil)
  }

  /// What has no default of its own on this way would trap when it is asked for.
  @Test func aLineWithoutOptionsIsWhatTheParserMakesOfIt() throws {
    let folder = try TemporaryFolder()
    let path = try Database.make(
      "CREATE TABLE tool (id INTEGER PRIMARY KEY, name); INSERT INTO tool VALUES (1, NULL)",
      in: folder)
    for sql in [["SELECT * FROM tool", ".tables"], [], [".schema tool"], ["SELEC 1"]] {
      let plain = try CommandRun(["sqlite", path] + sql)
      let parsed = try CommandRun(["sqlite", "--mode", "table", path] + sql)
      #expect(plain.hasExited)
      #expect(plain.output == parsed.output)
      #expect(plain.errors == parsed.errors)
      #expect(plain.code == parsed.code)
    }
  }
}
