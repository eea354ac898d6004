import GRDB
import SectileCore

/// What a transaction does to rows, from some point in it on.
struct UndoRecording {
  /// What the pre-update hook is to fill.
  let journal: RowJournal
  private let byteLimit: Int
  private let schemaVersion: [[StoredValue]]
  private let sequences: AutoincrementState
  private let changeCount: Int

  /// Takes note of where the transaction is.
  ///
  /// - Parameters:
  ///   - db: The writing connection, inside the transaction.
  ///   - byteLimit: How many bytes of rows are kept.
  /// - Throws: What reading throws.
  init(in db: Database, byteLimit: Int) throws {
    self.byteLimit = byteLimit
    journal = try RowJournal(in: db, byteLimit: byteLimit)
    schemaVersion = try Self.schemaVersion(of: db)
    sequences = try AutoincrementState(in: db)
    changeCount = db.totalChangesCount
  }

  private static func schemaVersion(of db: Database) throws -> [[StoredValue]] {
    try db.schemaRows("PRAGMA main.schema_version", [])
  }

  /// Reads what the rows are now, and keeps those that are not what they were.
  ///
  /// - Throws: `notUndoable` where not all is known that the transaction did.
  func finish(in db: Database) throws -> Store.Undo {
    guard try Self.schemaVersion(of: db) == schemaVersion else {
      throw StoreError.notUndoable(
        "The transaction changed the schema, which is not put back.",
        hint: "Change the schema by migrations, or with write.")
    }
    if let obstacle = journal.obstacle { throw obstacle.error }
    // More changes than the hook was called for are changes that it has not seen.
    guard db.totalChangesCount - changeCount <= journal.callCount else {
      throw StoreError.notUndoable(
        "The transaction changed rows unseen: of a virtual table, or by a statement that was prepared before the "
          + "connection was adopted.",
        hint: "Use write.")
    }
    var tables: [TableChanges] = []
    var byteCount = 0
    for table in journal.tables {
      let changes = try self.changes(of: table, in: db)
      byteCount += changes.bytes.count
      if byteCount > byteLimit { throw RowJournal.Obstacle.tooLarge.error }
      if !changes.changes.isEmpty { tables.append(changes) }
    }
    let now = try AutoincrementState(in: db)
    return Store.Undo(tables: tables, sequences: now.changes(since: sequences))
  }

  private func changes(of table: RowJournal.Table, in db: Database) throws -> TableChanges {
    let rows = try WholeRows(of: table.name, in: db)
    guard let schema = try TableSchema(of: table.name, in: db) else {
      throw StoreError.alteredTable(table.name)
    }
    let reals = try realColumns(of: table, rows, in: db)
    var defaults = ColumnDefaults(of: schema)
    let statement = try RawStatement.prepare(rows.reading, on: db)
    var bytes = ByteBuffer()
    var changes: [TableChanges.Change] = []
    for position in table.keys.indices {
      let key = table.keys[position]
      let start = bytes.count
      if let image = table.images[position] {
        try copy(image, of: table, rows, reals: reals, &defaults, to: &bytes)
      }
      let middle = bytes.count
      let isThere = try rows.append(key, readBy: statement, to: &bytes)
      let before = table.images[position].map { _ in start..<middle }
      let after = isThere ? middle..<bytes.count : nil
      if Self.areEqual(before, after, in: bytes) {
        bytes.truncate(to: start)
      } else {
        changes.append(TableChanges.Change(key: key, before: before, after: after))
      }
      if bytes.count > byteLimit { throw RowJournal.Obstacle.tooLarge.error }
    }
    return TableChanges(rows: rows, changes: changes, bytes: Array(bytes.all))
  }

  /// Checks that the hook shows rows of a table as they are, and returns the columns of which it
  /// shows reals as integers.
  private func realColumns(
    of table: RowJournal.Table, _ rows: WholeRows, in db: Database
  ) throws -> Set<Int> {
    let layout = try TableLayout(table: table.name, in: db)
    let isWhole = table.columnCount.map { $0 == rows.columns.count } ?? true
    guard layout.isReadable, layout.untrustedColumns.isEmpty, isWhole, !table.isUnclear else {
      throw StoreError.notUndoable(
        "Rows of \(table.name) are not told by the linked SQLite as they are.",
        hint:
          "Put the columns of its key first and virtual ones last, leave out WITHOUT ROWID, or use write."
      )
    }
    return Set(layout.reclassedColumns.map { Int($0) })
  }

  /// Copies the image of a row, with the defaults of columns that it is too short for.
  private func copy(
    _ image: Range<Int>, of table: RowJournal.Table, _ rows: WholeRows, reals: Set<Int>,
    _ defaults: inout ColumnDefaults, to bytes: inout ByteBuffer
  ) throws {
    let width = rows.columns.count
    try withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: width) { columns in
      RowImage.read(table.bytes, from: image.lowerBound, into: columns)
      for column in columns.indices {
        let isShort =
          table.hasShortRows
          && RowImage.hasGap(table.bytes, from: image.lowerBound, among: [column])
        if isShort {
          try defaults.append(column, to: &bytes)
        } else if case .integer(let integer) = columns[column], reals.contains(column) {
          RowImage.append(.real(Double(integer)), to: &bytes)
        } else {
          try checkNull(columns[column], at: column, of: table, defaults)
          RowImage.append(columns[column], to: &bytes)
        }
      }
    }
  }

  /// Checks that NULL is not a default that the hook does not show.
  private func checkNull(
    _ value: RawColumn, at column: Int, of table: RowJournal.Table, _ defaults: ColumnDefaults
  ) throws {
    guard case .areUnclear = ShortRows.shown, value.isNull, defaults.hasDefault(column) else {
      return
    }
    throw StoreError.notUndoable(
      "A row of \(table.name) has NULL or a default, and the linked SQLite does not tell which.",
      hint: "Use write.")
  }

  private static func areEqual(
    _ left: Range<Int>?, _ right: Range<Int>?, in bytes: borrowing ByteBuffer
  ) -> Bool {
    guard let left, let right else { return left == right }
    let all = bytes.all
    return UnsafeRawBufferPointer(rebasing: all[left])
      .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: all[right]))
  }
}
