import Foundation
import Sectile
import SectileTestHelpers
import Testing

@testable import SectileCLI

/// What a damaged file may not lead to: values without end, pages that are none any more, numbers
/// that are given twice.
@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SalvageLimitTests {
  private struct Stopped: Error {}

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func headThatSQLiteWouldNotReadIsNone() {
    // 90,000 and 200,000, as files have such numbers.
    let readable: [UInt8] = [0x85, 0xBF, 0x10]
    let long: [UInt8] = [0x8C, 0x9A, 0x40]
    func record(_ head: [UInt8], size: Int) -> StoredRecord? {
      let rest = [UInt8](repeating: 0, count: size - head.count)
      return StoredRecord(head + rest, encoding: .utf8)
    }
    #expect(record(readable, size: 90_000)?.values.count == 89_997)
    #expect(record(long, size: 200_000) == nil)
  }

  @Test func tablesWithoutRowsGoOnCounting() throws {
    let path = try Database.make(
      """
      CREATE TABLE empty (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
      INSERT INTO empty (a) VALUES (1), (2), (3);
      DELETE FROM empty;
      CREATE TABLE full (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
      INSERT INTO full VALUES (9, 1);
      """, in: folder)
    let source = try InspectionConnection(path: path, toleratesDamage: true)
    for (tables, expected) in [
      ([], ["empty 3", "full 9"]), (["full"], ["full 9"]),
    ] as [(Set<String>, [String])] {
      let target = try InspectionConnection.inMemory()
      let report = try FileSalvage(from: source, into: target) { _, _ in }.run(tables: tables)
      #expect(report.isWhole)
      var found: [String] = []
      try target.run("SELECT name || ' ' || seq FROM sqlite_sequence ORDER BY name") { row in
        if case .text(let text)? = row.first { found.append(text) }
      }
      #expect(found == expected)
    }
  }

  /// A file is cut when its log is written back, not before.
  @Test func pagesBehindTheEndAreOld() throws {
    let path = folder.file("logged.sqlite")
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(
      """
      PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE t (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT 'row ' || i FROM n;
      PRAGMA wal_checkpoint;
      DELETE FROM t WHERE rowid > 20;
      VACUUM;
      """
    ) { _ in }
    let file = try PageFile(path)
    let count = try connection.firstValue("PRAGMA page_count")
    #expect(count == .integer(Int64(file.pageCount)))
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(size / 512 > file.pageCount)
  }

  @Test func whoStopsDoesNotWaitForTheSearch() throws {
    let path = try Database.make("CREATE TABLE t (a); INSERT INTO t VALUES (1);", in: folder)
    let source = try InspectionConnection(path: path, toleratesDamage: true)
    let target = try InspectionConnection.inMemory()
    let salvage = try FileSalvage(from: source, into: target) { _, _ in
      throw Stopped()
    } isStopped: {
      true
    }
    #expect(throws: Stopped.self) { try salvage.run(tables: []) }
    #expect(try target.firstValue("SELECT count(*) FROM sqlite_schema") == .integer(0))
    let search = try TreeSearch(PageFile(path), trees: StoredTree.all(in: source)) { true }
    #expect(search.parts(of: "t")?.parts.isWhole == false)
  }
}
