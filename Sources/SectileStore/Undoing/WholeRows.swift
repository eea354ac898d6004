import GRDB
import SectileCore

/// How whole rows of one table are found, read, deleted and inserted.
///
/// A row is found by its row id, also where the table declares another key: so it goes back to
/// where it was. Tables WITHOUT ROWID have their primary key instead.
struct WholeRows: Hashable, Sendable {
  /// A column that is stored.
  struct Column: Hashable, Sendable {
    let name: String
    /// Whether somebody writes its values; SQLite computes them otherwise.
    let isWritten: Bool
  }

  /// What tells rows apart.
  private enum Identity: Hashable {
    /// A name of the row id.
    case rowID(String)
    /// Columns, by where they stand among ``columns``, and how the key compares them, which their
    /// own declarations may not say.
    case key([Int], collations: KeyCollations)
  }

  /// The table's name.
  let table: String
  /// The columns that are stored, in their order.
  let columns: [Column]
  private let identity: Identity

  /// Reads the schema.
  ///
  /// - Throws: `notUndoable` for what is no table, and where all names of the row id are taken by
  ///   other columns.
  init(of name: String, in db: Database) throws(StoreError) {
    guard let schema = try TableSchema(of: name, in: db), schema.kind == .table else {
      throw .alteredTable(name)
    }
    try self.init(schema, in: db)
  }

  /// Reads the schema of the table that tells of a full-text table's rows.
  ///
  /// - Throws: `notUndoable` where there is none.
  init(behind index: FullTextIndex, in db: Database) throws(StoreError) {
    guard let schema = try TableSchema(of: index.rowTable, in: db), schema.kind == .shadow else {
      throw .alteredTable(index.name)
    }
    try self.init(schema, in: db)
  }

  private init(_ schema: TableSchema, in db: Database) throws(StoreError) {
    table = schema.name
    columns = schema.storedColumns.map { Column(name: $0.name, isWritten: $0.origin == .written) }
    if schema.listing.isWithoutRowID {
      let names = columns.map(\.name)
      identity = .key(
        schema.keyColumns.compactMap { names.firstIndex(of: $0) },
        collations: try KeyCollations(of: schema.keyColumns, in: schema, on: db))
    } else if let name = schema.rowIDColumn ?? schema.rowIDNames.first {
      identity = .rowID(name)
    } else {
      throw .notUndoable(
        "Columns of \(schema.name) have all the names of its row id, so that rows cannot be put back.",
        hint: "Rename one of rowid, oid and _rowid_, or use write.")
    }
  }

  /// Where a column stands; nil where none of the name is stored.
  func position(of column: String) -> Int? {
    let name = column.lowercased()
    return columns.firstIndex { $0.name.lowercased() == name }
  }

  // MARK: - SQL

  /// The columns that a row is found by, of the table by another name.
  func keyColumns(of alias: String) -> [String] {
    switch identity {
    case .rowID(let name): [SQLName.quote(alias, name)]
    case .key(let positions, _): positions.map { SQLName.quote(alias, columns[$0].name) }
    }
  }

  /// What the row of a key meets, and no other row, as many values bound as there are
  /// ``keyColumns(of:)``.
  func condition(on alias: String) -> String {
    var columns = keyColumns(of: alias)
    if case .key(_, let collations) = identity { columns = collations.compared(columns) }
    return columns.map { "\($0) = ?" }.joined(separator: " AND ")
  }

  /// Reads the columns of the row of a key.
  var reading: String {
    let names = columns.map { SQLName.quote(table, $0.name) }.joined(separator: ", ")
    return "SELECT \(names) FROM \(SQLName.table(table)) WHERE \(condition(on: table))"
  }

  /// Deletes the row of a key.
  var deletion: String {
    "DELETE FROM \(SQLName.table(table)) WHERE \(condition(on: table))"
  }

  /// Inserts a row; nothing gives way to it, whatever the table declares.
  ///
  /// The values are those of ``values(_:of:)``.
  var insertion: String {
    let names = insertedNames
    return "INSERT OR ABORT INTO \(SQLName.table(table))"
      + " (\(names.map(SQLName.quote).joined(separator: ", ")))"
      + " VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// The row id where it is no column, and all columns that are written.
  private var insertedNames: [String] {
    let names = columns.filter(\.isWritten).map(\.name)
    return hiddenRowID.map { [$0] + names } ?? names
  }

  private var hiddenRowID: String? {
    guard case .rowID(let name) = identity, position(of: name) == nil else { return nil }
    return name
  }

  // MARK: - Rows

  /// Adds the row of a key to some bytes.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - statement: ``reading``.
  ///   - bytes: Where the row goes.
  /// - Returns: Whether there is such a row.
  /// - Throws: What reading throws.
  func append(
    _ key: RowKey, readBy statement: RawStatement, to bytes: inout ByteBuffer
  ) throws -> Bool {
    defer { statement.finish() }
    try statement.bind(key, from: 1)
    guard try statement.step() else { return false }
    // A collation may find a row of another key: 'A' for 'a'.
    if case .key(let positions, _) = identity, try statement.key(at: positions) != key {
      return false
    }
    for column in columns.indices {
      RowImage.append(RawColumn(statement.handle, Int32(column)), to: &bytes)
    }
    return true
  }

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - key: Its key.
  ///   - values: The values of all ``columns``.
  ///   - statement: ``insertion``.
  /// - Throws: What constraints refuse.
  func insert(
    _ key: RowKey, _ values: UnsafeBufferPointer<RawColumn>, by statement: RawStatement
  ) throws {
    defer { statement.finish() }
    var index = 1
    if hiddenRowID != nil {
      try statement.bind(key, from: 1)
      index += 1
    }
    for (column, value) in zip(columns, values) where column.isWritten {
      try statement.bindColumn(value, at: index, isCopied: false)
      index += 1
    }
    while try statement.step() {}
  }
}
