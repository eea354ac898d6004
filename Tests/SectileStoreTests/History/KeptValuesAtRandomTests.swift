import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Random writes of a store and of another program; what is kept of each is compared with what the
/// tables held before and after it.
@Suite(.timeLimit(.minutes(60))) struct KeptValuesAtRandomTests {
  private typealias Rows = [[StoredValue]: [StoredValue]]

  private struct Table {
    let name: String
    let columns: [String]
    /// Where the key's columns stand.
    let keys: [Int]
    let sql: String
  }

  private static let tables = [
    Table(
      name: "r", columns: ["id", "a", "b", "c"], keys: [0],
      sql: "CREATE TABLE r (id INTEGER PRIMARY KEY, a, b TEXT, c REAL)"),
    Table(
      name: "the w", columns: ["v", "y", "x"], keys: [2, 1],
      sql: "CREATE TABLE \"the w\" (v NUMERIC, y, x, PRIMARY KEY (x, y)) WITHOUT ROWID"),
  ]

  private static let values = [
    "NULL", "0", "1", "1.0", "'1'", "2", "9223372036854775807", "-9223372036854775808",
    "-9223372036854775808.0", "1e999", "-1e999", "0.1", "''", "'x'", "'a' || char(0) || 'b'", "x''",
    "x'00ff'",
  ]
  private static let keyValues = ["1", "2", "3", "4"]

  @Test(arguments: SeededRandom.batches(debug: 10, release: 60, of: 2))
  func eachChangeIsKeptAsItWas(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let file = try LoggedFile(Self.tables.map(\.sql).joined(separator: ";"))
      try file.store.changeLog.keepValues(of: Self.tables.map(\.name))
      var changed = 0
      for _ in 0..<80 {
        changed += try step(in: file, &random)
        if random.chance(0.05) {
          try file.store.changeLog.prune(keeping: Int.random(in: 1...30, using: &random))
        }
      }
      #expect(changed > 10, "\(random)")
      #expect(try file.store.verifyChangeLog(limit: 5)?.problems == [], "\(random)")
      try file.close()
    }
  }

  /// Runs a statement that changes one row at most, and compares.
  private func step(in file: LoggedFile, _ random: inout SeededRandom) throws -> Int {
    let table = Self.tables[Int.random(in: 0..<Self.tables.count, using: &random)]
    let (before, token) = try (
      rows(of: table, in: file.store), file.store.history(since: nil).token
    )
    let sql = statement(on: table, &random)
    // A key that is there already is refused.
    if random.chance(0.5) {
      try? file.store.commit(sql)
    } else {
      try? file.other.execute(sql)
    }
    let after = try rows(of: table, in: file.store)
    let forward = try file.store.history(since: token, includingValues: true)
    let found = forward.transactions.flatMap(\.changes)
    let isReplace = sql.hasPrefix("REPLACE")
    let wanted = expected(from: before, to: after, of: table, replacing: isReplace)
    // An update that gives a row what it has is no change of the table, and one of the log.
    let telling = found.filter { !($0.operation == .update && $0.values == []) }
    // Nor is a row that is put in the place of its like.
    if !isReplace || before != after {
      #expect(Set(telling.map(Self.line)) == Set(wanted), "\(sql) \(random)")
    }
    #expect(found.allSatisfy { $0.date != nil && $0.values != nil }, "\(sql) \(random)")
    if !found.isEmpty {
      let backward = try file.store.history(before: nil, limit: 1, includingValues: true)
      let last = backward.transactions.first?.changes.suffix(found.count).map(Self.line) ?? []
      #expect(last == found.map(Self.line), "\(sql) \(random)")
    }
    return wanted.count
  }

  private func statement(on table: Table, _ random: inout SeededRandom) -> String {
    func pick(_ values: [String]) -> String {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    let name = SQLName.quote(table.name)
    let row = table.columns.indices.map { index in
      pick(table.keys.contains(index) ? Self.keyValues : Self.values)
    }
    let condition = table.keys.map { "\(table.columns[$0]) = \(pick(Self.keyValues))" }
      .joined(separator: " AND ")
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return "INSERT INTO \(name) VALUES (\(row.joined(separator: ", ")))"
    case 2: return "REPLACE INTO \(name) VALUES (\(row.joined(separator: ", ")))"
    case 3: return "DELETE FROM \(name) WHERE \(condition)"
    case 4:
      let key = table.columns[table.keys[0]]
      return "UPDATE \(name) SET \(key) = \(pick(Self.keyValues)) WHERE \(condition)"
    default:
      let column = pick(
        table.columns.indices.filter { !table.keys.contains($0) }.map { table.columns[$0] })
      return "UPDATE \(name) SET \(column) = \(pick(Self.values)) WHERE \(condition)"
    }
  }

  private func rows(of table: Table, in store: Store) throws -> Rows {
    let rows = try store.read { try $0.query("SELECT * FROM \(SQLName.quote(table.name))") }
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in (table.keys.map { row.values[$0] }, row.values) })
  }

  /// What has to be told, for the two states of the table.
  private func expected(
    from before: Rows, to after: Rows, of table: Table, replacing isReplace: Bool
  ) -> [String] {
    let gone = before.keys.filter { after[$0] == nil }
    let new = after.keys.filter { before[$0] == nil }
    // Values are compared by their form: an integer that becomes an equal real is a change.
    let others = after.keys.filter { key in
      before[key].map { $0.map(\.description) != after[key]?.map(\.description) } ?? false
    }
    var lines: [String] = []
    for key in gone { lines.append(line("delete", key, table, before[key] ?? [], nil)) }
    for key in new {
      // Where a row went as well, it has another key now.
      let former = gone.first.flatMap { before[$0] }
      lines.append(
        former.map { line("update", key, table, $0, after[key]) }
          ?? line("insert", key, table, [], nil))
    }
    for key in others where !isReplace {
      lines.append(line("update", key, table, before[key] ?? [], after[key]))
    }
    return lines + replaced(before, after, others, table, isReplace)
  }

  private func replaced(
    _ before: Rows, _ after: Rows, _ others: [[StoredValue]], _ table: Table, _ isReplace: Bool
  ) -> [String] {
    guard isReplace else { return [] }
    return others.flatMap { key in
      [
        line("touched", key, table, before[key] ?? [], nil), line("insert", key, table, [], nil),
      ]
    }
  }

  private func line(
    _ operation: String, _ key: [StoredValue], _ table: Table, _ old: [StoredValue],
    _ new: [StoredValue]?
  ) -> String {
    let values = old.indices.compactMap { index -> String? in
      if let new, new[index].description == old[index].description { return nil }
      return "\(table.columns[index]) \(old[index])" + (new.map { " -> \($0[index])" } ?? "")
    }
    return "\(operation) \(table.name) \(key): \(values)"
  }

  private static func line(_ change: Store.ChangeLog.RowChange) -> String {
    let values = (change.values ?? []).map { value in
      "\(value.column) \(value.before)" + (value.after.map { " -> \($0)" } ?? "")
    }
    return "\(change.operation) \(change.table) \(change.key): \(values)"
  }
}
