import Foundation
import Sectile
import SectilePresenting
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Files that were made to do harm: nothing crashes, hangs, or reaches the terminal as it is.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct HostileShellTests {
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
      CREATE INDEX "i\(attack)" ON plain (name);
      CREATE VIEW "v\(attack)" AS SELECT '\(attack)' AS "\(attack)";
      CREATE VIEW loading AS SELECT load_extension('/tmp/x.so') AS x;
      CREATE VIEW broken AS SELECT * FROM "gone\(attack)";
      CREATE TRIGGER "g\(attack)" AFTER INSERT ON plain BEGIN SELECT '\(attack)'; END;
      """, in: folder, as: "hostile.sqlite")
  }

  /// What is asked of the file, and the code that it ends with.
  private static let inputs: [([String], Int32)] = [
    ([".tables"], 0), ([".schema"], 0), ([".schema plain"], 0), ([".indexes"], 0),
    ([".databases"], 0), ([".migrations"], 0), ([".dump plain"], 0), ([".print \(attack)"], 0),
    (["SELECT * FROM plain"], 0), (["SELECT * FROM \"t\(attack)\""], 0),
    (["SELECT * FROM \"v\(attack)\""], 0),
    ([".explain on", "SELECT * FROM plain AS \"\(attack)\" WHERE name = 'x'"], 0),
    ([".schema \(attack)"], 1), ([".\(attack)"], 64), ([".mode \(attack)"], 64),
    (["SELECT * FROM loading"], 65), (["SELECT * FROM broken"], 65), ([attack], 65),
    (["SELECT * FROM \"t\(attack)2\""], 65), (["SELECT \"\(attack)\" FROM plain WHERE"], 65),
  ]

  /// The statements of an input, once for each mode; an input that fails fails in the first,
  /// whatever the mode is.
  private static func repeated(_ input: [String], in modes: [RowMode]) -> [String] {
    modes.flatMap { [".mode \($0.rawValue)"] + input }
  }

  /// Runs a command at a terminal, and returns the bytes that reach it.
  private func terminalBytes(_ arguments: [String]) throws -> (bytes: Data, code: Int32) {
    func quoted(_ text: String) -> String {
      "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
    let words = ([CommandRun.program.path] + arguments).map(quoted).joined(separator: " ")
    let run = try ProgramRun(
      "/usr/bin/script", ["-qefc", words, "/dev/null"],
      environment: ["NO_COLOR": "1", "SHELL": "/bin/sh", "PAGER": ""])
    return (run.output, run.code)
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
  func nothingReachesATerminalAsItIs(input: [String], code: Int32) throws {
    // Only the mode with tabs may write tabs.
    let others = RowMode.allCases.filter { $0 != .tsv }
    let runs = input[0].hasPrefix("SELECT * FROM \"") ? [others, [.tsv]] : [[.table]]
    for modes in runs {
      let (bytes, found) = try terminalBytes(["sqlite", path] + Self.repeated(input, in: modes))
      #expect(!bytes.isEmpty)
      #expect(found == code)
      #expect(firstUnsafe(in: bytes, isTerminal: true, modes[0]) == nil)
    }
  }

  // A dump and a schema are scripts, which have to stay what they are.
  @Test(
    arguments: inputs.filter { !$0.0[0].hasPrefix(".dump") && !$0.0[0].hasPrefix(".schema") })
  func nothingReachesAPipeButData(input: [String], code: Int32) throws {
    let run = try CommandRun(
      ["sqlite", path] + Self.repeated(input, in: [.table, .list, .json]))
    #expect(run.code == code)
    #expect(firstUnsafe(in: Data(run.output.utf8), isTerminal: false) == nil)
    #expect(firstUnsafe(in: Data(run.errors.utf8), isTerminal: false) == nil)
  }

  @Test(arguments: RowMode.allCases)
  func hugeCellsAreWrittenInEveryMode(mode: RowMode) throws {
    let path = try Database.make(
      """
      CREATE TABLE huge (x);
      INSERT INTO huge VALUES (printf('%.*c', 300000, 'x')), (zeroblob(300000)),
        (replace(printf('%.*c', 300000, 'x'), 'xxxxx', 'xxxx' || char(27)));
      """, in: folder)
    let run = try CommandRun(["sqlite", path, "--mode", mode.rawValue, "SELECT x FROM huge"])
    #expect(run.code == 0)
    let isCut = mode == .table || mode == .box
    #expect(isCut ? run.output.utf8.count < 5000 : run.output.utf8.count > 1_200_000)
    // What programs read is written as it is, into a pipe.
    let isData = [.csv, .tsv, .insert, .quote, .html].contains(mode)
    #expect(run.output.utf8.contains(0x1B) == isData)
  }

  @Test func thePromptShowsNothingAsItIs() throws {
    let file = folder.file("name\u{1B}[31mred.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: file)
    let session = try TerminalSession(
      ["sqlite", file], environment: ["SECTILE_HISTORY": "", "PAGER": ""], width: 200, height: 40)
    try session.wait(for: "sectile>")
    try session.type("SELECT * FROM ")
    try session.press("Tab", "Tab")
    try session.wait(for: "plain")
    try session.press("C-c")
    try session.wait(for: "^C\nsectile>")
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

  @Test(arguments: [0, 1, 15, 16, 99, 100, 101, 512, 4095, 4096, 5000, 30_000])
  func filesThatAreCutOffAreRefusedOrReadAsFarAsTheyGo(size: Int) throws {
    try readAsFarAsItGoes(Data(contentsOf: URL(fileURLWithPath: path)).prefix(size))
  }

  @Test(arguments: 0..<12)
  func filesThatWereChangedAreRefusedOrReadAsFarAsTheyGo(number: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var generator = SeededRandom(seed: seed)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for _ in 0..<(8 << (number % 4)) {
      bytes[Int.random(in: (number < 6 ? 100 : 0)..<bytes.count, using: &generator)] =
        UInt8.random(in: 0...255, using: &generator)
    }
    try readAsFarAsItGoes(bytes, "seed \(seed)")
  }

  private func readAsFarAsItGoes(_ bytes: Data, _ note: String = "") throws {
    let file = folder.file("damaged")
    try bytes.write(to: URL(fileURLWithPath: file))
    for input in [".tables", ".schema", ".dump", "SELECT * FROM plain", "PRAGMA integrity_check"] {
      let run = try CommandRun(["sqlite", file, "--mode", "list", input])
      #expect([0, 1, 65, 66, 74].contains(run.code), "\(note) \(input): \(run.code) \(run.errors)")
      if run.code != 0 { #expect(run.errors.hasPrefix("Error: "), "\(note) \(input)") }
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
