import Testing

@testable import SectileCLI

@Suite struct OutputTests {
  @Test func linesAreGatheredUntilTheyAreFlushed() throws {
    let captured = CapturedOutput()
    let output = captured.output
    try output.line("one")
    #expect(captured.text.isEmpty)
    try output.flush()
    try output.flush()
    #expect(captured.text == "one\n")
  }

  @Test func aFullBlockIsWrittenWithoutFlushing() throws {
    let captured = CapturedOutput()
    let output = captured.output
    try output.write(String(repeating: "x", count: 100_000))
    #expect(captured.text.count == 65_536)
    try output.flush()
    #expect(captured.text == String(repeating: "x", count: 100_000))
  }

  @Test func whatCannotBeWrittenIsAnError() throws {
    let output = Output { _ in throw CommandFailure(.inputOutput, "full") }
    try output.line("lost")
    #expect(throws: CommandFailure.self) { try output.flush() }
  }

  @Test func aClosedDescriptorIsAnError() throws {
    let output = Output(descriptor: -1)
    try output.line("lost")
    let failure = #expect(throws: CommandFailure.self) { try output.flush() }
    #expect(failure?.code == .inputOutput)
  }
}
