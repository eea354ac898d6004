import Foundation

/// A run of the built `sectile` that goes on, and whose lines can be waited for.
///
/// A command that nobody needs any more is ended.
final class RunningCommand: Sendable {
  /// What the command has written; the thread that reads it holds this alone.
  private final class Output: @unchecked Sendable {
    // Guard: `condition`, held for every access to `rest`, `lines` and `isAtEnd`.
    let condition = NSCondition()
    private var rest = Data()
    var lines: [String] = []
    var isAtEnd = false

    func read(_ file: FileHandle) {
      while true {
        let data = file.availableData
        if data.isEmpty { break }
        condition.withLock { take(data) }
      }
      condition.withLock {
        isAtEnd = true
        condition.broadcast()
      }
    }

    private func take(_ data: Data) {
      rest.append(data)
      guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
      let whole = rest[..<last].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      lines += whole.map { String(decoding: $0, as: UTF8.self) }
      rest = Data(rest[rest.index(after: last)...])
      condition.broadcast()
    }
  }

  private let output = Output()
  private let process: Process
  private let errorFile: URL

  /// Waits until the command has had so much of a processor's time, however busy the machine is.
  func waitForProcessorTime(ofSeconds seconds: Int) {
    let ticks = UInt64(seconds * sysconf(Int32(_SC_CLK_TCK)))
    while isRunning {
      let stat = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
      // Behind the name: the state is the first field, and the times are the 12th and 13th.
      let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
      if fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]),
        user + system >= ticks
      {
        return
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// Starts the binary.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process = try CommandRun.process(arguments, environment: environment)
    errorFile = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-errors-\(UUID().uuidString)")
    try Data().write(to: errorFile)
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    Thread.detachNewThread { [output] in output.read(pipe.fileHandleForReading) }
  }

  deinit {
    if process.isRunning { process.terminate() }
    try? FileManager.default.removeItem(at: errorFile)
  }

  /// The lines so far.
  var lines: [String] { output.condition.withLock { output.lines } }

  /// What was written to standard error so far.
  var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

  /// Waits until a line fulfils a condition; returns false after four minutes, or at the end.
  func wait(until isRight: (String) -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: 240)
    var looked = 0
    return output.condition.withLock {
      while true {
        if output.lines[looked...].contains(where: isRight) { return true }
        looked = output.lines.count
        if output.isAtEnd || !output.condition.wait(until: limit) { return false }
      }
    }
  }

  /// Waits for a line that contains a text.
  func wait(for text: String) -> Bool { wait { $0.contains(text) } }

  /// Waits until the command has a file open for writing; returns false after four minutes, or at
  /// the end.
  func waitToWrite(to path: String) -> Bool {
    let folder = "/proc/\(process.processIdentifier)"
    let limit = Date(timeIntervalSinceNow: 240)
    while process.isRunning && Date() < limit {
      let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")) ?? []
      let isWriting = numbers.contains { number in
        guard
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\(number)"))
            == path,
          let flags = try? String(contentsOfFile: "\(folder)/fdinfo/\(number)", encoding: .utf8)
            .split(separator: "\n").first(where: { $0.hasPrefix("flags:") })?
            .split(whereSeparator: \.isWhitespace).last
        else { return false }
        return Int32(flags, radix: 8).map { $0 & O_ACCMODE == O_RDWR } ?? false
      }
      if isWriting { return true }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return false
  }

  /// Whether it goes on.
  var isRunning: Bool { process.isRunning }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end and returns the exit code; the lines are complete then.
  func exitCode() -> Int32 {
    process.waitUntilExit()
    output.condition.withLock { while !output.isAtEnd { output.condition.wait() } }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
