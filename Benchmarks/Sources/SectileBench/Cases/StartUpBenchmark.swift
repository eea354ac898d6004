internal import CBaseline
internal import Foundation
internal import Sectile

/// The command line tool from its start to its end, next to SQLite's own shell.
enum StartUpBenchmark: Benchmark {
  static let name = "start-up"
  static let summary = "sectile sqlite FILE 'SELECT 1', against sqlite3"
  static let goals = ["S1"]
  static let storages = [Storage.file]
  static let hasFileGoal = true
  static let runsOnce = true

  private static let runs = 30

  static func run(_ bench: Bench) throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let tool = folder.appendingPathComponent("sectile").path
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      return print("start-up is left out: sectile was not built beside the benchmark.")
    }
    guard let shell = path(of: "sqlite3") else {
      return print("start-up is left out: there is no sqlite3 on PATH.")
    }
    let file = bench.folder.newPath()
    let store = try Store.open(at: file)
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
    try store.close()
    let output = bench.folder.newPath()
    let ours = Program([tool, "sqlite", "--mode", "list", file, "SELECT 1"], output: output)
    let theirs = Program([shell, file, "SELECT 1"], output: output)
    var samples: [[Sample]] = [[], []]
    // Each program once before, for the caches of the system.
    for round in 0...runs {
      for side in round % 2 == 0 ? [0, 1] : [1, 0] {
        let sample = try (side == 0 ? ours : theirs).run(expecting: "1\n")
        if round > 0 { samples[side].append(sample) }
      }
    }
    bench.reportRatio(
      "sectile sqlite 'SELECT 1' / sqlite3", samples[0], to: samples[1], goal: "S1")
    bench.reportTime("sectile sqlite, start to end", samples[0])
    bench.reportTime("sqlite3, start to end", samples[1])
    bench.report("sectile sqlite, peak of resident memory", [try ours.peakMemory()], .bytes)
    bench.report("sqlite3, peak of resident memory", [try theirs.peakMemory()], .bytes)
    let size = try FileManager.default.attributesOfItem(atPath: tool)[.size] as? Int ?? 0
    bench.report("sectile, size of the program", [Double(size)], .bytes)
  }

  private static func path(of program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A program with its arguments.
private struct Program {
  let arguments: [String]
  let output: String

  init(_ arguments: [String], output: String) {
    self.arguments = arguments
    self.output = output
  }

  /// Runs it, and checks what it wrote.
  func run(expecting expected: String) throws -> Sample {
    var sample = Sample(cpu: 0, wall: 0)
    let code = withArguments { program_run($0, output, &sample.cpu, &sample.wall) }
    try verify(code == 0, "\(arguments[0]) ended with \(code)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    try verify(text == expected, "\(arguments[0]) wrote \(text)")
    return sample
  }

  /// Returns the peak of its resident memory in bytes: the median of five runs.
  func peakMemory() throws -> Double {
    let peaks = (0..<5).map { _ in Double(withArguments { program_peak_memory($0) }) }
    try verify(peaks.allSatisfy { $0 > 0 }, "the memory of \(arguments[0]) cannot be read")
    return Spread(peaks).median
  }

  private func withArguments<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }
}
