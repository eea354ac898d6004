import Foundation
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

  @Test func aClosedPipeEndsQuietly() throws {
    let process = try CommandRun.process(["--help"])
    let pipe = Pipe()
    let errors = Pipe()
    try pipe.fileHandleForReading.close()
    process.standardOutput = pipe
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(try errors.fileHandleForReading.readToEnd()?.isEmpty != false)
  }
}
