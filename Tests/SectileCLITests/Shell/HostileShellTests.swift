import Foundation
import Sectile
import Testing

@testable import SectileCLI

/// Files that were made to do harm: nothing crashes, hangs, or reaches the terminal as it is.
@Suite struct HostileShellTests {
  private static let attack = "\u{1B}[2J\u{1B}]0;PWNED\u{7}\u{9B}31m\u{202E}\r"
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    let attack = Self.attack
    path = try Database.make(
      """
      CREATE TABLE "t\(attack)" (id INTEGER PRIMARY KEY, "c\(attack)" TEXT, [quote"x] TEXT);
      CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE "two
      lines" (x);
      INSERT INTO "t\(attack)" VALUES (1, '\(attack)', 'x');
      INSERT INTO plain VALUES (1, '\(attack)'), (2, CAST(x'1b5b324aff9b' AS TEXT)),
        (3, char(0) || 'after');
      CREATE TABLE huge (x);
      INSERT INTO huge VALUES (printf('%.*c', 5000000, 'x')), (zeroblob(5000000)),
        (replace(printf('%.*c', 5000000, 'x'), 'xxxxx', 'xxxx' || char(27)));
      CREATE INDEX "i\(attack)" ON plain (name);
      CREATE VIEW "v\(attack)" AS SELECT '\(attack)' AS "\(attack)";
      CREATE VIEW loading AS SELECT load_extension('/tmp/x.so') AS x;
      CREATE VIEW broken AS SELECT * FROM "gone\(attack)";
      CREATE TRIGGER "g\(attack)" AFTER INSERT ON plain BEGIN SELECT '\(attack)'; END;
      """, in: folder, as: "hostile.sqlite")
  }

  /// What is asked of each file.
  private static let inputs = [
    [".tables"], [".schema"], [".schema plain"], [".indexes"], [".databases"], [".migrations"],
    [".dump plain"], ["SELECT * FROM plain"], ["SELECT * FROM \"t\(attack)\""],
    ["SELECT * FROM \"v\(attack)\""], ["SELECT * FROM loading"], ["SELECT * FROM broken"],
    ["SELECT * FROM \"t\(attack)2\""], ["SELECT \"\(attack)\" FROM plain WHERE"], [attack],
    [".\(attack)"], [".mode \(attack)"], [".print \(attack)"], [".schema \(attack)"],
    [".explain on", "SELECT * FROM plain AS \"\(attack)\" WHERE name = 'x'"],
  ]

  /// Runs a command at a terminal, and returns the bytes that reach it.
  private func terminalBytes(_ arguments: [String]) throws -> Data {
    let binary = try #require(CommandRun.process([]).executableURL).path
    func quoted(_ text: String) -> String {
      "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
    process.arguments = [
      "-qefc", ([binary] + arguments).map(quoted).joined(separator: " "), "/dev/null",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["NO_COLOR": "1", "SHELL": "/bin/sh", "PAGER": ""]
    ) { $1 }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return bytes
  }

  /// The first character that a terminal could act upon; nil where there is none.
  private func firstUnsafe(in data: Data, isTerminal: Bool, _ mode: RowMode = .table) -> String? {
    let text = String(decoding: data, as: UTF8.self)
    var layout: Set<Unicode.Scalar> = isTerminal ? ["\n", "\r"] : ["\n"]
    if mode == .tsv { layout.insert("\t") }
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      // The terminal's own line ends are the only returns.
      if scalar == "\r" && scalars.first != "\n" { return "a return" }
      if TerminalText.isUnsafe(scalar) && !layout.contains(scalar) {
        return String(scalar.value, radix: 16)
      }
    }
    return nil
  }

  @Test(arguments: inputs)
  func nothingReachesATerminalAsItIs(input: [String]) throws {
    for mode in input[0].hasPrefix("SELECT * FROM \"") ? RowMode.allCases : [.table] {
      let bytes = try terminalBytes(["sqlite", path, "--mode", mode.rawValue] + input)
      #expect(!bytes.isEmpty)
      #expect(firstUnsafe(in: bytes, isTerminal: true, mode) == nil, "\(mode)")
    }
  }

  @Test(arguments: inputs.filter { !$0[0].hasPrefix(".dump") })
  func nothingReachesAPipeButData(input: [String]) throws {
    for mode in [RowMode.table, .list, .json] {
      let run = try CommandRun(["sqlite", path, "--mode", mode.rawValue] + input)
      #expect([0, 1, 64, 65].contains(run.code))
      #expect(firstUnsafe(in: Data(run.output.utf8), isTerminal: false) == nil, "\(mode)")
      #expect(firstUnsafe(in: Data(run.errors.utf8), isTerminal: false) == nil, "\(mode)")
    }
  }

  @Test(arguments: RowMode.allCases)
  func hugeCellsAreWrittenInEveryMode(mode: RowMode) throws {
    let run = try CommandRun(["sqlite", path, "--mode", mode.rawValue, "SELECT x FROM huge"])
    #expect(run.code == 0)
    let isCut = mode == .table || mode == .box
    #expect(isCut ? run.output.utf8.count < 5000 : run.output.utf8.count > 20_000_000)
    if mode != .csv && mode != .tsv { #expect(!run.output.utf8.contains(0x1B)) }
  }

  @Test func thePromptShowsNothingAsItIs() throws {
    let file = folder.path("name\u{1B}[31mred.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: file)
    let session = try TerminalSession(
      ["sqlite", file], environment: ["SECTILE_HISTORY": "", "PAGER": ""], height: 40)
    try session.wait(for: "sectile>")
    try session.type("SELECT * FROM ")
    try session.press("Tab", "Tab")
    try session.wait(for: "plain")
    try session.press("C-c")
    try session.type(".tables")
    try session.press("Enter")
    try session.wait(for: "loading")
    try session.type("SELECT name FROM plain WHERE id = 1;")
    try session.press("Enter")
    let screen = try session.wait(for: "\\u{1B}]0;PWNED\\u{7}")
    #expect(screen.contains("name\\u{1B}[31mred.sqlite"))
    try session.press("C-d")
    #expect(try session.exitCode() == 0)
  }

  @Test func damagedFilesAreRefusedOrReadAsFarAsTheyGo() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var damaged: [(String, Data)] = [0, 1, 15, 16, 99, 100, 101, 512, 4095, 4096, 5000, 70_000].map
    {
      ("cut-\($0)", whole.prefix($0))
    }
    var generator = SystemRandomNumberGenerator()
    for number in 0..<12 {
      var bytes = whole.prefix(65_536)
      for _ in 0..<(8 << (number % 4)) {
        bytes[Int.random(in: (number < 6 ? 100 : 0)..<bytes.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      damaged.append(("changed-\(number)", bytes))
    }
    for (name, bytes) in damaged {
      let file = folder.path(name)
      try bytes.write(to: URL(fileURLWithPath: file))
      for input in [".tables", ".schema", ".dump", "SELECT * FROM plain", "PRAGMA integrity_check"]
      {
        let run = try CommandRun(["sqlite", file, "--mode", "list", input])
        #expect(
          [0, 1, 65, 66, 74].contains(run.code), "\(name) \(input): \(run.code) \(run.errors)")
        if run.code != 0 { #expect(run.errors.hasPrefix("Error: "), "\(name) \(input)") }
      }
    }
  }

  @Test(arguments: [
    "ATTACH ':memory:' AS a", "ATTACH '' AS a", "DETACH main", "VACUUM", "CREATE TEMP TABLE t (x)",
    "CREATE TEMP VIEW v AS SELECT 1", "CREATE TABLE t (x)", "DROP TABLE plain", "REINDEX",
    "ANALYZE",
    "PRAGMA journal_mode = WAL", "PRAGMA journal_mode = MEMORY", "PRAGMA wal_checkpoint",
    "PRAGMA user_version = 1", "PRAGMA writable_schema = ON", "PRAGMA query_only = OFF",
    "PRAGMA trusted_schema = ON", "PRAGMA temp_store_directory = '/tmp'", "PRAGMA optimize",
    "PRAGMA incremental_vacuum", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA mmap_size = 1",
    "PRAGMA page_size = 512", "PRAGMA synchronous = 0", "PRAGMA cache_spill = 0",
    "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')",
    "UPDATE sqlite_master SET sql = ''", "INSERT INTO plain VALUES (9, 'x')",
    "REPLACE INTO plain VALUES (1, 'x')", "DELETE FROM sqlite_schema",
    "CREATE VIRTUAL TABLE temp.v USING fts5 (x)",
    "BEGIN; DELETE FROM plain", "SELECT writefile('x', 'y')", "SELECT edit('x')",
    "SELECT * FROM pragma_journal_mode('wal')", "WITH x AS (SELECT 1) DELETE FROM plain",
  ])
  func noStatementWritesWithoutTheFlag(sql: String) throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let run = try CommandRun(["sqlite", path, sql])
    #expect(run.code == 65, "\(run.output)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["hostile.sqlite"])
  }
}
