import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// What is exported and imported again is the same, to the last bit: values of all storage classes
/// in columns of all declared types, in every format that promises it, and through a watch.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct InterchangeTests {
  static let formats = ["csv", "tsv", "json", "ndjson"]

  /// Every declared type in a table that takes all values, and those of a STRICT one.
  static let tables = [
    """
    CREATE TABLE loose (id INTEGER PRIMARY KEY, none, text TEXT, whole INTEGER, float REAL,
      number NUMERIC, bytes BLOB, short VARCHAR(10), flag BOOLEAN, day DATETIME,
      any ANY, made AS (typeof(none)), kept AS (typeof(text)) STORED)
    """,
    """
    CREATE TABLE strict (id INTEGER PRIMARY KEY, text TEXT, whole INT, float REAL, bytes BLOB, any ANY,
      made TEXT AS (typeof(any))) STRICT
    """,
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: formats, SeededRandom.batches(debug: 6, release: 60, of: 3))
  func exportedAndImportedRowsAreTheSame(format: String, seeds: Range<UInt64>) throws {
    for seed in seeds {
      let original = try make(seed)
      let copy = folder.file("copy-\(seed).sqlite")
      try Database.make(Self.tables.joined(separator: ";"), in: folder, as: "copy-\(seed).sqlite")
      for table in ["loose", "strict"] {
        let text = folder.file("\(table)-\(seed).\(format)")
        try run(["export", original, "--table", table, "--output", text])
        try run(["import", copy, "--table", table, text])
        // The way back gives the same bytes.
        let again = folder.file("\(table)-\(seed)-again.\(format)")
        try run(["export", copy, "--table", table, "--output", again])
        #expect(
          FileManager.default.contentsEqual(atPath: text, andPath: again), "seed \(seed): \(table)")
      }
      #expect(try RandomFile.differences(original, copy) == [], "\(format), seed \(seed)")
    }
  }

  @Test(arguments: SeededRandom.batches(debug: 4, release: 40, of: 2))
  func whatAWatchSaysIsTheSame(seeds: Range<UInt64>) throws {
    let reader = JSONReader()
    for seed in seeds {
      let original = try make(seed)
      try Database.make(Self.tables.joined(separator: ";"), in: folder, as: "seen-\(seed).sqlite")
      let copy = folder.file("seen-\(seed).sqlite")
      for table in ["loose", "strict"] {
        let columns = try Self.writtenColumns(of: table, in: original)
        let watch = try CommandRun([
          "watch", original, "--table", table, "--ndjson", "--for", "0", "--columns", columns,
        ])
        #expect(watch.code == 0, "\(watch.errors)")
        var items = ""
        for line in watch.output.split(separator: "\n") {
          guard case .json(let rows)? = try reader.members(of: String(line))["rows"],
            case .json(let inserts)? = try reader.members(of: rows)["inserts"]
          else { continue }
          for case .json(let insert) in try reader.elements(of: inserts) {
            guard case .json(let item)? = try reader.members(of: insert)["item"] else { continue }
            items += item + "\n"
          }
        }
        let text = folder.file("\(table)-\(seed).items")
        try Data(items.utf8).write(to: URL(fileURLWithPath: text))
        try run(["import", copy, "--table", table, "--format", "ndjson", text])
      }
      #expect(try RandomFile.differences(original, copy) == [], "seed \(seed)")
    }
  }

  @Test(arguments: ["gz", "zst"])
  func compressedFilesAreTheSame(ending: String) throws {
    let original = try make(1)
    try Database.make(Self.tables[0], in: folder, as: "copy.sqlite")
    let copy = folder.file("copy.sqlite")
    let text = folder.file("loose.csv.\(ending)")
    try run(["export", original, "--table", "loose", "--output", text])
    let start = try Data(contentsOf: URL(fileURLWithPath: text)).prefix(2)
    #expect(Array(start) == (ending == "gz" ? [0x1F, 0x8B] : [0x28, 0xB5]))
    try run(["import", copy, "--table", "loose", text])
    let query = "SELECT quote(none), quote(text), id, hex(text) FROM loose ORDER BY id"
    #expect(
      try Database.sqlite3([copy, query]) == Database.sqlite3([original, query]))
  }

  @Test func aFileInAnotherEncodingIsReadAndWritten() throws {
    let file = folder.file("names.sqlite")
    let text = folder.file("names.csv")
    try Data([UInt8]("id,name\n1,caf".utf8) + [0xE9] + [UInt8]("\n".utf8)).write(
      to: URL(fileURLWithPath: text))
    try run(["import", file, "--table", "name", "--encoding", "latin1", text])
    #expect(try Database.sqlite3([file, "SELECT name FROM name"]) == "café\n")
    let out = folder.file("out.csv")
    try run(["export", file, "--table", "name", "--encoding", "latin1", "--output", out])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: out))
    #expect(bytes.contains(0xE9) && !bytes.contains(0xC3))
    let unknown = try CommandRun(["export", file, "--table", "name", "--encoding", "nothing-8"])
    #expect(unknown.code == 64)
  }

  @Test func columnsAreRenamedLeftOutAndComputed() throws {
    let file = folder.file("tools.sqlite")
    let input = "Name;Weight;Note\n saw ;1,5;-\nclaw;2,5;-\n"
    let run = try CommandRun(
      [
        "import", file, "--table", "tool", "--format", "csv", "--map", "Note=", "--null", "-",
        "--map", "Name=name", "--transform", "name=trim(Name)",
        "--transform", "weight=CAST(replace(Weight, ',', '.') AS REAL)", "--map", "Weight=",
      ], input: input)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("fields are separated by semicolons"), "\(run.errors)")
    #expect(
      try Database.sqlite3([file, "SELECT name, weight, typeof(weight) FROM tool"])
        == "saw|1.5|real\nclaw|2.5|real\n")
    let wrong = try CommandRun(
      ["import", file, "--table", "tool", "--format", "csv", "--transform", "name=nothing(Name)"],
      input: input)
    #expect(wrong.code == 65 && wrong.errors.contains("nothing"), "\(wrong.errors)")
  }

  // MARK: - Helpers

  private func make(_ seed: UInt64) throws -> String {
    var random = SeededRandom(seed: seed)
    let path = try Database.make(
      Self.tables.joined(separator: ";"), in: folder, as: "original-\(seed).sqlite")
    let connection = try InspectionConnection(path: path, access: .readWrite)
    for table in ["loose", "strict"] {
      let columns = try TableSchema(of: table, in: connection)?.columns
        .filter { $0.origin == .written && $0.name != "id" }.map(\.name)
      let names = try #require(columns)
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      let insertion = try connection.prepare(
        "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))")
      for _ in 0..<40 {
        do {
          try insertion.runExactly(names.map { _ in RandomFile.value(&random) })
        } catch {
          // What the table refuses is no row.
          guard error.isConstraint else { throw error }
        }
      }
    }
    return path
  }

  private static func writtenColumns(of table: String, in path: String) throws -> String {
    let connection = try InspectionConnection(path: path)
    let columns = try TableSchema(of: table, in: connection)?.columns ?? []
    return columns.filter { $0.origin == .written }.map(\.name).joined(separator: ",")
  }

  private func run(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try CommandRun(arguments)
    #expect(run.code == 0, "\(arguments): \(run.errors)", sourceLocation: sourceLocation)
  }
}

extension [JSONReader.Member] {
  /// The value of a name.
  fileprivate subscript(name: String) -> JSONCell? { first { $0.name == name }?.value }
}
