import Foundation
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct ImportCommandTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("data.sqlite")
  }

  private func rows(_ sql: String) throws -> [String] {
    let run = try CommandRun(["sqlite", path, "--mode", "list", sql])
    #expect(run.code == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private func importing(_ text: String, _ arguments: [String], table: String = "tool") throws
    -> CommandRun
  {
    try CommandRun(["import", path, "--table", table] + arguments, input: text)
  }

  @Test func parsesItsArguments() throws {
    let command = try #require(
      SectileCommand.parseAsRoot([
        "import", "a.db", "--table", "t", "a.csv", "b.json", "--key", "x", "--key", "y", "--upsert",
      ]) as? ImportCommand)
    #expect(command.inputs == ["a.csv", "b.json"])
    #expect(command.keys == ["x", "y"])
    #expect(command.upsert)
  }

  @Test func aFileIsCreatedAndItsTypesAreShownFirst() throws {
    let input = try folder.write(
      "id,name,weight,zip,data\r\n1,saw,1.5,007,x'00ff'\r\n2,\"an \"\"anvil\"\"\r\nof iron\",,1,\r\n",
      to: "tool.csv")
    let run = try CommandRun(["import", path, "--table", "tool", input])
    #expect(run.code == 0)
    #expect(
      run.errors == """
        Creating \(path)
        CREATE TABLE "tool" (
          "id" INTEGER,
          "name" TEXT,
          "weight" REAL,
          "zip" TEXT,
          "data" BLOB
        );

        """)
    #expect(run.output.hasPrefix("2 rows inserted in "))
    #expect(
      try rows("SELECT id, quote(name), weight, zip, typeof(data), hex(data) FROM tool") == [
        "1|'saw'|1.5|007|blob|00FF", "2|'an \"anvil\"\\r\\nof iron'|NULL|1|null|",
      ])
  }

  @Test func emptyFieldsAndQuotedOnesDiffer() throws {
    #expect(try importing("a,b\n,\"\"\n1,2\n", ["--format", "csv"]).code == 0)
    #expect(
      try rows("SELECT typeof(a), typeof(b) FROM tool") == ["null|text", "integer|integer"])
  }

  @Test func jsonKeepsTypesKeysAndOrder() throws {
    let text = """
      [{"b": 9007199254740993, "a": "7", "c": [1, {"d": null}], "e": true},
       {"a": null, "f": 0.1, "big": 123456789012345678901}]
      """
    let run = try importing(text, [])
    #expect(run.code == 0)
    #expect(run.errors.contains("\"b\" INTEGER,\n  \"a\" TEXT,\n  \"c\" TEXT,\n  \"e\" INTEGER"))
    #expect(
      try rows("SELECT * FROM tool") == [
        "9007199254740993|7|[1,{\"d\":null}]|1|NULL|NULL",
        "NULL|NULL|NULL|NULL|0.1|123456789012345678901",
      ])
  }

  @Test func missingKeysTakeDefaultsAndLeaveRowsAsTheyAre() throws {
    let schema = "id INTEGER PRIMARY KEY, name TEXT DEFAULT 'none', size INTEGER"
    let first = "{\"id\":1,\"size\":1}\n\n{\"id\":2,\"name\":null}\n"
    #expect(try importing(first, ["--schema", schema]).code == 0)
    let run = try importing("{\"id\":1,\"name\":\"saw\"}\n", ["--upsert", "--json"])
    #expect(run.code == 0)
    let summary = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(summary["v"] as? Int == 1)
    #expect(summary["updated"] as? Int == 1)
    #expect(try rows("SELECT * FROM tool") == ["1|saw|1", "2|NULL|NULL"])
  }

  @Test func keysWithQuotesChangeNoNumber() throws {
    // The last has a digit more than a double can tell apart; SQLite alone rounds it to its
    // neighbour.
    let numbers = ["1e400", "-1e400", "12345678901234567890", "2.225073858507201e-308"]
    for (offset, number) in numbers.enumerated() {
      for (name, key) in [("plain", "a"), ("quoted", #"a\".b\\"#)] {
        let run = try importing(
          "{\"\(key)\":\(number)}\n", ["--format", "ndjson"], table: "\(name)\(offset)")
        #expect(run.code == 0, "\(run.errors)")
      }
      let columns = ["a", "a\"\".b\\"].map { "typeof(\"\($0)\") || ' ' || hex(\"\($0)\")" }
      #expect(
        try rows("SELECT \(columns[0]) FROM plain\(offset)")
          == rows("SELECT \(columns[1]) FROM quoted\(offset)"), "\(number)")
    }
  }

  @Test(arguments: ["csv", "tsv", "ndjson", "json"])
  func aBadRowEndsTheImportAndNothingIsWritten(format: String) throws {
    let good = ["csv": "a,b\n1,2\n", "tsv": "a\tb\n1\t2\n", "ndjson": "{\"a\":1}\n", "json": "[{}"]
    let bad = ["csv": "3\n", "tsv": "1\t\"2\"x\n", "ndjson": "{\"a\":\n", "json": ", 7"]
    let text = (good[format] ?? "") + (bad[format] ?? "") + (format == "json" ? "]" : "")
    let run = try importing(text, ["--format", format])
    #expect(run.code == 65)
    #expect(
      run.errors.contains(format == "json" ? "object 1" : format == "ndjson" ? ":2: " : ":3: "))
    #expect(run.errors.contains("Hint: Nothing was written."))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func skippedRowsAreToldAndCounted() throws {
    var text = "id,name\n1,\"two\nlines\"\n2,\"a\"b\n2\n3,ok\n"
    for _ in 0..<11 { text += "1,2,3\n" }
    text += "3,again\n4,\"never closed\n"
    let run = try importing(text, ["--format", "csv", "--skip-bad", "--key", "id"])
    #expect(run.code == 0)
    #expect(run.output.hasPrefix("2 rows inserted, 15 bad in "))
    let told = run.errors.split(separator: "\n").filter { $0.hasPrefix("Bad row") }
    #expect(told.count == 10)
    #expect(told[0] == "Bad row: standard input:4: text follows a closing quote")
    #expect(told[1] == "Bad row: standard input:5: 1 field, where 2 are expected")
    #expect(told[2] == "Bad row: standard input:7: 3 fields, where 2 are expected")
    #expect(run.errors.hasSuffix("… and 5 more bad rows\n"))
    #expect(try rows("SELECT id, quote(name) FROM tool") == ["1|'two\\nlines'", "3|'ok'"])
  }

  @Test(arguments: [
    (["--skip-bad"], "2 rows inserted, 3 bad", ["1|a", "5|e"]),
    (
      ["--on-conflict", "skip", "--skip-bad"], "1 row inserted, 1 left alone, 3 bad",
      ["1|old", "5|e"]
    ),
    (["--upsert", "--skip-bad"], "1 row inserted, 1 updated, 3 bad", ["1|a", "5|e"]),
  ])
  func constraintsAreOfTheirRow(arguments: [String], summary: String, rows: [String]) throws {
    let schema =
      "CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> 'x')) STRICT"
    let isEmpty = arguments.count == 1
    #expect(
      try importing(
        isEmpty ? "id,name\n" : "id,name\n1,old\n", ["--format", "csv", "--schema", schema]
      )
      .code == 0)
    let run = try importing(
      "ID,Name\n1,a\n2,\n3,x\nfour,d\n5,e\n", ["--format", "csv"] + arguments)
    #expect(run.code == 0)
    #expect(run.output.hasPrefix(summary), "\(run.output)\(run.errors)")
    #expect(run.errors.contains("standard input:3: NOT NULL constraint failed: tool.name"))
    #expect(run.errors.contains("standard input:4: CHECK constraint failed"))
    #expect(run.errors.contains("standard input:5: "))
    #expect(try self.rows("SELECT * FROM tool") == rows)
  }

  @Test func upsertWritesOnlyWhatDiffers() throws {
    #expect(try importing("k,v\na,1\nb,2\n", ["--format", "csv", "--key", "k"]).code == 0)
    let run = try importing("v,k\n1,a\n3,b\n4,c\n", ["--format", "csv", "--upsert"])
    #expect(run.output.hasPrefix("1 row inserted, 1 updated, 1 unchanged in "))
    #expect(try rows("SELECT * FROM tool ORDER BY k") == ["a|1", "b|3", "c|4"])
    #expect(try importing("k\nz\n", ["--format", "csv", "--upsert", "--key", "v"]).code == 65)
  }

  @Test func whatTriggersChangeDoesNotCount() throws {
    #expect(try importing("k,v\na,1\nb,2\n", ["--format", "csv", "--key", "k"]).code == 0)
    let trigger = """
      CREATE TABLE log (k);
      CREATE TRIGGER noted BEFORE INSERT ON tool BEGIN INSERT INTO log VALUES (new.k); END;
      """
    #expect(try CommandRun(["sqlite", path, "--writable", trigger]).code == 0)
    let run = try importing("k,v\na,5\nb,2\n", ["--format", "csv", "--upsert"])
    #expect(run.output.hasPrefix("0 rows inserted, 1 updated, 1 unchanged in "))
    #expect(try rows("SELECT * FROM tool ORDER BY k") == ["a|5", "b|2"])
  }

  @Test func foreignKeysAreChecked() throws {
    #expect(try importing("id\n1\n", ["--format", "csv", "--key", "id"]).code == 0)
    let schema = "tool INTEGER REFERENCES tool (id)"
    #expect(
      try importing("tool\n1\n", ["--format", "csv", "--schema", schema], table: "use").code == 0)
    let run = try importing("tool\n1\n2\n", ["--format", "csv"], table: "use")
    #expect(run.code == 65)
    #expect(run.errors.contains("standard input:3: FOREIGN KEY constraint failed"))
    #expect(try rows("SELECT count(*) FROM use") == ["1"])
  }

  @Test func aDryRunLeavesEverythingAsItWas() throws {
    let run = try importing("a\n1\n", ["--format", "csv", "--dry-run"])
    #expect(run.code == 0)
    #expect(
      run.output.hasPrefix(
        "CREATE TABLE \"tool\" (\n  \"a\" INTEGER\n);\nDry run, nothing written: 1 row inserted"))
    #expect(run.errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try importing("a\n1\n", ["--format", "csv"]).code == 0)
    #expect(try importing("a\n2\n", ["--format", "csv", "--dry-run"]).code == 0)
    #expect(try importing("a\n2\n", ["--format", "csv", "--dry-run"], table: "other").code == 0)
    #expect(try rows("SELECT * FROM tool") == ["1"])
    #expect(try rows("SELECT name FROM sqlite_schema") == ["tool"])
  }

  @Test func batchesStayWhenALaterRowIsBad() throws {
    let run = try importing(
      "a\n1\n2\n3\n4\n5,5\n", ["--format", "csv", "--text-columns", "--batch", "2"])
    #expect(run.code == 65)
    #expect(run.errors.contains("The first 4 rows are committed."))
    #expect(try rows("SELECT count(*) FROM tool") == ["4"])
  }

  @Test func severalInputsMakeOneTable() throws {
    let first = try folder.write("a,b\n1,2\n", to: "first.csv")
    let second = try folder.write("{\"b\":3,\"c\":\"x\"}\n", to: "second.ndjson")
    let run = try CommandRun(["import", path, "--table", "tool", first, second])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows("SELECT * FROM tool") == ["1|2|NULL", "NULL|3|x"])
  }

  @Test func headersQuotesAndDelimitersCanBeOthers() throws {
    let text = "1;5\" pipe\n2;\"x\n"
    let run = try importing(
      text,
      ["--format", "csv", "--delimiter", ";", "--no-quotes", "--no-header", "--columns", "id,name"])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows("SELECT * FROM tool") == ["1|5\" pipe", "2|\"x"])
    #expect(try importing("7,x\n", ["--format", "csv", "--no-header"]).code == 0)
    #expect(try rows("SELECT name FROM tool WHERE id = 7") == ["x"])
    #expect(try importing("7,x\n", ["--format", "csv", "--no-header"], table: "new").code == 0)
    #expect(try rows("SELECT c1, c2 FROM new") == ["7|x"])
  }

  @Test func oddBytesAreToldAndBadRows() throws {
    let file = folder.url.appendingPathComponent("odd.csv")
    try Data(
      [0xEF, 0xBB, 0xBF] + Array("a,b\n1,\u{1}".utf8) + [0xFF, 10] + Array("2,".utf8) + [0, 10]
    )
    .write(to: file)
    let run = try CommandRun(["import", path, "--table", "tool", file.path, "--skip-bad"])
    #expect(run.code == 0)
    #expect(run.errors.contains("odd.csv:2: field 2 is not UTF-8"))
    #expect(run.errors.contains("odd.csv:3: field 2 holds the byte NUL"))
    try Data([0xFF, 0xFE, 0x41, 0x00, 0x0A]).write(to: file)
    let wide = try CommandRun(["import", path, "--table", "other", file.path])
    #expect(wide.code == 65)
    #expect(wide.errors.contains("odd.csv: byte 5 is not UTF-16"))
  }

  @Test func hostileNamesStayNames() throws {
    let name = "a\u{1B}[2J\" INTEGER); DROP TABLE tool; --"
    let run = try importing(
      "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\"\n1\n", ["--format", "csv"])
    #expect(run.code == 0)
    #expect(!run.errors.contains("\u{1B}"))
    #expect(try rows("SELECT count(*) FROM tool") == ["1"])
  }

  @Test func aTerminalIsNotReadUnlessItIsNamed() throws {
    let session = try TerminalSession(["import", path, "--table", "tool"])
    #expect(try session.exitCode() == 64)
    #expect(try session.screen().contains("there is nothing to import"))
    let typed = try TerminalSession(["import", path, "--table", "tool", "--format", "csv", "-"])
    try typed.type("a,b\n1,2\n")
    try typed.press("C-d")
    #expect(try typed.exitCode() == 0)
    #expect(try rows("SELECT * FROM tool") == ["1|2"])
  }

  @Test func standardInputIsReadFromWhereItStands() throws {
    let input = try folder.write("skipped line\na\n1\n", to: "rest.csv")
    let program = CommandRun.program.path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "{ read -r; exec \"$@\"; } < \"$0\"", input, program, "import", path, "--table", "tool",
      "--format", "csv",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try rows("SELECT a FROM tool") == ["1"])
  }

  @Test func bigFieldsAndOneColumnOfNothing() throws {
    let big = String(repeating: "0123456789\"\"\n", count: 400_000)
    let run = try importing("a\n\"\(big)\"\n\n\"\"\n", ["--format", "csv"])
    #expect(run.code == 0)
    #expect(
      try rows("SELECT typeof(a), length(a) FROM tool") == ["text|4800000", "null|NULL", "text|0"])
  }

  @Test func usageAndMissingInputsAreRefused() throws {
    let text = try folder.write("a\n1\n", to: "notes.txt")
    let json = try folder.write("{\"a\": {}}", to: "one.json")
    let cases: [([String], Int32)] = [
      (["import", path], 64), (["import", path, "--table", "t", text], 64),
      (["import", path, "--table", "t", "-", "-"], 64),
      (["import", path, "--table", "t", "--upsert", "--on-conflict", "skip", text], 64),
      (["import", path, "--table", "t", "--batch", "0", text], 64),
      (["import", path, "--table", "t", "--types", "a=BOOL", text], 64),
      (["import", path, "--table", "t", json, "--no-header"], 64),
      (["import", path, "--table", "t", json], 65),
      (["import", path, "--table", "t", folder.file("none.csv")], 66),
      (["import", path, "--table", "t", folder.url.path, "--format", "csv"], 66),
      (["import", path, "--table", "t", "--format", "csv", "--types", "b=TEXT", text], 65),
      (["import", folder.file("no/folder"), "--table", "t", "--format", "csv", text], 66),
      (["import", text, "--table", "t", "--format", "csv", text], 64),
    ]
    for (arguments, code) in cases {
      let run = try CommandRun(arguments)
      #expect(run.code == code, "\(arguments): \(run.errors)")
      #expect(run.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try importing("a\n1\n", ["--format", "csv"]).code == 0)
    #expect(
      try importing("a,b,a\n1,2,3\n", ["--format", "csv"]).errors.contains("does not have: 'b'"))
    #expect(try importing("a,A\n1,2\n", ["--format", "csv"]).code == 65)
    #expect(try importing("a\n1\n", ["--format", "csv", "--schema", "a"]).code == 65)
  }

  @Test(arguments: [true, false])
  func ctrlCUndoesTheImport(isNew: Bool) throws {
    let existing = ["--format", "csv"]
    if !isNew { #expect(try importing("a\n1\n", existing).code == 0) }
    let schema = isNew ? ["--schema", "a"] : []
    let process = try CommandRun.process(
      ["import", path, "--table", "tool", "--format", "csv"] + schema)
    let input = Pipe()
    let errors = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    // More than a chunk, so that rows are written before the rest fails to come.
    try input.fileHandleForWriting.write(
      contentsOf: Data(("a\n" + String(repeating: "1234567\n", count: 70_000)).utf8))
    #expect(process.fallsAsleep())
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == SIGINT)
    #expect(process.terminationReason == .uncaughtSignal)
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(text.contains("Error: stopped"))
    #expect(FileManager.default.fileExists(atPath: path) == !isNew)
    if !isNew { #expect(try rows("SELECT count(*) FROM tool") == ["1"]) }
    #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
  }

  @Test func aTerminalShowsABarWithRateAndTimeLeft() throws {
    let text = "a,b\n" + String(repeating: "1234567,some text\n", count: 150_000)
    let input = try folder.write(text, to: "many.csv")
    let session = try TerminalSession(["import", path, "--table", "tool", input])
    for text in ["iB/s", " left", "█"] { try session.wait(forWritten: text) }
    #expect(try session.exitCode() == 0)
    let screen = try session.screen()
    #expect(screen.contains("150000 rows inserted"))
    #expect(!screen.contains("█"))
  }

  @Test func aNamedPipeIsReadAndCanBeStopped() throws {
    let pipe = folder.file("pipe.csv")
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = try CommandRun.process(["import", path, "--table", "tool", pipe])
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It waits for somebody who writes.
    #expect(process.fallsAsleep())
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == SIGINT)
    let second = try CommandRun.process(["import", path, "--table", "tool", pipe])
    second.standardOutput = FileHandle.nullDevice
    second.standardError = FileHandle.nullDevice
    try second.run()
    let writer = try #require(FileHandle(forWritingAtPath: pipe))
    try writer.write(contentsOf: Data("a\n1\n".utf8))
    // It waits for the rest.
    #expect(second.fallsAsleep())
    try writer.write(contentsOf: Data("2\n".utf8))
    try writer.close()
    second.waitUntilExit()
    #expect(second.terminationStatus == 0)
    #expect(try rows("SELECT a, typeof(a) FROM tool") == ["1|integer", "2|integer"])
  }

  @Test func aFullDiskEndsTheImportAndNothingIsWritten() throws {
    let input = try folder.write(
      "a\n" + String(repeating: "some text of a row\n", count: 60_000), to: "big.csv")
    let program = CommandRun.program.path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    // Files of this process end at 100 KiB, as if the disk were full.
    process.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "bash", program, "import", path, "--table",
      "tool",
      input,
    ]
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 74, "\(text)")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
  }

  @Test func aMistakeInADocumentHasAPlace() throws {
    let run = try importing("[{\"a\": 1},\n{\"a\": }]", [])
    #expect(run.code == 65)
    #expect(run.errors.contains("standard input: object 2: not JSON: parse error"))
  }

  /// Killed at any moment, an import has happened or has not.
  @Test func killedImportLeavesAllOrNothing() throws {
    let count = 20_000
    let text = "id,name\n" + (1...count).map { "\($0),tool \($0)\n" }.joined()
    let input = try folder.write(text, to: "tool.csv")
    #expect(try importing("id,name\n0,first\n", ["--format", "csv"]).code == 0)
    // As long as an import takes on this machine, in seconds.
    let start = ContinuousClock.now
    let undisturbed = ["import", folder.file("other.sqlite"), "--table", "tool", input]
    #expect(try CommandRun(undisturbed).code == 0)
    let time = (ContinuousClock.now - start) / .seconds(1)
    var random = SeededRandom(seed: 1)
    var expected = 1
    for _ in 0..<12 {
      let process = try CommandRun.process(["import", path, "--table", "tool", input])
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: Double.random(in: 0...1.2, using: &random) * time)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // Opened for writing, which undoes what was left.
      let run = try CommandRun([
        "sqlite", path, "--writable", "--mode", "list",
        "SELECT count(*) FROM tool; PRAGMA integrity_check",
      ])
      #expect(run.code == 0, "\(run.errors)")
      let found = run.output.split(separator: "\n").map(String.init)
      try #require(found.count == 2 && found[1] == "ok")
      let now = try #require(Int(found[0]))
      #expect(now == expected || now == expected + count)
      expected = now
    }
    let run = try CommandRun(["import", path, "--table", "tool", input])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try rows("SELECT count(*) FROM tool") == ["\(expected + count)"])
  }
}
