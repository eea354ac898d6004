import Foundation
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// Files that SQLite cannot write anything beside.
@Suite(
  .ownThreads, .timeLimit(.minutes(60)),
  .enabled(
    if: ThisMachine.runs(
      "OpeningOptionsTests", if: UnwritableFolder.isPossible,
      otherwise: "root can write everywhere, and setpriv is not installed")))
struct OpeningOptionsTests {
  private static let table = """
    CREATE TABLE tool (id INTEGER PRIMARY KEY, kind TEXT); INSERT INTO tool VALUES (1, 'saw');
    """
  private static let withLog = "PRAGMA journal_mode = WAL; " + table

  /// How each command reads a file, without `--immutable`.
  private static let commands = [
    ["watch", "FILE", "--table", "tool", "--for", "0"],
    ["sections", "FILE", "--table", "tool", "--section-by", "kind"],
    ["export", "FILE", "--table", "tool"], ["explain", "FILE", "--table", "tool"],
    ["verify", "FILE"], ["backup", "FILE", "COPY", "--force"],
  ]

  private func run(_ command: [String], _ sql: String, _ more: String...) throws -> ProgramRun {
    let folder = try TemporaryFolder()
    let unwritable = try UnwritableFolder(sql, in: folder)
    defer { unwritable.unlock() }
    let names = ["FILE": unwritable.path, "COPY": folder.file("copy.sqlite")]
    return try unwritable.run(command.map { names[$0] ?? $0 } + more)
  }

  @Test(arguments: commands) func aFileWithoutALogIsReadFromAFolderThatCannotBeWritten(
    command: [String]
  ) throws {
    let run = try run(command, Self.table)
    #expect(run.code == 0, "\(String(decoding: run.errors, as: UTF8.self))")
  }

  @Test(arguments: commands) func aLogThatCannotBeWrittenIsTheSameFailureEverywhere(
    command: [String]
  ) throws {
    let run = try run(command, Self.withLog)
    #expect(run.code == 66)
    let lines = String(decoding: run.errors, as: UTF8.self).split(separator: "\n")
    try #require(lines.count == 2)
    #expect(
      lines[0].hasPrefix("Error: ") && lines[0].contains("the log beside the file cannot be used"))
    #expect(lines[1].hasPrefix("Hint: ") && lines[1].contains("--immutable"))
  }

  /// Without the index of the log, nobody can read the log.
  @Test(arguments: commands) func aLogWithoutItsIndexIsTheSameFailure(command: [String]) throws {
    let folder = try TemporaryFolder()
    let unwritable = try UnwritableFolder(Self.withLog, logging: "SELECT 1", in: folder)
    defer { unwritable.unlock() }
    let names = ["FILE": unwritable.path, "COPY": folder.file("copy.sqlite")]
    let words = command.map { names[$0] ?? $0 }
    let run = try unwritable.run(words)
    #expect(run.code == 66)
    let errors = String(decoding: run.errors, as: UTF8.self)
    #expect(errors.contains("the log beside the file cannot be used"))
    // It would hide what was committed.
    #expect(!errors.contains("--immutable"))
    let immutable = try unwritable.run(words + ["--immutable"])
    #expect(String(decoding: immutable.errors, as: UTF8.self).contains("Note: the log beside"))
  }

  @Test(arguments: commands) func aFileThatNobodyChangesIsReadFromAnywhere(
    command: [String]
  ) throws {
    let run = try run(command, Self.withLog, "--immutable")
    #expect(run.code == 0, "\(String(decoding: run.errors, as: UTF8.self))")
    #expect(run.errors.isEmpty)
  }

  @Test func aWatchOfAFileThatNobodyChangesSaysSo() throws {
    let watch = ["watch", "FILE", "--table", "tool", "--for", "0"]
    let text = try run(watch, Self.withLog, "--immutable").output
    #expect(String(decoding: text, as: UTF8.self).contains("a file that nobody changes"))
    let json = try run(watch, Self.withLog, "--immutable", "--ndjson").output
    #expect(String(decoding: json, as: UTF8.self).contains("\"immutable\":true}"))
    for option in [["--exec", "true"], ["--until-changes", "1"]] {
      #expect(try CommandRun(["watch", "x", "--table", "t", "--immutable"] + option).code == 64)
    }
  }
}
