internal import Foundation
internal import Glibc

/// This program, run again as a process of its own.
final class ChildProcess {
  private let process = Process()
  private let output = Pipe()
  private let input: Pipe?
  private var said: [UInt8] = []

  init(
    workload: String, path: String, seed: UInt64, killAt: Int = 0, isTorn: Bool = false,
    listens: Bool = false, seconds: Int = 0, checkpointPages: Int = 0
  ) throws {
    input = listens ? Pipe() : nil
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments =
      [
        "--child", workload, "--file", path, "--seed", "\(seed)", "--kill-at", "\(killAt)",
        "--child-seconds", "\(seconds)", "--checkpoint-pages", "\(checkpointPages)",
      ] + (isTorn ? ["--torn"] : [])
    if let input { process.standardInput = input }
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

  /// The next line it says; nil where it ends instead.
  func nextLine() -> String? {
    while true {
      if let end = said.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: said[..<end], as: UTF8.self)
        said.removeSubrange(...end)
        return line
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      said += data
    }
  }

  /// Says a line to it, if it listens.
  func tell(_ line: String) { input?.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// Ends it, where it has not come to its end.
  func kill() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Ends it at whatever it is doing, with SIGKILL; whoever needs its end waits for that.
  func killAtOnce() {
    if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
  }

  var isRunning: Bool { process.isRunning }

  /// Its exit code, or the signal that ended it.
  var status: Int32 { process.terminationStatus }
}
