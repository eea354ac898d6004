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
  /// What full-text tables count whose texts are others'.
  private let sums: [FullTextIndex: FullTextSums]

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
    var sums: [FullTextIndex: FullTextSums] = [:]
    for index in journal.indexes where index.texts != .own {
      sums[index] = try FullTextSums(of: index, in: db)
    }
    self.sums = sums
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
    try writeIndexes(in: db)
    if let obstacle = journal.obstacle { throw obstacle.error }
    // More changes than the hook was called for are changes that it has not seen. A row of a
    // full-text table is one, and the hook is called for what it writes behind.
    guard db.totalChangesCount - changeCount <= journal.callCount + journal.indexCallCount else {
      throw StoreError.notUndoable(
        "The transaction changed rows unseen: of a virtual table, or by a statement that was prepared before the "
          + "connection was adopted.",
        hint: "Use write.")
    }
    var tables: [TableChanges] = []
    var indexes: [FullTextChanges] = []
    var byteCount = 0
    for table in journal.tables {
      let index = journal.indexes.first { table.isOfIndex && $0.rowTable == table.name }
      let changes = try self.changes(of: table, index, in: db)
      byteCount += changes.bytes.count
      if byteCount > byteLimit { throw RowJournal.Obstacle.tooLarge.error }
      if changes.changes.isEmpty { continue }
      if let index {
        indexes.append(FullTextChanges(index: index, rows: changes))
      } else {
        tables.append(changes)
      }
    }
    try checkSums(indexes, in: db)
    if tables.isEmpty {
      // Where no texts have changed, words have where a row came or went.
      indexes = indexes.map { FullTextChanges(index: $0.index, rows: $0.rows.withoutEqualRows) }
        .filter { !$0.rows.changes.isEmpty }
    }
    let now = try AutoincrementState(in: db)
    return Store.Undo(
      tables: tables, indexes: indexes, sequences: now.changes(since: sequences))
  }

  /// Has full-text tables write what they keep in memory, so that the hook sees which of them were
  /// written to, and that what they count can be read.
  private func writeIndexes(in db: Database) throws {
    // They do it at the next savepoint.
    if journal.indexCallCount > 0 { try db.inSavepoint { .commit } }
  }

  /// Checks that full-text tables count what their rows have.
  private func checkSums(_ changes: [FullTextChanges], in db: Database) throws {
    guard journal.indexCallCount > 0 else { return }
    for (index, before) in sums {
      var expected = before
      for changes in changes where changes.index == index { expected.add(changes.rows) }
      guard try FullTextSums(of: index, in: db) == expected else {
        throw StoreError.indexIsWrong(index)
      }
    }
  }

  /// Reads what became of the rows of a table, or of those that tell of a full-text table's.
  private func changes(
    of table: RowJournal.Table, _ index: FullTextIndex?, in db: Database
  ) throws -> TableChanges {
    let rows =
      if let index {
        try WholeRows(behind: index, in: db)
      } else {
        try WholeRows(of: table.name, in: db)
      }
    let keepsEqualRows = index.map { $0.texts != .own } ?? false
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
      let isNone = before == nil && after == nil
      let isSame = Self.areEqual(before, after, in: bytes)
      if isNone || isSame && !keepsEqualRows {
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
