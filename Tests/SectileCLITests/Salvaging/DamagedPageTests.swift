import Foundation
import Sectile
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Files of which one page is damaged: no page costs more than the rows on it.
///
/// Some pages of each file are tried, half of those that lead to others; all of them with
/// `SECTILE_ALL_PAGES=1`, which takes minutes.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct DamagedPageTests {
  enum Damage: CaseIterable {
    case zeros
    case noise
    case oneBit
  }

  /// How a file is made.
  struct Kind {
    let pageSize: Int
    let autoVacuum: Int
    let encoding: String
  }

  static let kinds = [
    Kind(pageSize: 512, autoVacuum: 0, encoding: "UTF-8"),
    Kind(pageSize: 1024, autoVacuum: 1, encoding: "UTF-8"),
    Kind(pageSize: 1024, autoVacuum: 0, encoding: "UTF-16le"),
    Kind(pageSize: 512, autoVacuum: 2, encoding: "UTF-16be"),
  ]

  private static let triesAll = ProcessInfo.processInfo.environment["SECTILE_ALL_PAGES"] == "1"

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Tables of several levels, one WITHOUT ROWID, long values, free pages, a full-text table.
  ///
  /// No change of one bit makes the text of a key that of another row.
  private func make(_ kind: Kind) throws -> String {
    try Database.make(
      """
      PRAGMA page_size = \(kind.pageSize);
      PRAGMA auto_vacuum = \(kind.autoVacuum);
      PRAGMA encoding = '\(kind.encoding)';
      CREATE TABLE dense (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b);
      CREATE TABLE sparse (x REAL, g AS (x + 1), s AS (x + 2) STORED, y);
      CREATE TABLE keyed (v TEXT, k TEXT, w, PRIMARY KEY (k)) WITHOUT ROWID;
      CREATE TABLE long (id INTEGER PRIMARY KEY, v BLOB, t TEXT);
      CREATE INDEX dense_b ON dense (b, a);
      CREATE VIRTUAL TABLE five USING fts5(x);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO dense SELECT i, 'row ' || i, CASE i % 4 WHEN 0 THEN x'00ff' WHEN 1 THEN i * 0.5
        WHEN 2 THEN -i * i END FROM n;
      INSERT INTO sparse (rowid, x, y) SELECT (id * 7919 % 2000 - 1000) * 9000000000, id, a
        FROM dense WHERE id <= 600;
      INSERT INTO keyed SELECT a, printf('%08x', id * 2654435761 % 4294967296), id FROM dense
        WHERE id <= 600;
      INSERT INTO long SELECT id, zeroblob(id * 37 % 3000), 'text ' || id FROM dense WHERE id <= 25;
      INSERT INTO five SELECT 'word w' || id % 20 FROM dense WHERE id <= 100;
      DELETE FROM dense WHERE id BETWEEN 700 AND 800;
      ALTER TABLE dense ADD COLUMN c DEFAULT 'new';
      """, in: folder, as: "whole.sqlite")
  }

  private static let queries = [
    "dense": "SELECT id, quote(a), quote(b), c FROM dense",
    "sparse": "SELECT rowid, x, g, s, quote(y) FROM sparse",
    "keyed": "SELECT quote(k), quote(v), w FROM keyed",
    "long": "SELECT id, quote(v), quote(t) FROM long",
    "five_content": "SELECT id, quote(c0) FROM five_content",
  ]

  private func rows(_ query: String, of connection: InspectionConnection) throws -> Set<String> {
    var rows: Set<String> = []
    try connection.run(query) { row in
      rows.insert(row.map { "\($0)" }.joined(separator: "|"))
    }
    return rows
  }

  private func salvage(_ path: String) throws -> (InspectionConnection, SalvageReport) {
    let source = try InspectionConnection(path: path, toleratesDamage: true)
    let target = try InspectionConnection.inMemory()
    let report = try FileSalvage(from: source, into: target) { _, _ in }.run(tables: [])
    return (target, report)
  }

  @Test(arguments: Self.kinds.indices, Damage.allCases)
  func aDamagedPageCostsNothingButItself(kind: Int, damage: Damage) throws {
    let kind = Self.kinds[kind]
    let path = try make(kind)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let connection = try InspectionConnection(path: path, access: .readWrite)
    var expected: [String: Set<String>] = [:]
    for (table, query) in Self.queries { expected[table] = try rows(query, of: connection) }
    // What is on each page: how many rows of which table.
    var pages: [Int: (table: String, type: String, count: Int)] = [:]
    try connection.run("SELECT pageno, name, pagetype, ncell FROM dbstat") { row in
      guard case .integer(let page) = row[0], case .text(let table) = row[1],
        case .text(let type) = row[2], case .integer(let count) = row[3]
      else { return }
      pages[Int(page)] = (table, type, Int(count))
    }
    try #require(pages.count > 100)
    var random = SeededRandom(seed: UInt64(kind.pageSize + kind.autoVacuum))
    var choice = SeededRandom(seed: random.seed + 1)
    var triedCount = 0
    let damaged = folder.file("damaged.sqlite")
    for page in 2...bytes.count / kind.pageSize where pages[page]?.table != "sqlite_schema" {
      var copy = bytes
      let range = (page - 1) * kind.pageSize..<page * kind.pageSize
      switch damage {
      case .zeros: copy.replaceSubrange(range, with: Data(count: kind.pageSize))
      case .noise: for place in range { copy[place] = .random(in: 0...255, using: &random) }
      case .oneBit:
        let place = Int.random(in: range, using: &random)
        copy[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      // The damage of a page is the same, whether the others are tried or not.
      let isChosen = choice.chance(pages[page]?.type == "internal" ? 0.5 : 0.08)
      guard isChosen || Self.triesAll else { continue }
      triedCount += 1
      try copy.write(to: URL(fileURLWithPath: damaged))
      let (target, report) = try salvage(damaged)
      for (table, query) in Self.queries {
        let found = try rows(query, of: target)
        let whole = expected[table] ?? []
        let lost = whole.subtracting(found).count
        let here = pages[page].flatMap { $0.table == table ? $0 : nil }
        let place =
          "page \(page), \(pages[page]?.type ?? "none") of \(pages[page]?.table ?? ""), \(random)"
        switch here?.type {
        case "leaf":
          #expect(lost <= here?.count ?? 0, "\(table): \(place)")
          if damage != .oneBit {
            #expect(lost == here?.count && found.isSubset(of: whole), "\(table): \(place)")
            #expect(report.tables.contains { $0.name == table && !$0.gaps.isEmpty }, "\(place)")
          }
        case "internal" where table == "keyed":
          #expect(lost <= here?.count ?? 0, "\(table): \(place)")
          if damage != .oneBit { #expect(found.isSubset(of: whole), "\(table): \(place)") }
        // Zeros at the end of a value say nothing of being wrong.
        case "overflow": #expect(lost <= 1 && found.count <= whole.count, "\(table): \(place)")
        default: #expect(lost == 0 && found.isSubset(of: whole), "\(table): \(place)")
        }
      }
    }
    #expect(triedCount > 5)
  }

  @Test(arguments: Self.kinds.indices) func wholeFilesAreReadTheSameByPages(kind: Int)
    throws
  {
    let path = try make(Self.kinds[kind])
    let source = try InspectionConnection(path: path)
    let file = try PageFile(path)
    let search = TreeSearch(file, trees: try StoredTree.all(in: source))
    let target = try InspectionConnection.inMemory()
    for (table, query) in Self.queries where table != "five_content" {
      let found = try #require(search.parts(of: table))
      #expect(found.parts.isWhole && !found.parts.hasHoles, "\(table)")
      try target.run(try #require(try source.schema(of: table).first)) { _ in }
      let schema = try #require(try TableSchema(of: table, in: target))
      let salvage = TableSalvage(schema, from: source, into: target) {}
      var parts = found.parts
      // SQLite is not asked.
      parts.isWhole = false
      try salvage.run(found.tree, parts, of: file)
      #expect(salvage.report.gaps.isEmpty && salvage.report.refusedCount == 0, "\(table)")
      #expect(try rows(query, of: target) == rows(query, of: source), "\(table)")
    }
    #expect(search.unowned.isEmpty)
  }

  @Test func pagesComeFromTheLogAsSQLiteTakesThem() throws {
    let path = folder.file("logged.sqlite")
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
      INSERT INTO t SELECT 'row ' || i FROM n;
      PRAGMA wal_checkpoint;
      UPDATE t SET a = a || ' again' WHERE rowid % 3 = 0;
      INSERT INTO t SELECT a FROM t;
      """
    ) { _ in }
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    // A frame that was not written to its end.
    var log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    log.append(Data(repeating: 7, count: 300))
    try log.write(to: URL(fileURLWithPath: copy + "-wal"))
    let file = try PageFile(copy)
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(file.pageCount == bytes.count / 512 && file.pageCount > 10)
    for page in 1...file.pageCount {
      let expected = [UInt8](bytes[(page - 1) * 512..<page * 512])
      #expect(file.page(page) == expected, "page \(page)")
    }
  }

  @Test func rowsThatTwoTablesCouldHaveAreKeptApart() throws {
    let path = try Database.make(
      """
      PRAGMA page_size = 512;
      CREATE TABLE one (id INTEGER PRIMARY KEY, a);
      CREATE TABLE two (id INTEGER PRIMARY KEY, a);
      CREATE VIEW lost_and_found AS SELECT 1;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO one SELECT i, 'one ' || i FROM n;
      INSERT INTO two SELECT id, 'two ' || id FROM one;
      """, in: folder)
    let connection = try InspectionConnection(path: path)
    var roots: [Int] = []
    try connection.run("SELECT rootpage FROM sqlite_schema WHERE type = 'table'") { row in
      if case .integer(let root) = row[0] { roots.append(Int(root)) }
    }
    #expect(roots.count == 2)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for root in roots {
      bytes.replaceSubrange((root - 1) * 512..<root * 512, with: Data(count: 512))
    }
    let damaged = folder.file("damaged.sqlite")
    try bytes.write(to: URL(fileURLWithPath: damaged))
    let (target, report) = try salvage(damaged)
    #expect(!report.isWhole && report.savedCount == 0)
    let found = try rows("SELECT id, c1 FROM lost_and_found_0", of: target)
    let all = "SELECT id, a FROM one UNION ALL SELECT id, a FROM two"
    #expect(try found == rows(all, of: connection))
  }
}
