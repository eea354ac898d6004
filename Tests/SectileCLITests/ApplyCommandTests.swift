import Foundation
import Sectile
import SectileInspecting
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ApplyCommandTests {
  private static let schema = """
    CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size);
    CREATE TABLE log (what);
    CREATE TRIGGER counted AFTER UPDATE ON tool BEGIN INSERT INTO log VALUES (new.id); END;
    """

  private let folder: TemporaryFolder
  private let before: String
  private let after: String

  init() throws {
    folder = try TemporaryFolder()
    before = try Database.make(
      Self.schema + "INSERT INTO tool VALUES (1, 'saw', 1), (2, 'axe', 2), (3, 'nail', x'00')",
      in: folder, as: "before.sqlite")
    after = try Database.make(
      Self.schema + "INSERT INTO tool VALUES (1, 'axe', 1), (2, 'saw', 2.0), (4, 'hammer', NULL)",
      in: folder, as: "after.sqlite")
  }

  private func patch(_ arguments: String...) throws -> String {
    try CommandRun(["diff", before, after, "--ndjson"] + arguments).output
  }

  private func change(_ path: String, _ sql: String) throws {
    let connection = try InspectionConnection(path: path, access: .readWrite)
    try connection.run(sql) { _ in }
  }

  private func rows(_ path: String) throws -> [String] {
    var rows: [String] = []
    try InspectionConnection(path: path).run("SELECT id, name, size FROM tool ORDER BY id") { row in
      rows.append(row.map(\.description).joined(separator: " "))
    }
    return rows
  }

  @Test func aPatchIsAppliedAndNoTriggerRuns() throws {
    let run = try CommandRun(["apply", before], input: patch())
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("1 row inserted, 2 updated, 1 deleted in "))
    #expect(try RandomFile.differences(before, after) == [])
    #expect(try CommandRun(["diff", before, after]).code == 0)
  }

  // MARK: - Change logs

  private func enableLog(of path: String) throws {
    #expect(try CommandRun(["log", path, "enable"]).code == 0)
  }

  /// What the log of a file names, each row once: `delete tool 3`.
  private func logged(_ path: String) throws -> Set<String> {
    let lines: [Substring] = try CommandRun(["log", path]).output.split(separator: "\n")
    let trimmed = lines.map { line in String(line.drop { $0 == " " }) }
    return Set(trimmed.filter { $0.contains(" tool ") || $0.contains(" log ") })
  }

  @Test(arguments: ["error", "force"])
  func aPatchIsLoggedAndNoOtherTriggerRuns(policy: String) throws {
    let patch = try patch()
    // The log of a file is no difference to others.
    try enableLog(of: before)
    #expect(try self.patch() == patch)
    if policy == "force" { try change(before, "INSERT INTO tool VALUES (9, 'hammer', 9)") }
    let run = try CommandRun(["apply", before, "--on-conflict", policy], input: patch)
    #expect(run.code == 0, "\(run.errors)")
    let names = try logged(before)
    #expect(names.isSuperset(of: ["delete tool 3", "insert tool 4"]), "\(names)")
    #expect(!names.filter { $0.hasSuffix(" tool 1") }.isEmpty)
    #expect(!names.filter { $0.hasSuffix(" tool 2") }.isEmpty)
    #expect(names.filter { $0.contains(" log ") }.isEmpty)
    #expect(try CommandRun(["diff", before, after]).code == 0)
    #expect(try CommandRun(["verify", before]).code == 0)
    // The trigger is there again.
    try change(before, "UPDATE tool SET size = 0 WHERE id = 1")
    let count = try InspectionConnection(path: before).firstValue("SELECT count(*) FROM log")
    #expect(count == .integer(1))
  }

  @Test func aPatchInSQLIsLogged() throws {
    try enableLog(of: before)
    let sql = try CommandRun(["diff", before, after, "--sql"]).output
    #expect(!sql.contains("sectile_log"))
    #expect(try CommandRun(["sqlite", before, "--writable"], input: sql).code == 0)
    #expect(try logged(before).isSuperset(of: ["delete tool 3", "insert tool 4"]))
    #expect(try CommandRun(["diff", before, after]).code == 0)
    #expect(try CommandRun(["verify", before]).code == 0)
  }

  @Test func aRefusedPatchLeavesTheTriggers() throws {
    let patch = try patch()
    try enableLog(of: before)
    try change(before, "DELETE FROM tool WHERE id = 3")
    let schema = try CommandRun(["sqlite", before, ".schema"]).output
    #expect(schema.contains("counted"))
    #expect(try CommandRun(["apply", before], input: patch).code == 1)
    #expect(try CommandRun(["apply", before, "--dry-run"], input: patch).code == 1)
    #expect(try CommandRun(["sqlite", before, ".schema"]).output == schema)
  }

  @Test func whatACopyTakesFromAWatchIsLogged() throws {
    try enableLog(of: before)
    let lines = try CommandRun(["watch", after, "--table", "tool", "--ndjson", "--for", "0"]).output
    let run = try CommandRun(["apply", before, "-"], input: lines)
    #expect(run.output.hasPrefix("1 row inserted, 2 updated, 1 deleted in "))
    #expect(try logged(before).isSuperset(of: ["delete tool 3", "insert tool 4"]))
    #expect(try rows(before) == rows(after))
    #expect(try CommandRun(["sqlite", before, "SELECT count(*) FROM log"]).output.contains("0"))
    #expect(try CommandRun(["verify", before]).code == 0)
  }

  /// As it is written now, with large integers tagged, and as it was in version 1.
  @Test(arguments: [1, 2])
  func largeIntegersArriveFromPatchesOfBothVersions(version: Int) throws {
    try change(
      after,
      "UPDATE tool SET size = 9007199254740993; INSERT INTO tool VALUES (1 << 60, 'x', 1 << 62)")
    var text = try patch()
    #expect(text.contains(#""id":[{"$integer":"1152921504606846976"}]"#), "\(text)")
    if version == 1 {
      text = text.replacing("\"v\":2,", with: "\"v\":1,")
      for number in ["9007199254740993", "1152921504606846976", "4611686018427387904"] {
        text = text.replacing("{\"$integer\":\"\(number)\"}", with: number)
      }
      #expect(!text.contains("$integer"))
    }
    let run = try CommandRun(["apply", before], input: text)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try RandomFile.differences(before, after) == [])
    #expect(try rows(before).last == "1152921504606846976 'x' 4611686018427387904")
  }

  @Test func aPatchOfOneTableLetsRowsTakeEachOthersValues() throws {
    let file = folder.file("patch.ndjson")
    try Data(patch("--table", "tool").utf8).write(to: URL(fileURLWithPath: file))
    let run = try CommandRun(["apply", before, file, "--json"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      run.output.hasPrefix(
        "{\"v\":1,\"dryRun\":false,\"written\":true,\"inserted\":1,\"updated\":2,\"deleted\":1,"))
    #expect(try rows(before) == ["1 'axe' 1", "2 'saw' 2.0", "4 'hammer' NULL"])
  }

  @Test func conflictsAreAllToldAndNothingIsWritten() throws {
    let lines = try patch()
    try change(
      before,
      "UPDATE tool SET size = 9 WHERE id = 2; DELETE FROM tool WHERE id = 3;"
        + "INSERT INTO tool VALUES (4, 'mine' || char(27), 4)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: before))
    let run = try CommandRun(["apply", before], input: lines)
    #expect(run.code == 1)
    #expect(
      run.errors == """
        Conflict: tool 2 cannot be updated: size is 9, not 2
        Conflict: tool 3 cannot be deleted: it is not there
        Conflict: tool 4 cannot be inserted: it is there already
        Conflict: tool 1 does not fit: UNIQUE constraint failed: tool.name

        """)
    #expect(run.output.hasPrefix("Nothing written: "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: before)) == bytes)

    let skipping = try CommandRun(["apply", before, "--on-conflict", "skip"], input: lines)
    #expect(skipping.code == 0)
    // Row 1 waited for the name that row 2 keeps.
    #expect(skipping.errors.contains("Conflict: tool 1 does not fit: UNIQUE constraint failed"))
    #expect(try rows(before) == ["1 'saw' 1", "2 'axe' 9", "4 'mine\u{1B}' 4"])

    let forcing = try CommandRun(["apply", before, "--on-conflict", "force"], input: lines)
    #expect(forcing.code == 0)
    #expect(forcing.output.contains("3 conflicts"))
    #expect(try RandomFile.differences(before, after).filter { $0.contains("tool") } == [])
    #expect(try rows(before) == rows(after))
  }

  @Test func aSecondTimeEverythingIsAConflict() throws {
    try change(
      after, "DROP TABLE log; CREATE TABLE more (a PRIMARY KEY); CREATE INDEX i ON tool (size)")
    let lines = try patch()
    #expect(try CommandRun(["apply", before], input: lines).code == 0)
    #expect(try CommandRun(["diff", before, after]).code == 0)
    let again = try CommandRun(["apply", before], input: lines)
    #expect(again.code == 1)
    #expect(
      again.errors.contains("Conflict: table log is not there") || again.errors.contains("log"))
    #expect(again.errors.contains("Conflict: index i cannot be made: it is there already"))
  }

  @Test func aDryRunTellsAndChangesNoByte() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: before))
    let run = try CommandRun(["apply", before, "--dry-run"], input: patch())
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("Dry run, nothing written: 1 row inserted, 2 updated, 1 deleted"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: before)) == bytes)
  }

  @Test func whatIsNoWholePatchIsRefused() throws {
    let lines = try patch().split(separator: "\n").map(String.init)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: before))
    let mistakes: [(String, String)] = [
      (lines.dropLast().joined(separator: "\n"), "ends in the middle"),
      (lines.prefix(3).joined(separator: "\n"), "ends in the middle"),
      ((lines[0...1] + lines[3...]).joined(separator: "\n"), "does not have all changes"),
      ("", "is empty"), ("BEGIN;\n", ":1: not an object"),
      ("{\"v\":3,\"kind\":\"file\"}", "version 1 or 2"), ("{\"kind\":\"file\"}", "version 1 or 2"),
      ("{\"v\":1,\"kind\":\"song\"}", "the kind 'song' is not known"),
      ("{\"v\":1,\"event\":\"finished\",\"rows\":1}", "in the middle of a watch"),
      ("{\"v\":1,\"kind\":\"delete\",\"id\":[1],\"row\":{}}", "has no place here"),
      (
        lines[0]
          + "\n{\"v\":1,\"kind\":\"schema\",\"action\":\"create\",\"type\":\"table\",\"name\":\"x\","
          + "\"table\":\"x\",\"sql\":\"ATTACH '/tmp/x' AS x\"}", "does not make the table 'x'"
      ),
      (
        "{\"v\":1,\"kind\":\"table\",\"table\":\"tool\",\"key\":[\"id\"]}\n"
          + "{\"v\":1,\"kind\":\"insert\",\"id\":[9],\"row\":{\"id\":[9]}}",
        "is no value of a column"
      ),
    ]
    for (text, message) in mistakes {
      let run = try CommandRun(["apply", before], input: text)
      #expect(run.code == 65, "\(message): \(run.errors)")
      #expect(run.errors.contains(message), "\(run.errors)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: before)) == bytes)
    #expect(try CommandRun(["apply", folder.file("none")], input: "{}").code == 66)
    #expect(try CommandRun(["apply", before, folder.file("none")]).code == 66)
    #expect(try CommandRun(["apply", before, before]).code == 64)
  }

  @Test func foreignKeysAreChecked() throws {
    let parents =
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, "
    let schema = parents + "p REFERENCES p ON DELETE CASCADE);"
    let first = try Database.make(schema + "INSERT INTO p VALUES (1), (2)", in: folder, as: "1")
    let second = try Database.make(schema + "INSERT INTO p VALUES (2)", in: folder, as: "2")
    let lines = try CommandRun(["diff", first, second, "--ndjson"]).output
    try change(first, "INSERT INTO c VALUES (7, 1)")
    let run = try CommandRun(["apply", first], input: lines)
    #expect(run.code == 65)
    #expect(run.errors.contains("1 row more would refer to what is not there"))
    #expect(
      try CommandRun(["sqlite", first, "--mode", "list", "SELECT * FROM c"]).output == "7|1\n")
  }

  @Test func anotherTableIsNamed() throws {
    let lines = try patch("--table", "tool")
    try change(before, "ALTER TABLE tool RENAME TO thing")
    #expect(try CommandRun(["apply", before], input: lines).code == 1)
    #expect(try CommandRun(["apply", before, "--table", "nothing"], input: lines).code == 65)
    #expect(try CommandRun(["apply", before, "--table", "thing"], input: lines).code == 0)
    #expect(try CommandRun(["apply", before, "--table", "log"], input: patch()).code != 0)
  }

  // MARK: - Watches

  @Test func aWatchThatStartsBringsTheCopyToItsContents() throws {
    let lines = try CommandRun(["watch", after, "--table", "tool", "--ndjson", "--for", "0"]).output
    // What the copy has more goes, also where its unique values are in the way.
    try change(before, "INSERT INTO tool VALUES (50, 'hammer', 50)")
    let run = try CommandRun(["apply", before, "-"], input: lines)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows(before) == rows(after))
    // Once more there is nothing to do.
    let again = try CommandRun(["apply", before], input: lines)
    #expect(again.output.hasPrefix("0 rows inserted, 0 updated, 0 deleted"))
  }

  @Test func aWatchOfChangesAloneLeavesTheOtherRows() throws {
    let lines = try CommandRun(
      ["watch", after, "--table", "tool", "--ndjson", "--for", "0", "--changes-only"]
    ).output
    #expect(try CommandRun(["apply", before], input: lines).code == 0)
    #expect(try rows(before).count == 3)
  }

  @Test(arguments: 0..<4)
  func aCopyFollowsAWatch(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let schema = [
      "CREATE TABLE item (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE)",
      "CREATE TABLE item (k TEXT COLLATE NOCASE, l, a, b, PRIMARY KEY (k, l)) WITHOUT ROWID",
    ][Int(seed) % 2]
    let source = try Database.make("PRAGMA journal_mode = WAL; \(schema)", in: folder, as: "source")
    let copy = try Database.make(schema, in: folder, as: "copy")
    let columns = seed % 2 == 0 ? ["id", "a", "b"] : ["k", "l", "a", "b"]
    let table = RandomFile.Table(name: "item", columns: columns, sql: schema)
    let connection = try InspectionConnection(path: source, access: .readWrite)
    try RandomFile.change(table, 30, isUTF8: true, on: connection, &random)

    let program = SQLLiterals.quoted(CommandRun.program.path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      "\(program) watch \"$1\" --table item --ndjson --interval 0.01 | \(program) apply \"$2\" -; echo \"code $?\"",
      "sh", source, copy,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<40 {
      try connection.run("BEGIN IMMEDIATE") { _ in }
      try RandomFile.change(
        table, Int.random(in: 1...9, using: &random), isUTF8: true, on: connection, &random)
      try connection.run("COMMIT") { _ in }
    }
    let isSame = waitedUntil { (try? RandomFile.differences(source, copy) == []) ?? false }
    #expect(isSame, "seed \(seed)")
    // A watch whose file is gone ends.
    try FileManager.default.removeItem(atPath: source)
    process.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.hasSuffix("code 0\n"), "\(text)")
  }

  // MARK: - Ends

  /// Starts an apply that has written a part of a long patch, and waits for more.
  private func startHalf() throws -> (Process, FileHandle) {
    let process = try CommandRun.process(["apply", before])
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = "{\"v\":1,\"kind\":\"table\",\"table\":\"tool\",\"key\":[\"id\"]}\n"
    // More than SQLite keeps in memory, so that the file is written to.
    for id in 100..<12_000 {
      text +=
        "{\"v\":1,\"kind\":\"insert\",\"id\":[\(id)],\"row\":{\"id\":\(id),\"name\":\"\(id)"
        + "\",\"size\":\"\(String(repeating: "x", count: 500))\"}}\n"
    }
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: before)[.size] as? Int)
    let isWriting = try waitedUntil {
      try FileManager.default.attributesOfItem(atPath: before)[.size] as? Int != size
    }
    #expect(isWriting)
    return (process, input.fileHandleForWriting)
  }

  @Test(arguments: [SIGKILL, SIGINT])
  func anEndInTheMiddleLeavesTheFileAsItWas(number: Int32) throws {
    let expected = try RandomFile.contents(before)
    let (process, input) = try startHalf()
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    try input.close()
    #expect(process.terminationStatus == number)
    // Whoever opens the file next undoes what was begun.
    _ = try InspectionConnection(path: before, access: .readWrite)
    #expect(try RandomFile.contents(before) == expected)
    #expect(try CommandRun(["apply", before], input: patch()).code == 0)
  }
}
