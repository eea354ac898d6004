import Foundation
import Testing

@testable import SectileCLI

@Suite(.timeLimit(.minutes(60))) struct OutputTests {
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

  /// Nobody reads before all is written, which is more than a pipe holds.
  @Test func whatNobodyTakesIsKeptInOrder() throws {
    let pipe = Pipe()
    let output = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let isWritten = DispatchSemaphore(value: 0)
    let isRead = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var read = Data()
    Thread.detachNewThread {
      isWritten.wait()
      read = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
      isRead.signal()
    }
    let lines = (0..<40_000).map { "line \($0)\n" }.joined()
    try output.withoutWaiting {
      try output.write("begin\n")
      try output.flush()
      try output.write(lines)
      try output.flush()
      isWritten.signal()
    }
    try output.line("end")
    try output.flush()
    try pipe.fileHandleForWriting.close()
    isRead.wait()
    #expect(read == Data("begin\n\(lines)end\n".utf8))
  }

  @Test func anErrorOfWhatDoesNotWaitIsThrown() throws {
    struct Problem: Error {}
    let pipe = Pipe()
    let output = Output(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    #expect(throws: Problem.self) { try output.withoutWaiting { throw Problem() } }
    try output.line("after")
    try output.flush()
    #expect(pipe.fileHandleForReading.availableData == Data("after\n".utf8))
  }

  @Test func aClosedDescriptorIsAnError() throws {
    let output = Output(descriptor: -1)
    try output.line("lost")
    let failure = #expect(throws: CommandFailure.self) { try output.flush() }
    #expect(failure?.code == .inputOutput)
  }
}
