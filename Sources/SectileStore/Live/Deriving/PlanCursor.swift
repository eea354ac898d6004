import Foundation
import GRDBSQLite
import SectileCore

/// The row of a plan that a statement stands on.
///
/// Valid as long as whoever made it holds the statement.
struct PlanCursor {
  let statement: RawStatement
  let queries: PlanQueries
  /// Where the columns are.
  let columns: PlanRowLayout
  private let isKeyRowID: Bool

  init(statement: RawStatement, queries: PlanQueries, columns: PlanRowLayout) {
    self.statement = statement.borrowed
    self.queries = queries
    self.columns = columns
    isKeyRowID = queries.memory.isKeyRowID
  }

  /// The row's identity.
  ///
  /// - Throws: `decodingFailed` where a key column is NULL: such a row of a table or view has no
  ///   identity. Of a query, a row may stand for the group of NULL.
  @inline(__always)
  func key() throws -> RowKey {
    // A row id need not be asked for its type; each question to SQLite is 4 % of reading a key.
    if isKeyRowID {
      return .integer(sqlite3_column_int64(statement.handle, Int32(columns.key[0])))
    }
    let key = try statement.key(at: columns.key)
    guard !key.hasNull || queries.plan.query != nil else {
      throw StoreError.keyIsNull(table: queries.plan.table, key: key)
    }
    return key
  }

  /// The section's identity, valid until the statement moves on; NULL where there are no sections.
  var identity: RawColumn { columns.identity.map { statement.column($0) } ?? .null }

  /// The section's identity; NULL where there are no sections.
  func identityValue() throws -> StoredValue {
    try columns.identity.map { try statement.columnValue(at: $0) } ?? .null
  }

  /// A digest of what the section is ordered by; zero where it is ordered by its identity alone.
  func sectionOrderDigest() -> UInt64 {
    guard !columns.sectionOrder.isEmpty else { return 0 }
    var digest = RowDigest()
    for column in columns.sectionOrder { digest.combine(statement.column(column).asOrdered) }
    return digest.value
  }

  /// What the row says about its section.
  func section() throws -> PlanSectionRow {
    guard columns.identity != nil else { return .only }
    let identity = try identityValue()
    let title = try columns.title.map { try statement.columnValue(at: $0) } ?? identity
    return PlanSectionRow(
      identity: identity, title: columns.titleForm.title(of: title), order: sectionOrderDigest())
  }

  /// Calls `body` with the values of the complete order, valid until the statement moves on.
  func withOrdering<Result>(
    _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) rethrows -> Result {
    let (positions, statement) = (columns.ordering, statement.handle)
    return try withUnsafeTemporaryAllocation(
      of: RawColumn.self, capacity: positions.count
    ) { columns in
      RawColumn.read(positions, of: statement, into: columns)
      return try body(UnsafeBufferPointer(columns))
    }
  }

  /// A digest of the item's columns.
  func contentDigest() -> UInt64 { statement.digest(columns.item) }

  /// A digest of the sort terms' values, where they are not among the item's.
  func orderDigest() -> UInt64 {
    queries.memory.keepsOrder ? statement.digest(columns.sort) : RowDigest.none
  }

  /// Both digests.
  func fingerprint() -> RowFingerprint {
    RowFingerprint(content: contentDigest(), order: orderDigest())
  }
}

extension RawStatement {
  /// A column of the current row, valid until the statement moves on.
  func column(_ position: Int) -> RawColumn { RawColumn(handle, Int32(position)) }

  /// A digest of some columns of the current row: their storage classes and their bytes.
  func digest(_ columns: some Sequence<Int>) -> UInt64 {
    var digest = RowDigest()
    for column in columns { digest.combine(RawColumn(handle, Int32(column))) }
    return digest.value
  }
}

extension StoreError {
  static func keyIsNull(table: String, key: RowKey) -> StoreError {
    StoreError(
      .decodingFailed, message: "A row of \(table) has a NULL in its key.",
      hint: "Choose key columns that are declared NOT NULL, or the row id.", rowKey: key.values)
  }
}
