import ArgumentParser
import Sectile
import Testing

@testable import SectileCLI

@Suite struct CommandFailureTests {
  @Test(arguments: [
    (StoreError.Code.cannotOpen, CommandFailure.Code.noInput), (.notADatabase, .data),
    (.corrupt, .data), (.statementFailed, .data), (.migrationChanged, .data), (.busy, .inputOutput),
    (.diskFull, .inputOutput), (.ioError, .inputOutput), (.readOnly, .inputOutput),
    (.storeClosed, .internal), (.reentrantAccess, .internal), (.interrupted, .interrupted),
  ])
  func storeErrorsHaveExitCodes(code: StoreError.Code, expected: CommandFailure.Code) {
    #expect(CommandFailure(StoreError(code, message: "m"))?.code == expected)
  }

  @Test func linesAreTheMessageAndTheHint() {
    let failure = CommandFailure(.data, "bad\u{1B}[0m", hint: "repair it")
    #expect(failure.lines == ["Error: bad\\u{1B}[0m", "Hint: repair it"])
    #expect(CommandFailure(.failed, "no").lines == ["Error: no"])
  }

  @Test func aRefusalOfTheReadOnlyConnectionNamesTheFlag() {
    let failure = CommandFailure(StoreError(.notAuthorized, message: "m", hint: "h"))
    #expect(failure?.hint?.contains("--writable") == true)
  }

  @Test(arguments: [StoreError.Code.busy, .readOnly])
  func hintsNameNothingOfTheLibrary(code: StoreError.Code) throws {
    let error = StoreError(code, message: "m", hint: "raise StoreConfiguration.busyTimeout")
    let hint = try #require(CommandFailure(error)?.hint)
    #expect(!hint.contains("Store"))
  }

  @Test func errorsOfTheArgumentParserAreLeftToIt() {
    #expect(CommandFailure(ValidationError("no")) == nil)
    #expect(CommandFailure(CleanExit.message("yes")) == nil)
    #expect(CommandFailure(ExitCode(1)) == nil)
    for arguments in [
      ["--help"], ["help", "watch"], ["watch"], ["--frobnicate"], ["--version"], [],
    ] {
      #expect(throws: (any Error).self) {
        do {
          var command = try SectileCommand.parseAsRoot(arguments)
          try command.run()
        } catch {
          #expect(CommandFailure(error) == nil, "\(arguments)")
          throw error
        }
      }
    }
  }

  @Test func errorsThatNobodyKnowsAreMistakesOfTheProgram() {
    struct Other: Error {}
    #expect(CommandFailure(Other())?.code == .internal)
    #expect(CommandFailure(CancellationError())?.code == .internal)
    // What ends a command quietly is no failure.
    #expect(CommandFailure(ClosedPipe()) == nil)
  }
}
