import CSQLite
import GRDBSQLite
import SectileCore
import Synchronization

/// Which columns of a table the pre-update hook shows as the rows hold them: found out by trying.
///
/// SQLite 3.40 takes the affinity of a column of a table WITHOUT ROWID from the wrong place, so that an
/// integer next to a REAL column arrives rounded. Other versions err elsewhere. A copy of the table, in
/// memory and empty, gets one row after another with values of every storage class; what the hook shows
/// is compared with what is read.
enum HookTrust {
  // A verdict depends on the text of the table alone. Guarded by the mutex; emptied when full.
  private static let verdicts = Mutex<[String: Set<Int32>?]>([:])
  private static let verdictLimit = 1_000

  /// Returns the positions of the columns that the hook shows otherwise than they are.
  ///
  /// - Parameters:
  ///   - sql: The statement that creates the table.
  ///   - table: The name of the table.
  /// - Returns: The positions among the stored columns; nil where the table cannot be made anew.
  static func untrustedColumns(ofTableWith sql: String, named table: String) -> Set<Int32>? {
    if let known = verdicts.withLock({ $0[sql] }) { return known }
    let verdict = HookTrial(sql, table: table)?.run()
    verdicts.withLock { verdicts in
      if verdicts.count >= verdictLimit { verdicts = [:] }
      verdicts[sql] = .some(verdict)
    }
    return verdict
  }
}

/// One trial of the hook, with a database of its own.
private final class HookTrial {
  private struct Column {
    let name: String
    let type: String
    let isNotNull: Bool
    let isGenerated: Bool
  }

  /// What is written into each column in turn.
  private static let values: [StoredValue] = [
    .integer(1_732_000_000_000_000_001), .real(1), .real(0.5), .text("7"), .text("a"), .blob([0]),
    .null, .integer(-1), .integer(0),
  ]

  private let connection: OpaquePointer
  private let table: String
  private var columns: [Column] = []
  private var isStrict = false
  // Set by the hook while a statement runs.
  private var shown: (before: [StoredValue?], after: [StoredValue?]) = ([], [])
  private var untrusted: Set<Int32> = []

  init?(_ sql: String, table: String) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { return nil }
    connection = opened
    self.table = SQLName.quote(table)
    guard code == SQLITE_OK else { return nil }
    // Collations of any name: how text compares makes no difference here.
    sqlite3_collation_needed(opened, nil) { _, connection, encoding, name in
      sqlite3_create_collation_v2(
        connection, name, encoding, nil, { _, left, _, right, _ in left - right }, nil)
    }
    guard run("PRAGMA ignore_check_constraints = ON"), run("PRAGMA foreign_keys = OFF"),
      run(sql), readColumns(table)
    else { return nil }
  }

  deinit { sqlite3_close_v2(connection) }

  /// Returns the positions of columns shown otherwise than they are; nil where nothing could be tried.
  func run() -> Set<Int32>? {
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
        compare(shown.before, with: inserted)
        compare(shown.after, with: updated)
      }
      guard let last = row(), run("DELETE FROM \(table) WHERE true") else { return nil }
      compare(shown.before, with: last)
      tried += 1
    }
    return tried == 0 ? nil : untrusted
  }

  /// A value that the column takes.
  private func value(of column: Column, turn: Int) -> StoredValue {
    let value = Self.values[turn % Self.values.count]
    if case .null = value { return column.isNotNull ? .integer(1) : .null }
    guard isStrict || column.type == "INTEGER" else { return value }
    switch (column.type, value) {
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

  private func compare(_ shown: [StoredValue?], with row: [StoredValue]) {
    for position in columns.indices
    where position >= shown.count || shown[position] != row[position] {
      untrusted.insert(Int32(position))
    }
  }

  // MARK: Statements

  private func readColumns(_ table: String) -> Bool {
    let info = rows(
      "SELECT name, upper(type), \"notnull\", hidden FROM pragma_table_xinfo(?)", [.text(table)])
    for row in info ?? [] where row[3] != .integer(2) {
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { return false }
      columns.append(
        Column(
          name: name, type: type, isNotNull: row[2] != .integer(0),
          isGenerated: row[3] != .integer(0)))
    }
    isStrict =
      rows("SELECT strict FROM pragma_table_list(?)", [.text(table)])?.first == [.integer(1)]
    return !columns.isEmpty
  }

  private func row() -> [StoredValue]? {
    let names = columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
    return rows("SELECT \(names) FROM \(table)", [])?.first
  }

  private func run(_ sql: String, _ values: [StoredValue] = []) -> Bool {
    rows(sql, values) != nil
  }

  /// Runs a statement and returns its rows; nil where SQLite refuses it.
  private func rows(_ sql: String, _ values: [StoredValue]) -> [[StoredValue]]? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
    for (offset, value) in values.enumerated() {
      bind(value, to: statement, at: Int32(offset + 1))
    }
    var rows: [[StoredValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map {
            StoredValue(validating: sqlite3_column_value(statement, $0)) ?? .null
          })
      case SQLITE_DONE: return rows
      default: return nil
      }
    }
  }

  private func bind(_ value: StoredValue, to statement: OpaquePointer?, at position: Int32) {
    // Tells SQLite to copy what is bound.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, position)
    case .integer(let integer): sqlite3_bind_int64(statement, position, integer)
    case .real(let real): sqlite3_bind_double(statement, position, real)
    case .text(let text): sqlite3_bind_text(statement, position, text, -1, transient)
    case .blob(let bytes):
      sqlite3_bind_blob(statement, position, bytes, Int32(bytes.count), transient)
    }
  }
}
