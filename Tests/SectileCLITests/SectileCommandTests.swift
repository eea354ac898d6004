import Testing

@testable import SectileCLI

@Suite struct SectileCommandTests {
  @Test func withoutArgumentsItExplainsItself() throws {
    let run = try CommandRun([])
    #expect(run.code == 0)
    #expect(run.output.contains("demo"))
    #expect(run.output.contains("sqlite"))
  }

  @Test func unknownSubcommandsAndOptionsAreUsageErrors() throws {
    #expect(try CommandRun(["frobnicate"]).code == 64)
    #expect(try CommandRun(["demo", "--frobnicate"]).code == 64)
  }

  @Test func theVersionIsOneLine() throws {
    let run = try CommandRun(["--version"])
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count == 1)
  }
}
