internal import ArgumentParser
internal import Foundation

/// Another process that commits one row after another, written in C.
struct OutsideWriter {
  /// A row that was committed.
  struct Row {
    let id: Int64
    /// When COMMIT had returned, in nanoseconds of the stopwatch's clock, which all processes
    /// share.
    let committed: Double
  }

  let path: String
  let folder: WorkFolder

  /// Has it write, and waits for its end.
  ///
  /// - Parameters:
  ///   - count: How many commits it makes, each of another row.
  ///   - pause: How far apart they are, in microseconds.
  ///   - size: How many rows there are.
  /// - Returns: The rows.
  /// - Throws: Where the process fails.
  func write(_ count: Int, pause: Int, of size: Int) throws -> [Row] {
    let program = Program(
      [
        "/proc/self/exe", WriteRowsCommand.configuration.commandName ?? "", path, "\(count)",
        "\(pause)", "\(size)",
      ], output: folder.newPath())
    try program.run()
    return try program.text().split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let id = Int64(words[0]), let time = Double(words[1]) else {
        throw WrongResult("the other process wrote: \(line)")
      }
      return Row(id: id, committed: time)
    }
  }
}

/// What the other process does.
struct WriteRowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "write-rows", shouldDisplay: false)

  @Argument var path: String
  @Argument var count: Int
  @Argument var pause: Int
  @Argument var size: Int

  func run() throws {
    let database = try CDatabase(path: path)
    var generator = TrackGenerator(seed: 17 + UInt64(count))
    var lines: [String] = []
    let stride = max(1, size / count)
    for number in 0..<count {
      let id = number * stride + 1
      usleep(UInt32(pause))
      try database.execute("UPDATE track SET title = '\(generator.title())' WHERE id = \(id)")
      lines.append("\(id) \(Stopwatch.now.wall)")
    }
    print(lines.joined(separator: "\n"))
  }
}
