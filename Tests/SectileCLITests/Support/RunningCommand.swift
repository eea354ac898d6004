import Foundation

/// A run of the built `sectile` that goes on, and whose lines can be waited for.
final class RunningCommand: @unchecked Sendable {
  // Guard: `condition`, held for every access to `rest`, `gathered` and `isAtEnd`.
  private let condition = NSCondition()
  private var rest = Data()
  private var gathered: [String] = []
  private var isAtEnd = false
  private let process: Process
  private let errorFile: URL

  /// Starts the binary.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process = try CommandRun.process(arguments, environment: environment)
    errorFile = FileManager.default.temporaryDirectory
      .appendingPathComponent("sectile-errors-\(UUID().uuidString)")
    try Data().write(to: errorFile)
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    Thread.detachNewThread { [self] in
      while true {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        condition.withLock { take(data) }
      }
      condition.withLock {
        isAtEnd = true
        condition.broadcast()
      }
    }
  }

  deinit {
    if process.isRunning { process.terminate() }
    try? FileManager.default.removeItem(at: errorFile)
  }

  private func take(_ data: Data) {
    rest.append(data)
    guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
    for line in rest[..<last].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      gathered.append(String(decoding: line, as: UTF8.self))
    }
    rest = Data(rest[rest.index(after: last)...])
    condition.broadcast()
  }

  /// The lines so far.
  var lines: [String] { condition.withLock { gathered } }

  /// What was written to standard error so far.
  var errors: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

  /// Waits until a line fulfils a condition; returns false after four minutes, or at the end.
  func wait(until isRight: (String) -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: 240)
    var looked = 0
    return condition.withLock {
      while true {
        if gathered[looked...].contains(where: isRight) { return true }
        looked = gathered.count
        if isAtEnd || !condition.wait(until: limit) { return false }
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
    condition.withLock { while !isAtEnd { condition.wait() } }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
