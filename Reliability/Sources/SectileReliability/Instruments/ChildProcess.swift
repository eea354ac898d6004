internal import Foundation

/// This program, run again as a process of its own.
final class ChildProcess {
  private let process = Process()
  private let output = Pipe()

  init(
    workload: String, path: String, seed: UInt64, killAt: Int = 0, isTorn: Bool = false
  ) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments =
      ["--child", workload, "--file", path, "--seed", "\(seed)", "--kill-at", "\(killAt)"]
      + (isTorn ? ["--torn"] : [])
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  /// What it said, once it has ended.
  func lines() -> [String] {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // A line without its end was not said.
    return String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }

  var isRunning: Bool { process.isRunning }

  /// Its exit code, or the signal that ended it.
  var status: Int32 { process.terminationStatus }
}
