import Foundation
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct DemoCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func parsesItsArguments() throws {
    let command = try #require(
      SectileCommand.parseAsRoot(
        ["demo", "--input", "s", "--database", "d", "--rows", "0", "--watch", "--interval", "0.5"])
        as? DemoCommand)
    #expect(command.input == "s")
    #expect(command.database == "d")
    #expect(command.rows == 0)
    #expect(command.watch)
    #expect(command.interval == 0.5)
  }

  @Test(arguments: [["--rows", "-1"], ["--interval", "0"], ["--interval", "nan"]])
  func valuesThatMakeNoSenseAreUsageErrors(arguments: [String]) {
    #expect(throws: (any Error).self) { try SectileCommand.parseAsRoot(["demo"] + arguments) }
  }

  @Test func printsSectionsAndTheDiffOfEachTransaction() throws {
    let run = try CommandRun(["demo", "--input", Fixture.status])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let text = run.output
    for line in [
      "14 packages in 7 sections", "libs (5)", "shells (2)", "(no section) (1)",
      "1. Upgrade libc6:amd64", "R~ [3,0]→[3,0]  libc6:amd64 2.36-9+deb12u10+demo1",
      "2. Remove zlib1g:amd64", "R- [3,4]  zlib1g:amd64",
      "S+ 4  sectile-demo", "R+ [4,0]  sectile-demo:all 1.0, 1 MiB",
      "S- ", "R> ", "no callbacks: nothing changed", "rolled back",
    ] {
      #expect(text.contains(line), "\(line) is missing in:\n\(text)")
    }
    // First load and six transactions that change something.
    #expect(text.components(separatedBy: "willLoad").count == 8)
    #expect(text.components(separatedBy: "didFinishLoading").count == 8)
  }

  @Test func twoRunsPrintTheSame() throws {
    let times = #/in [0-9.]+ (µs|ms|s)|took [0-9.]+ (µs|ms|s)|Database: .*/#
    let runs = try (0..<2).map { _ in
      try CommandRun(["demo", "--input", Fixture.status]).output.replacing(times, with: "")
    }
    #expect(runs[0] == runs[1])
  }

  @Test func aDatabaseThatIsNamedIsKept() throws {
    let path = folder.file("packages.sqlite")
    #expect(try CommandRun(["demo", "--input", Fixture.status, "--database", path]).code == 0)
    let count = try CommandRun(
      ["sqlite", path, "--mode", "list", "SELECT count(*) FROM package"])
    #expect(count.output == "14\n")
    // The second run brings the table back to the input, and changes only what differs.
    let again = try CommandRun(["demo", "--input", Fixture.status, "--database", path])
    #expect(again.code == 0)
    #expect(again.output.contains("14 packages in 7 sections"))
  }

  @Test func aTemporaryDatabaseGoesAway() throws {
    let run = try CommandRun(
      ["demo", "--input", Fixture.status], environment: ["TMPDIR": folder.url.path])
    #expect(run.output.contains(folder.url.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func anInputThatIsMissingIsNoInput() throws {
    let run = try CommandRun(["demo", "--input", folder.file("missing")])
    #expect(run.code == 66)
    #expect(run.errors.contains("Hint: "))
  }

  @Test func watchingFollowsTheFileAndStopsOnASignal() throws {
    let input = folder.file("status")
    try FileManager.default.copyItem(atPath: Fixture.status, toPath: input)
    let database = folder.file("packages.sqlite")
    let process = try CommandRun.process(
      ["demo", "--watch", "--interval", "0.05", "--rows", "0", "--input", input]
        + ["--database", database])
    let lines = LineReader()
    process.standardOutput = lines.pipe
    try process.run()
    #expect(lines.wait(for: "Watching"))

    let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: input)), as: UTF8.self)
    let next = try folder.write(
      text.replacing("Version: 0.5.12-2", with: "Version: 0.5.13-1"), to: "status-new")
    #expect(rename(next, input) == 0)
    #expect(lines.wait(for: "dash:amd64 0.5.13-1"))

    let outside = try CommandRun(
      ["sqlite", database, "--writable", "DELETE FROM package WHERE name = 'bash'"])
    #expect(outside.code == 0)
    #expect(lines.wait(for: "bash:amd64"))

    process.interrupt()
    #expect(lines.wait(for: "Stopped."))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

/// Reads a process's output and waits for lines in it.
private final class LineReader: @unchecked Sendable {
  // Guard: `condition`, held for every access to `text`.
  private let condition = NSCondition()
  private var text = ""
  private var position = 0
  let pipe = Pipe()

  init() {
    pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      guard let self, !data.isEmpty else {
        handle.readabilityHandler = nil
        return
      }
      condition.withLock {
        self.text += String(decoding: data, as: UTF8.self)
        self.condition.broadcast()
      }
    }
  }

  /// Waits until a text occurs after the one that was waited for before.
  func wait(for wanted: String) -> Bool {
    let limit = Date(timeIntervalSinceNow: 240)
    return condition.withLock {
      while true {
        let start = text.index(text.startIndex, offsetBy: position)
        if let range = text[start...].range(of: wanted) {
          position = text.distance(from: text.startIndex, to: range.upperBound)
          return true
        }
        if !condition.wait(until: limit) { return false }
      }
    }
  }
}
