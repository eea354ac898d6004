import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct BackupCommandTests {
  private let folder: TemporaryFolder
  private let source: String
  private let target: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("app.db")
    target = folder.file("copy.db")
  }

  private func create(bytes: Int = 1000) throws {
    try InspectionConnection(path: source, access: .create).run(
      """
      PRAGMA journal_mode = wal;
      CREATE TABLE item (id INTEGER PRIMARY KEY, x BLOB);
      INSERT INTO item (x) VALUES (zeroblob(\(bytes)));
      """, row: { _ in })
  }

  private func count(in path: String) throws -> Int64 {
    var count: Int64 = -1
    try InspectionConnection(path: path).run("SELECT count(*) FROM item") { row in
      if case .integer(let number) = row[0] { count = number }
    }
    return count
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func aCopyIsMadeCheckedAndTold() throws {
    try create()
    let run = try CommandRun(["backup", source, target])
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix("\(target): 2 pages, 8 KiB, in "))
    #expect(run.output.hasSuffix("; checked\n"))
    #expect(try count(in: target) == 1)
  }

  @Test func jsonTellsTheSame() throws {
    try create()
    let run = try CommandRun(["backup", source, target, "--json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(run.output.hasPrefix(#"{"v":1,"#))
    #expect(document["pages"] as? Int == 2)
    #expect(document["bytes"] as? Int == 8192)
    #expect(document["isChecked"] as? Bool == true)
    #expect(document["uncheckedReason"] is NSNull)
    #expect(document["token"] is NSNull)
  }

  @Test func theTokenOfTheChangeLogIsTold() throws {
    try create()
    #expect(try CommandRun(["log", source, "enable"]).code == 0)
    let run = try CommandRun(["backup", source, target])
    let token = try #require(run.output.split(separator: " ").last).dropLast().description
    #expect(run.output.hasSuffix("; checked; its change log ends at the token \(token)\n"))
    try InspectionConnection(path: source, access: .readWrite).run("DELETE FROM item") { _ in }
    let missing = try CommandRun(["log", source, "--since", token]).output
    #expect(missing.contains("  delete item 1\n"))
    #expect(try !CommandRun(["log", target, "--since", token]).output.contains("delete"))
    let document = try CommandRun(["backup", source, target, "--force", "--json"]).output
    #expect(document.contains(#""token":""#))
    #expect(try CommandRun(["log", target]).output.contains("  delete item 1\n"))
  }

  @Test func aFileThatIsThereIsKept() throws {
    try create()
    _ = try folder.write("keep me", to: "copy.db")
    let run = try CommandRun(["backup", source, target])
    #expect(run.code == 1)
    #expect(
      run.errors.contains("exists already\nHint: Name another file, or replace it with --force."))
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "keep me")
    #expect(try CommandRun(["backup", source, target, "--force"]).code == 0)
    #expect(try count(in: target) == 1)
  }

  @Test func theFileItselfIsNoTarget() throws {
    try create()
    let link = folder.file("link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
    for path in [source, link] {
      #expect(try CommandRun(["backup", source, path, "--force"]).code == 64)
    }
    #expect(try count(in: source) == 1)
  }

  @Test func whatCannotBeWrittenOrReadIsTold() throws {
    try create()
    let missing = try CommandRun(["backup", source, folder.file("no/copy.db")])
    #expect(missing.code == 74)
    #expect(missing.errors.contains("\nHint: "))
    #expect(try CommandRun(["backup", source, "/proc/copy.db"]).code == 74)
    #expect(try CommandRun(["backup", folder.file("none.db"), target]).code == 66)
    let text = try folder.write(String(repeating: "text ", count: 300), to: "notes.txt")
    #expect(try CommandRun(["backup", text, target]).code == 65)
    #expect(try CommandRun(["backup", source]).code == 64)
    #expect(try CommandRun(["backup", source, target, "--pages", "0"]).code == 64)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test func aDamagedFileIsBadData() throws {
    try InspectionConnection(path: source, access: .create).run(
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, x TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
      INSERT INTO item SELECT i, 'name ' || i FROM n;
      """, row: { _ in })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    for offset in 4096 * 4..<4096 * 6 { bytes[offset] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: source))
    let run = try CommandRun(["backup", source, target])
    #expect(run.code == 65)
    #expect(run.errors.contains("app.db is damaged"))
    #expect(try files == ["app.db"])
  }

  @Test func aFullDiskLeavesNothing() throws {
    try create(bytes: 400_000)
    let program = CommandRun.program.path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // Files of at most 64 KiB: the write fails, as it does on a full disk.
    process.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" backup \"$1\" \"$2\"", program, source, target,
    ]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(text.contains("copy.db"))
    #expect(text.contains("\nHint: "))
    #expect(try files.allSatisfy { $0.hasPrefix("app.db") })
  }

  @Test func ctrlCLeavesNothing() throws {
    try create(bytes: 60_000_000)
    let process = try CommandRun.process(["backup", source, target, "--pages", "1"])
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let hasBegun = try waitedUntil { try files.contains { $0.contains(".partial-") } }
    #expect(hasBegun)
    process.interrupt()
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
    #expect(text.contains("stopped; there is no backup"))
    #expect(try files.allSatisfy { $0.hasPrefix("app.db") })
  }

  @Test func aWriterGoesOn() throws {
    try create(bytes: 4_000_000)
    let sql = Array(repeating: "INSERT INTO item (x) VALUES (zeroblob(3000))", count: 300)
    let writer = try CommandRun.process([
      "sqlite", source, "--writable", "--mode", "csv", sql.joined(separator: ";"),
    ])
    writer.standardOutput = FileHandle.nullDevice
    try writer.run()
    for number in 0..<4 {
      let copy = folder.file("copy\(number).db")
      #expect(try CommandRun(["backup", source, copy, "--pages", "7"]).code == 0)
      var check = ""
      try InspectionConnection(path: copy).run("PRAGMA integrity_check") { row in
        if case .text(let line) = row[0] { check = line }
      }
      #expect(check == "ok")
    }
    writer.waitUntilExit()
    #expect(writer.terminationStatus == 0)
    #expect(try count(in: source) == 301)
  }

  @Test func aTerminalShowsHowFarItIsAndThenTheResult() throws {
    try create(bytes: 60_000_000)
    let session = try TerminalSession(["backup", source, target, "--pages", "1"], width: 200)
    for text in ["Copying", "/s "] { try session.wait(forWritten: text) }
    #expect(try session.exitCode() == 0)
    let screen = try session.screen()
    #expect(screen.contains("; checked"))
    // The progress was wiped away.
    #expect(!screen.contains("Copying"))
  }
}
