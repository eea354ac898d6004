import Foundation
import SectileTestHelpers
import SectileTestSupport
import Testing

/// Damaged files, and what `sectile salvage` gets out of them.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SalvageCommandTests {
  private static let pageSize = 1024

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func make(as name: String = "whole.sqlite") throws -> String {
    try Database.make(
      """
      PRAGMA page_size = \(Self.pageSize);
      CREATE TABLE dense (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL UNIQUE, b);
      CREATE TABLE sparse (x, g AS (x || 'g'));
      CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      CREATE INDEX dense_b ON dense (b);
      CREATE VIEW seen AS SELECT a FROM dense;
      CREATE TRIGGER kept AFTER DELETE ON dense BEGIN DELETE FROM sparse; END;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO dense SELECT i, 'row ' || i, CASE i % 4 WHEN 0 THEN x'00ff' WHEN 1 THEN i * 0.5
        WHEN 2 THEN CAST(x'41ff' AS TEXT) END FROM n;
      INSERT INTO sparse (rowid, x) SELECT (id * 7919 % 2000 - 1000) * 9000000000000000, a FROM dense;
      INSERT INTO keyed SELECT a, id FROM dense;
      PRAGMA user_version = 7;
      """, in: folder, as: name)
  }

  /// Overwrites pages with noise.
  private func damage(_ path: String, pages: Set<Int>, random: inout SeededRandom) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    for page in pages {
      for offset in 0..<Self.pageSize {
        data[page * Self.pageSize + offset] = UInt8.random(in: 0...255, using: &random)
      }
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func rows(_ query: String, of path: String) throws -> Set<String> {
    Set(try Database.sqlite3([path, query]).split(separator: "\n").map(String.init))
  }

  private static let everything = [
    "SELECT id, quote(a), typeof(b), hex(b) FROM dense", "SELECT rowid, x, g FROM sparse",
    "SELECT k, v FROM keyed",
  ]

  @Test func aWholeFileIsSavedWhole() throws {
    let whole = try make()
    let saved = folder.file("saved.sqlite")
    let run = try CommandRun(["salvage", whole, saved])
    #expect(run.code == 0 && run.output.contains("nothing is missing"), "\(run.errors)")
    #expect(try CommandRun(["verify", saved]).code == 0)
    for query in Self.everything + ["PRAGMA user_version", "SELECT * FROM sqlite_sequence"] {
      #expect(try rows(query, of: saved) == rows(query, of: whole))
    }
    let schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL"
    #expect(try rows(schema, of: saved) == rows(schema, of: whole))
  }

  @Test(arguments: SeededRandom.batches(debug: 6, release: 30, of: 3))
  func everySavedRowIsOneThatWasAndFewAreLost(seeds: Range<UInt64>) throws {
    for seed in seeds { try salvage(seed) }
  }

  private func salvage(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let whole = try make(as: "whole-\(seed).sqlite")
    let damaged = folder.file("damaged-\(seed).sqlite")
    try FileManager.default.copyItem(atPath: whole, toPath: damaged)
    // Leaves of the table with dense keys.
    let leaves = try rows(
      "SELECT pageno - 1 FROM dbstat WHERE name = 'dense' AND pagetype = 'leaf'", of: whole
    ).compactMap { Int($0) }.sorted()
    try #require(leaves.count > 20)
    let pages = Set((0..<4).compactMap { _ in leaves.randomElement(using: &random) })
    let lostCells = try rows(
      "SELECT sum(ncell) FROM dbstat WHERE name = 'dense' AND pageno - 1 IN "
        + "(\(pages.map { "\($0)" }.joined(separator: ",")))", of: whole
    ).first.flatMap { Int($0) }
    try damage(damaged, pages: pages, random: &random)
    let saved = folder.file("saved-\(seed).sqlite")
    let run = try CommandRun(["salvage", damaged, saved])
    #expect(run.code == 1, "\(run.errors)")
    #expect(try CommandRun(["verify", saved]).code == 0)
    for query in Self.everything {
      #expect(try rows(query, of: saved).isSubset(of: rows(query, of: whole)), "seed \(seed)")
    }
    let before = try rows("SELECT id FROM dense", of: whole)
    let after = try rows("SELECT id FROM dense", of: saved)
    #expect(before.count - after.count == lostCells, "seed \(seed): \(pages)")
    #expect(try rows(Self.everything[1], of: saved) == rows(Self.everything[1], of: whole))
    #expect(run.output.contains("not readable: what lies between"))
  }

  // MARK: - Pages that lead to others

  /// A table of three levels beside another one.
  private func makeDeep() throws -> String {
    try Database.make(
      """
      PRAGMA page_size = \(Self.pageSize);
      CREATE TABLE deep (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b, c DEFAULT 'new');
      CREATE TABLE other (a TEXT, b REAL);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
      INSERT INTO deep (id, a, b) SELECT i, 'row ' || i, CASE i % 3 WHEN 0 THEN zeroblob(30)
        WHEN 1 THEN i * 0.5 END FROM n;
      UPDATE deep SET b = zeroblob(3000) WHERE id % 1000 = 0;
      INSERT INTO other SELECT a, id FROM deep WHERE id % 10 = 0;
      DELETE FROM deep WHERE id BETWEEN 5000 AND 5400;
      """, in: folder)
  }

  private func pages(_ table: String, _ kind: String, of path: String) throws -> [Int] {
    try rows(
      "SELECT pageno - 1 FROM dbstat WHERE name = '\(table)' AND pagetype = '\(kind)'", of: path
    ).compactMap { Int($0) }.sorted()
  }

  private static let deepRows = "SELECT id, a, typeof(b), hex(b), c FROM deep"

  /// One below the first page, the first page of all, and that of the other table as well.
  @Test(arguments: 0..<3)
  func leavesBelowADamagedPageAreFound(number: Int) throws {
    var random = SeededRandom(seed: UInt64(number))
    let whole = try makeDeep()
    let damaged = folder.file("damaged.sqlite")
    try FileManager.default.copyItem(atPath: whole, toPath: damaged)
    let inner = try pages("deep", "internal", of: whole)
    #expect(inner.count > 4)
    let root = try rows("SELECT rootpage - 1 FROM sqlite_schema WHERE name = 'deep'", of: whole)
    let chosen = try #require(number == 0 ? inner[inner.count / 2] : root.first.flatMap { Int($0) })
    let others = number == 2 ? try pages("other", "internal", of: whole) : []
    try damage(damaged, pages: Set([chosen] + others), random: &random)
    let saved = folder.file("saved.sqlite")
    let run = try CommandRun(["salvage", damaged, saved])
    #expect(run.output.contains("of them from pages that no readable page leads to"))
    #expect(try CommandRun(["verify", saved]).code == 0)
    #expect(try rows(Self.deepRows, of: saved) == rows(Self.deepRows, of: whole), "\(run.output)")
    let other = "SELECT rowid, a, b FROM other"
    #expect(try rows(other, of: saved).isSubset(of: rows(other, of: whole)))
    if number < 2 { #expect(try rows(other, of: saved) == rows(other, of: whole)) }
  }

  @Test func ofLeavesBelowADamagedPageOnlyDamagedOnesAreLost() throws {
    var random = SeededRandom(seed: 9)
    let whole = try makeDeep()
    let damaged = folder.file("damaged.sqlite")
    try FileManager.default.copyItem(atPath: whole, toPath: damaged)
    let root = try rows("SELECT rootpage - 1 FROM sqlite_schema WHERE name = 'deep'", of: whole)
    let leaves = try pages("deep", "leaf", of: whole)
    let lost = Set(leaves.shuffled(using: &random).prefix(3))
    try damage(damaged, pages: lost.union(root.compactMap { Int($0) }), random: &random)
    let saved = folder.file("saved.sqlite")
    let run = try CommandRun(["salvage", damaged, saved])
    #expect(run.code == 1)
    #expect(try rows(Self.deepRows, of: saved).isSubset(of: rows(Self.deepRows, of: whole)))
    let lostCells = try rows(
      "SELECT sum(ncell) FROM dbstat WHERE pageno - 1 IN "
        + "(\(lost.map { "\($0)" }.joined(separator: ",")))", of: whole
    ).first.flatMap { Int($0) }
    let (before, after) = (
      try rows("SELECT id FROM deep", of: whole), try rows("SELECT id FROM deep", of: saved)
    )
    #expect(before.count - after.count == lostCells, "\(run.output)")
  }

  private func makeVirtual() throws -> String {
    try Database.make(
      """
      PRAGMA page_size = \(Self.pageSize);
      CREATE TABLE item (id INTEGER PRIMARY KEY, x);
      CREATE VIRTUAL TABLE five USING fts5(x);
      CREATE VIRTUAL TABLE four USING fts4(x);
      CREATE VIRTUAL TABLE extern USING fts5(x, content='item', content_rowid='id');
      CREATE VIRTUAL TABLE bare USING fts5(x, content='');
      CREATE VIRTUAL TABLE box USING rtree(id, a, b);
      CREATE VIEW words AS SELECT rowid FROM five WHERE five MATCH 'w7';
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO item SELECT i, 'word w' || (i % 50) || ' ' || hex(randomblob(20)) FROM n;
      INSERT INTO five (rowid, x) SELECT id, x FROM item;
      INSERT INTO four (docid, x) SELECT id, x FROM item;
      INSERT INTO extern (extern) VALUES ('rebuild');
      INSERT INTO bare (rowid, x) SELECT id, x FROM item;
      INSERT INTO box SELECT id, id, id + 1 FROM item;
      """, in: folder)
  }

  private static let virtualQueries = [
    "SELECT * FROM words", "SELECT docid FROM four WHERE four MATCH 'w7'",
    "SELECT rowid, x FROM extern WHERE extern MATCH 'w7'",
    "SELECT rowid FROM bare WHERE bare MATCH 'w7'",
    "SELECT id FROM box WHERE a >= 30 AND b <= 44", "SELECT rowid, x FROM five",
  ]

  @Test func virtualTablesAreSavedWithTheirContents() throws {
    let whole = try makeVirtual()
    let saved = folder.file("saved.sqlite")
    let run = try CommandRun(["salvage", whole, saved])
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    #expect(try CommandRun(["verify", saved]).code == 0)
    for query in Self.virtualQueries {
      let expected = try rows(query, of: whole)
      #expect(!expected.isEmpty)
      #expect(try rows(query, of: saved) == expected, "\(query)")
    }
    let schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL"
    #expect(try rows(schema, of: saved) == rows(schema, of: whole))
    // One that is named comes with the tables in which it keeps its contents.
    let one = folder.file("one.sqlite")
    #expect(try CommandRun(["salvage", whole, one, "--table", "box"]).code == 0)
    #expect(try rows(Self.virtualQueries[4], of: one) == rows(Self.virtualQueries[4], of: whole))
  }

  @Test func indexesOfTextAreMadeAnewWhereTheirTablesAreDamaged() throws {
    var random = SeededRandom(seed: 3)
    let whole = try makeVirtual()
    let damaged = folder.file("damaged.sqlite")
    try FileManager.default.copyItem(atPath: whole, toPath: damaged)
    let leaves = try rows(
      "SELECT pageno - 1 FROM dbstat WHERE pagetype = 'leaf' AND name IN "
        + "('five_data', 'four_segments', 'bare_data', 'item')", of: whole
    ).compactMap { Int($0) }
    try damage(damaged, pages: Set(leaves.shuffled(using: &random).prefix(12)), random: &random)
    let saved = folder.file("saved.sqlite")
    let run = try CommandRun(["salvage", damaged, saved])
    #expect(run.code == 1)
    #expect(try CommandRun(["verify", saved]).code == 0, "\(run.output)")
    let kept = try rows("SELECT id FROM item WHERE x LIKE 'word w7 %'", of: saved)
    #expect(
      try rows("SELECT rowid FROM extern WHERE extern MATCH 'w7'", of: saved) == kept)
  }

  @Test func aFileThatWasCutGivesWhatIsLeft() throws {
    let whole = try make()
    let cut = folder.file("cut.sqlite")
    let data = try Data(contentsOf: URL(fileURLWithPath: whole))
    try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: cut))
    let run = try CommandRun(["salvage", cut, folder.file("saved.sqlite")])
    #expect(run.code == 1, "\(run.errors)")
    let saved = try rows("SELECT id FROM dense", of: folder.file("saved.sqlite"))
    #expect(!saved.isEmpty && saved.count < 2000)
  }

  @Test func withoutASchemaNothingIsWritten() throws {
    var random = SeededRandom(seed: 1)
    let file = try make()
    try damage(file, pages: [0], random: &random)
    let run = try CommandRun(["salvage", file, folder.file("saved.sqlite")])
    #expect(run.code == 65)
    #expect(!FileManager.default.fileExists(atPath: folder.file("saved.sqlite")))
  }

  @Test func aFileThatIsThereIsReplacedOnlyByForce() throws {
    let whole = try make()
    let other = try make(as: "other.sqlite")
    #expect(try CommandRun(["salvage", whole, other]).code == 1)
    #expect(try CommandRun(["salvage", whole, whole, "--force"]).code == 64)
    #expect(try CommandRun(["salvage", whole, other, "--force", "--table", "KEYED"]).code == 0)
    #expect(try rows("SELECT name FROM sqlite_schema WHERE type = 'table'", of: other) == ["keyed"])
    let run = try CommandRun(["salvage", whole, other, "--force", "--table", "nothing"])
    #expect(run.code == 65 && run.errors.contains("there is no table 'nothing'"))
  }
}
