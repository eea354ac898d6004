import Sectile
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileCLI

/// Differences of random tables, replayed by Sectile's own changesets.
@Suite struct TableDiffTests {
  private typealias Contents = SectionedContents<[ExactValue], [String]>

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Creates a table with keys of all storage classes.
  private func makeTable(_ name: String, _ random: inout SeededRandom, rows: [[StoredValue]]) throws
    -> String
  {
    let path = folder.file(name)
    let connection = try InspectionConnection(path: path, access: .create)
    try connection.run(
      "CREATE TABLE t (k, l COLLATE NOCASE, v, UNIQUE (k, l COLLATE BINARY)); BEGIN"
    ) { _ in }
    let insertion = try connection.prepare("INSERT OR IGNORE INTO t VALUES (?, ?, ?)")
    for row in rows.shuffled(using: &random) { try insertion.run(row) }
    try connection.run("COMMIT") { _ in }
    return path
  }

  private func key(_ random: inout SeededRandom) -> StoredValue {
    switch random.next() % 6 {
    case 0: .integer(Int64(random.next() % 20))
    case 1: .real(Double(random.next() % 40) / 2)
    case 2: .integer(Int64(1 << 53) + Int64(random.next() % 3))
    case 3: .real(0x1p53)
    case 4: .text(["a", "A", "ab", "é", "e\u{301}", "😀", "\u{FFFD}", ""][Int(random.next() % 8)])
    default: .blob((0..<(random.next() % 3)).map { _ in UInt8(random.next() % 3) })
    }
  }

  private func contents(_ path: String) throws -> Contents {
    let side = try DiffSide(path: path, table: "t")
    try side.start(key: ["k", "l"], columns: ["k", "l", "v"])
    var rows: [Contents.Row] = []
    while let row = side.row {
      rows.append(Contents.Row(id: row.key, item: row.values.map { "\($0)" }))
      try side.advance()
    }
    let header = SourceSection(identity: .null, title: "")
    return Contents(version: 1, sections: [Contents.Section(header: header, rows: rows)])
  }

  @Test(arguments: 0..<60)
  func theDifferenceAppliedToTheFirstTableGivesTheSecond(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let count = [0, 1, 5, 40][Int(random.next() % 4)]
    var rows = (0..<count).map { _ in [key(&random), key(&random), key(&random)] }
    let first = try makeTable("first.sqlite", &random, rows: rows)
    rows = rows.filter { _ in random.next() % 4 > 0 }
    for index in rows.indices where random.next() % 3 == 0 { rows[index][2] = key(&random) }
    rows += (0..<(random.next() % 9)).map { _ in [key(&random), key(&random), key(&random)] }
    let second = try makeTable("second.sqlite", &random, rows: rows)

    let diff = try TableDiff(
      DiffSide(path: first, table: "t"), DiffSide(path: second, table: "t"), key: ["k", "l"],
      columns: [], ignored: [], filter: nil)
    var deletes: [ItemDelete<[ExactValue]>] = []
    var inserts: [ItemInsert<[ExactValue], [String]>] = []
    var updates: [ItemUpdate<[ExactValue], [String]>] = []
    let summary = try diff.run { difference in
      switch difference {
      case .delete(let path, let row): deletes.append(ItemDelete(path: path, id: row.key))
      case .insert(let path, let row):
        inserts.append(
          ItemInsert(path: path, id: row.key, payload: .value(row.values.map { "\($0)" })))
      case .update(let source, let target, let before, let after, let changed):
        updates.append(
          ItemUpdate(
            source: source, target: target, id: after.key,
            payload: .value(after.values.map { "\($0)" })))
        for column in 0..<3 {
          let isSame = "\(before.values[column])" == "\(after.values[column])"
          #expect(isSame != changed.contains(column), "seed \(seed)")
        }
      }
    }
    let changes = Changeset(
      sourceVersion: 1, targetVersion: 1, deletes: deletes, inserts: ChangeList(inserts),
      updates: updates)
    let expected = try contents(second)
    let replayed = try contents(first).applying(changes)
    // A key that went from 1 to 1.0 is the same key, so identities are compared as SQLite does.
    #expect(
      replayed.sections[0].rows.map(\.id) == expected.sections[0].rows.map(\.id), "seed \(seed)")
    #expect(
      replayed.sections[0].rows.map(\.item) == expected.sections[0].rows.map(\.item), "seed \(seed)"
    )
    #expect(summary.isEqual == changes.isEmpty)
    #expect(
      summary.equalCount + summary.updateCount + summary.insertCount
        == expected.sections[0].rows.count)
  }

  @Test func theOrderOfKeysIsThatOfSQLite() throws {
    var random = SeededRandom(seed: 7)
    let rows = (0..<300).map { _ in [key(&random), key(&random), .null] }
    let path = try makeTable("order.sqlite", &random, rows: rows)
    // The side itself refuses what comes in another order than its own.
    #expect(try contents(path).sections[0].rows.count > 100)
  }
}
