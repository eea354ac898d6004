import GRDB
import SectileCore
import SectileTestSupport

@testable import SectileStore

/// A connection that random statements write to.
protocol TableWriter {
  /// Returns the rows of a query, as this connection sees them.
  func rows(_ sql: String) throws -> [[StoredValue]]
  func execute(_ fragment: SQLFragment) throws
}

extension TableWriter {
  /// Runs a closure of which everything is undone if it throws.
  ///
  /// Without it, SQLite 3.40.1 loses entries of indexes where REPLACE into a STRICT table is
  /// refused.
  func runInSavepoint(_ body: () throws -> Void) throws {
    try execute(SQLFragment("SAVEPOINT one"))
    do {
      try body()
    } catch {
      try execute(SQLFragment("ROLLBACK TO one"))
      try execute(SQLFragment("RELEASE one"))
      throw error
    }
    try execute(SQLFragment("RELEASE one"))
  }
}

/// A connection that no store watches.
struct PlainConnection: TableWriter {
  let db: Database

  func rows(_ sql: String) throws -> [[StoredValue]] { try rows(SQLFragment(sql)) }

  func rows(_ fragment: SQLFragment) throws -> [[StoredValue]] {
    let statement = try RawStatement.prepare(fragment.sql, on: db)
    try statement.bindAll(fragment.values)
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append(try statement.rowValues()) }
    return rows
  }

  func execute(_ fragment: SQLFragment) throws {
    let statement = try RawStatement.prepare(fragment.sql, on: db)
    try statement.bindAll(fragment.values)
    try statement.run()
  }
}

/// The transaction of a store.
struct StoreWriter: TableWriter {
  let transaction: StoreTransaction

  func rows(_ sql: String) throws -> [[StoredValue]] {
    try transaction.query(sql).map(\.values)
  }

  func execute(_ fragment: SQLFragment) throws {
    try transaction.execute(fragment.sql, values: fragment.values)
  }
}

/// Another program's connection; the rows are read by a store.
struct ForeignWriter: TableWriter {
  let connection: ForeignConnection
  let store: Store

  func rows(_ sql: String) throws -> [[StoredValue]] {
    try store.read { try $0.query(sql).map(\.values) }
  }

  func execute(_ fragment: SQLFragment) throws { try connection.execute(fragment) }
}

/// Writes to random tables: REPLACE, changes of keys, cascades, statements over many rows,
/// savepoints that are undone.
struct RandomTableWrites {
  private struct Undone: Error {}

  /// How many statements were run.
  private(set) var count = 0
  /// How many of them SQLite refused.
  private(set) var refusedCount = 0
  private let tables: [RandomTable]
  private let values: [StoredValue]
  private var random: SeededRandom

  /// Values without 1.0, which ``StoredValue`` holds equal to 1, but SQLite writes otherwise.
  private static let plainValues: [StoredValue] = [
    .null, 1, 2, 3, "1", "2", "a", "A", "a ", 2.5, 1, 1, 2, .null,
  ]
  private static let keyValues: [StoredValue] = [1, 2, 3, 4, 5, 6, 7, 8, "a", "A", "b"]

  /// Creates a generator; with `hasWholeReals`, columns without a type hold 1.0 beside 1.
  init(to tables: [RandomTable], random: SeededRandom, hasWholeReals: Bool = true) {
    (self.tables, self.random) = (tables, random)
    values = Self.plainValues + (hasWholeReals ? [1.0] : [])
  }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// Runs the statements of a transaction; what SQLite refuses is undone and passed over.
  mutating func write(to writer: some TableWriter) throws {
    for _ in 0..<pick([1, 1, 1, 2, 3, 5]) {
      guard random.chance(0.06) else {
        try writeOne(to: writer)
        continue
      }
      do {
        try writer.runInSavepoint {
          for _ in 0..<pick([1, 2, 3]) { try writeOne(to: writer) }
          throw Undone()
        }
      } catch is Undone {}
    }
  }

  private mutating func writeOne(to writer: some TableWriter) throws {
    let table = pick(tables)
    let rows = try writer.rows(table.selection)
    let row = rows.randomElement(using: &random)
    if random.chance(0.03) {
      do {
        try writer.runInSavepoint {
          try writer.execute(SQLFragment("delete from \(table.name)"))
          throw Undone()
        }
      } catch is Undone {}
      return
    }
    let statement = statement(on: table, row: row, count: rows.count)
    count += 1
    do {
      try writer.runInSavepoint { try writer.execute(statement) }
    } catch {
      refusedCount += 1
    }
  }

  private mutating func statement(
    on table: RandomTable, row: [StoredValue]?, count: Int
  ) -> SQLFragment {
    let name = table.name
    let dice = Double.random(in: 0..<1, using: &random)
    guard let row, count > 3, dice >= 0.35 else { return insertion(into: table) }
    let columns = table.written.map(\.name)
    let condition = table.key.map { "\($0.name) IS ?" }.joined(separator: " AND ")
    let key = Array(row.prefix(table.key.count))
    switch dice {
    case ..<0.56: return SQLFragment("delete from \(name) where \(condition)", key)
    case ..<0.61: return SQLFragment("delete from \(name) where c0 IS ?", [pick(values)])
    case ..<0.69:
      return SQLFragment(
        "update or \(pick(["replace", "ignore"])) \(name) set \(pick(columns)) = ? where c1 IS ?",
        [pick(values), pick(values)])
    case ..<0.76:
      return SQLFragment(
        "update or replace \(name) set \(table.key[0].name) = ? where \(condition)",
        [pick([1, 2, 3, 4, 5, 6, "a", "A"])] + key)
    default:
      return SQLFragment(
        "update or replace \(name) set \(pick(columns)) = ? where \(condition)",
        [pick(values)] + key)
    }
  }

  private mutating func insertion(into table: RandomTable) -> SQLFragment {
    let names = table.written.map(\.name).joined(separator: ", ")
    let marks = table.written.map { _ in "?" }.joined(separator: ", ")
    var row: [StoredValue] = []
    for _ in table.key { row.append(pick(Self.keyValues)) }
    for _ in table.values { row.append(pick(values)) }
    return SQLFragment(
      "insert or \(pick(["replace", "replace", "ignore", "abort"])) into \(table.name)(\(names)) "
        + "values(\(marks))", row)
  }
}
