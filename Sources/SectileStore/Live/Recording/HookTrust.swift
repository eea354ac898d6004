import CSQLite
import GRDB
import GRDBSQLite
import SectileCore
import Synchronization

/// Which columns of a table the pre-update hook shows as the rows hold them: found out by trying.
///
/// SQLite 3.40 takes the affinity of a column of a table WITHOUT ROWID from the wrong place, so
/// that an integer next to a REAL column arrives rounded. Other versions err elsewhere. A copy of
/// the table, in memory and empty, gets one row after another with values of every storage class;
/// what the hook shows is compared with what is read.
struct HookTrust {
  /// The positions, among the stored columns, of those that the hook shows otherwise than they are.
  fileprivate(set) var untrustedColumns: Set<Int32> = []
  /// The positions of those of which it shows old values as equal numbers of another storage class:
  /// 1 for 1.0.
  fileprivate(set) var reclassedColumns: Set<Int32> = []

  // A verdict depends on the text of the table alone. Guarded by the mutex; emptied when full.
  private static let verdicts = Mutex<[String: HookTrust?]>([:])
  private static let verdictLimit = 1_000

  /// Tries a table.
  ///
  /// - Parameters:
  ///   - sql: The statement that creates the table.
  ///   - table: The name of the table.
  /// - Returns: What was found; nil where the table cannot be made anew.
  static func verdict(onTableWith sql: String, named table: String) -> HookTrust? {
    if let known = verdicts.withLock({ $0[sql] }) { return known }
    let verdict = try? SchemaCopy(ofTableWith: sql).withDatabase { copy in
      try HookTrial(of: table, in: copy)?.run()
    }
    verdicts.withLock { verdicts in
      if verdicts.count >= verdictLimit { verdicts = [:] }
      verdicts[sql] = .some(verdict)
    }
    return verdict
  }
}

/// One trial of the hook, on a copy of the table.
private final class HookTrial {
  /// What is written into each column in turn.
  private static let values: [StoredValue] = [
    .integer(1_732_000_000_000_000_001), .real(1), .real(0.5), .text("7"), .text("a"), .blob([0]),
    .null, .integer(-1), .integer(0),
  ]

  private let db: Database
  private let table: String
  private let columns: [TableSchema.Column]
  private let isStrict: Bool
  // Set by the hook while a statement runs.
  private var shown: (before: [StoredValue?], after: [StoredValue?]) = ([], [])
  private var verdict = HookTrust()

  init?(of table: String, in db: Database) throws {
    guard let schema = try TableSchema(of: table, in: db) else { return nil }
    self.db = db
    self.table = SQLName.quote(table)
    columns = schema.storedColumns
    isStrict = schema.listing.isStrict
  }

  /// Returns what was found; nil where nothing could be tried.
  func run() -> HookTrust? {
    let connection = db.sqliteConnection
    defer { _ = sqlite3_preupdate_hook(connection, nil, nil) }
    _ = sqlite3_preupdate_hook(
      connection,
      { context, connection, operation, _, _, _, _ in
        guard let context, let connection else { return }
        Unmanaged<HookTrial>.fromOpaque(context).takeUnretainedValue().note(connection, operation)
      }, Unmanaged.passUnretained(self).toOpaque())
    let written = columns.filter { !$0.isGenerated }
    let names = written.map { SQLName.quote($0.name) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let insertion = "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    let update =
      "UPDATE \(table) SET " + names.map { "\($0) = ?" }.joined(separator: ", ")
    var tried = 0
    for turn in Self.values.indices {
      let values = written.indices.map { value(of: written[$0], turn: turn + $0) }
      let others = written.indices.map { value(of: written[$0], turn: turn + $0 + 1) }
      guard run(insertion, values) else { continue }
      guard let inserted = row() else { return nil }
      compare(shown.after, with: inserted)
      if run(update, others), let updated = row() {
        compare(shown.before, isOld: true, with: inserted)
        compare(shown.after, with: updated)
      }
      guard let last = row(), run("DELETE FROM \(table) WHERE true") else { return nil }
      compare(shown.before, isOld: true, with: last)
      tried += 1
    }
    return tried == 0 ? nil : verdict
  }

  /// A value that the column takes.
  private func value(of column: TableSchema.Column, turn: Int) -> StoredValue {
    let value = Self.values[turn % Self.values.count]
    if case .null = value { return column.isNotNull ? .integer(1) : .null }
    let type = column.declaredType.uppercased()
    guard isStrict || type == "INTEGER" else { return value }
    switch (type, value) {
    case ("ANY", _), ("INTEGER", .integer), ("INT", .integer), ("REAL", .real), ("REAL", .integer),
      ("TEXT", .text), ("BLOB", .blob):
      return value
    case ("TEXT", _): return .text("\(turn)")
    case ("BLOB", _): return .blob([UInt8(turn % 256)])
    default: return .integer(Int64(turn))
    }
  }

  private func note(_ connection: OpaquePointer, _ operation: Int32) {
    let change = PreUpdate(
      connection: connection, operation: operation, oldRowID: 0, newRowID: 0)
    shown = ([], [])
    for position in columns.indices {
      let column = Int32(position)
      if change.exists(.before) {
        shown.before.append(StoredValue(validating: change.value(.before, column)))
      }
      if change.exists(.after) {
        shown.after.append(StoredValue(validating: change.value(.after, column)))
      }
    }
  }

  private func compare(
    _ shown: [StoredValue?], isOld: Bool = false, with row: [StoredValue]
  ) {
    for position in columns.indices {
      guard position < shown.count, let value = shown[position], value == row[position] else {
        verdict.untrustedColumns.insert(Int32(position))
        continue
      }
      switch (value, row[position]) {
      case (.integer, .real) where isOld, (.real, .integer) where isOld:
        verdict.reclassedColumns.insert(Int32(position))
      default: break
      }
    }
  }

  // MARK: Statements

  private func row() -> [StoredValue]? {
    let names = columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
    return rows("SELECT \(names) FROM \(table)", [])?.first
  }

  private func run(_ sql: String, _ values: [StoredValue] = []) -> Bool {
    rows(sql, values) != nil
  }

  /// Runs a statement and returns its rows; nil where SQLite refuses it.
  private func rows(_ sql: String, _ values: [StoredValue]) -> [[StoredValue]]? {
    guard let statement = try? RawStatement.prepare(sql, on: db),
      (try? statement.bindAll(values)) != nil
    else { return nil }
    var rows: [[StoredValue]] = []
    while let hasRow = try? statement.step() {
      guard hasRow else { return rows }
      rows.append(
        (0..<CInt(statement.columnCount)).map {
          StoredValue(validating: sqlite3_column_value(statement.handle, $0)) ?? .null
        })
    }
    return nil
  }
}
