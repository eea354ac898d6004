import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct MigrateCommandTests {
  private let folder: TemporaryFolder
  private let database: String
  private let migrations: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("app.db")
    migrations = folder.file("Migrations")
    try FileManager.default.createDirectory(atPath: migrations, withIntermediateDirectories: true)
    try write("V0001_create_item.sql", "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);")
    try write(
      "V0002_add_size.sql",
      "ALTER TABLE item ADD COLUMN size INT; INSERT INTO item (name) VALUES ('a');")
    try write("V0003_create_tag.sql", "CREATE TABLE tag (name TEXT PRIMARY KEY);")
  }

  private func write(_ name: String, _ sql: String) throws {
    _ = try folder.write(sql, to: "Migrations/\(name)")
  }

  private func migrate(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["migrate", database, "--migrations", migrations] + arguments)
  }

  private func tables() throws -> [String] {
    try InspectionConnection(path: database).tables().map(\.name)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func pendingFilesAreAppliedInOrder() throws {
    let run = try migrate()
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4)
    #expect(lines[0].hasPrefix("V0001_create_item.sql … applied in "))
    #expect(lines[2].hasPrefix("V0003_create_tag.sql … applied in "))
    #expect(lines[3].hasSuffix("app.db is at version 3."))
    #expect(try tables() == ["item", "sectile_migration", "tag"])

    let again = try migrate()
    #expect(again.code == 0)
    #expect(again.output.hasPrefix("Nothing to apply: "))
  }

  @Test func aVersionStopsEarlyAndNeverGoesBack() throws {
    let run = try migrate("--to", "2", "--json")
    #expect(run.code == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(run.output.hasPrefix(#"{"v":1,"#))
    #expect(document["version"] as? Int == 2)
    #expect(document["pending"] as? [String] == ["V0003_create_tag.sql"])
    #expect((document["applied"] as? [[String: Any]])?.count == 2)
    #expect(document["dryRun"] as? Bool == false)
    #expect(try tables() == ["item", "sectile_migration"])

    let back = try migrate("--to", "1")
    #expect(back.code == 65)
    #expect(back.errors.contains("version 1 lies behind"))
    #expect(back.errors.contains("Hint: No migration runs backwards."))
    #expect(try migrate("--to", "7").errors.contains("no migration has version 7"))
    #expect(try migrate("--to", "2").output.contains("at version 2"))
  }

  @Test func statusOfAFileThatIsNotThereIsPendingAndCreatesNothing() throws {
    let run = try migrate("--status")
    #expect(run.code == 0)
    #expect(
      run.output == """
        version  name                   state
        -------  ---------------------  -------
              1  V0001_create_item.sql  pending
              2  V0002_add_size.sql     pending
              3  V0003_create_tag.sql   pending

        """)
    #expect(try files == ["Migrations"])
  }

  @Test func statusTellsProblemsAndExitsWithOne() throws {
    _ = try migrate("--to", "2")
    try write("V0001_create_item.sql", "CREATE TABLE item (id INTEGER PRIMARY KEY);")
    let run = try migrate("--status")
    #expect(run.code == 1)
    #expect(run.output.contains("      1  V0001_create_item.sql  problem: migrationChanged\n"))
    #expect(run.output.contains("      2  V0002_add_size.sql     applied at 20"))
    #expect(run.output.contains("      3  V0003_create_tag.sql   pending\n"))
    #expect(run.errors.contains("V0001_create_item.sql was edited after it was applied"))
    #expect(run.errors.contains("\nHint: "))

    let json = try migrate("--status", "--json")
    #expect(json.code == 1)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let entries = try #require(document["migrations"] as? [[String: Any]])
    #expect((entries[0]["problem"] as? [String: Any])?["code"] as? String == "migrationChanged")
    #expect(entries[1]["problem"] is NSNull)

    let refused = try migrate()
    #expect(refused.code == 65)
    #expect(refused.output.isEmpty)
    #expect(try tables() == ["item", "sectile_migration"])
  }

  @Test func aDryRunChangesNothing() throws {
    let run = try migrate("--dry-run")
    #expect(run.code == 0)
    #expect(run.output.contains("V0003_create_tag.sql … would be applied, in "))
    #expect(run.output.contains("Tried on an empty file, which is gone; "))
    #expect(try files == ["Migrations"])

    _ = try migrate("--to", "1")
    let before = try Data(contentsOf: URL(fileURLWithPath: database))
    let second = try migrate("--dry-run")
    #expect(second.output.contains("Tried on a copy of 12 KiB, which is gone; "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    #expect(try tables() == ["item", "sectile_migration"])
  }

  @Test func aDryRunShowsWhatWouldFail() throws {
    _ = try migrate("--to", "1")
    try InspectionConnection(path: database, access: .readWrite).run(
      "INSERT INTO item (name) VALUES ('a'), ('a')", row: { _ in })
    try write("V0002_add_size.sql", "CREATE UNIQUE INDEX item_by_name ON item (name);")
    let scratch = folder.file("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let run = try CommandRun(
      ["migrate", database, "--migrations", migrations, "--dry-run"],
      environment: ["TMPDIR": scratch])
    #expect(run.code == 65)
    #expect(run.errors.contains("V0002_add_size.sql, statement 1: UNIQUE constraint failed"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
  }

  @Test func ctrlCLeavesNoCopyOfADryRun() throws {
    try write(
      "V0002_add_size.sql",
      """
      CREATE TABLE long AS
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0;
      """)
    let scratch = folder.file("scratch")
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    let process = try CommandRun.process(
      ["migrate", database, "--migrations", migrations, "--dry-run"],
      environment: ["TMPDIR": scratch])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = try output.fileHandleForReading.read(upToCount: 20) ?? Data()
    #expect(String(decoding: line, as: UTF8.self).hasPrefix("V0001_create_item"))
    #expect(try !FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == SIGINT)
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
    #expect(try files == ["Migrations", "scratch"])
  }

  @Test func aFileThatFailsLeavesTheOnesBefore() throws {
    try write("V0003_create_tag.sql", "CREATE TABLE tag (name TEXT);\nSELEC;")
    let run = try migrate()
    #expect(run.code == 65)
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.errors.contains("V0003_create_tag.sql, statement 2"))
    #expect(try tables() == ["item", "sectile_migration"])
  }

  @Test(arguments: [true, false])
  func twoAtOnceShareTheWork(endsWell: Bool) throws {
    if !endsWell { try write("V0003_create_tag.sql", "CREATE TABLE tag (name TEXT);\nSELEC;") }
    let lock = try InspectionConnection(path: database, access: .create)
    try lock.run("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE") { _ in }
    let runs = try (0..<2).map { _ in
      try RunningCommand(["migrate", database, "--migrations", migrations])
    }
    // Both have found everything pending, and wait to write.
    for run in runs { #expect(run.waitToWrite(to: database)) }
    try lock.run("COMMIT") { _ in }
    let codes = runs.map { $0.exitCode() }
    let applied = runs.flatMap(\.lines).filter { $0.contains(" … applied in ") }
    let names = applied.map { $0.prefix { $0 != " " } }.sorted()
    if endsWell {
      #expect(codes == [0, 0])
      #expect(runs.allSatisfy { $0.errors.isEmpty })
      #expect(runs.allSatisfy { $0.lines.last?.hasSuffix("app.db is at version 3.") == true })
      #expect(
        names == ["V0001_create_item.sql", "V0002_add_size.sql", "V0003_create_tag.sql"])
    } else {
      #expect(codes == [65, 65])
      #expect(runs.allSatisfy { $0.errors.contains("Error: ") })
      #expect(runs.allSatisfy { $0.errors.contains("V0003_create_tag.sql, statement 2") })
      #expect(names == ["V0001_create_item.sql", "V0002_add_size.sql"])
    }
    #expect(try tables() == ["item", "sectile_migration"] + (endsWell ? ["tag"] : []))
    var counts: [StoredValue] = []
    try InspectionConnection(path: database).run(
      "SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM sectile_migration)"
    ) { counts = $0 }
    #expect(counts == [1, endsWell ? 3 : 2])
  }

  @Test func aFileOfAnotherToolIsTakenOver() throws {
    try InspectionConnection(path: database, access: .create).run(
      #"CREATE TABLE "item" ("id" integer PRIMARY KEY NOT NULL, "name" text)"#, row: { _ in })
    #expect(try migrate("--baseline", "x").code == 64)
    #expect(try migrate("--baseline", "9").errors.contains("no migration has version 9"))
    let refused = try migrate("--baseline", "2")
    #expect(refused.code == 65)
    #expect(refused.errors.contains("table item has columns (id, name) instead of"))
    let tried = try migrate("--baseline", "1", "--dry-run")
    #expect(tried.output.contains("V0001_create_item.sql … would be recorded, not run"))
    #expect(try tables() == ["item"])
    let run = try migrate("--baseline", "1", "--to", "1")
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("V0001_create_item.sql … recorded, not run: the schema has it\n"))
    #expect(run.output.hasSuffix("app.db is at version 1.\n"))
    let rest = try migrate("--json")
    #expect(rest.output.contains(#""recorded":[]"#) && rest.output.contains(#""version":3"#))
  }

  @Test func whatNeedsNothingIsNotTouched() throws {
    try InspectionConnection(path: database, access: .create).run(
      "CREATE TABLE other (x)", row: { _ in })
    let empty = folder.file("Empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let run = try CommandRun(["migrate", database, "--migrations", empty])
    #expect(run.code == 0)
    var mode = ""
    try InspectionConnection(path: database).run("PRAGMA journal_mode") { row in
      if case .text(let text) = row[0] { mode = text }
    }
    #expect(mode == "delete")
  }

  @Test func badArgumentsAndFilesAreRefused() throws {
    #expect(try CommandRun(["migrate", database]).code == 64)
    #expect(try migrate("--status", "--dry-run").code == 64)
    #expect(try migrate("--status", "--to", "2").code == 64)
    #expect(try migrate("--to", "x").code == 64)
    let missing = try CommandRun(["migrate", database, "--migrations", folder.file("None")])
    #expect(missing.code == 66)
    #expect(missing.errors.contains("there is no folder \(folder.file("None"))\nHint: Create it"))
    let noFolder = try folder.write("", to: "Migrations/notes.txt")
    #expect(try CommandRun(["migrate", database, "--migrations", noFolder, "--status"]).code == 66)
    #expect(try files == ["Migrations"])
    let text = try folder.write(String(repeating: "text ", count: 300), to: "notes.txt")
    #expect(try CommandRun(["migrate", text, "--migrations", migrations]).code == 65)
    try write("V4_x.sql", "SELECT 1")
    #expect(try migrate("--status").errors.contains("V4_x.sql is not the name of a migration"))
  }

  @Test func newWritesTheNextFileAndItsPath() throws {
    let run = try CommandRun(["migrate", "new", "Add Colour", "--migrations", migrations])
    #expect(run.code == 0)
    #expect(run.output == "\(migrations)/V0004_add_colour.sql\n")
    let text = try String(contentsOfFile: "\(migrations)/V0004_add_colour.sql", encoding: .utf8)
    #expect(text.hasPrefix("-- Add colour.\n"))
    // To be filled in: as it is, it is refused.
    #expect(try migrate("--status").errors.contains("V0004_add_colour.sql holds no statement"))

    #expect(try CommandRun(["migrate", "new", "colour", "--migrations", migrations]).code == 64)
    #expect(
      try CommandRun(["migrate", "new", "add it", "--migrations", folder.file("None")]).code == 66)
  }

  @Test func aDatabaseCalledNewNeedsItsFolder() throws {
    let process = try CommandRun.process(["migrate", "./new", "--migrations", migrations])
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try files.contains("new"))
  }
}
