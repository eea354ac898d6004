import GRDB
import SectileCore

/// The rows that one transaction writes, whole, as they were before it.
///
/// The pre-update hook hands over each of them, whoever wrote it: a statement, a trigger, a foreign
/// key's action, or REPLACE. A *dirty set* like ``PreImages``, but of all columns, and with nothing
/// that is not known: what cannot be told is an ``Obstacle``. It is there only while a transaction
/// is to be undoable.
///
/// Confined to the writer's serial queue.
final class RowJournal {
  /// Why not everything that was written is known.
  enum Obstacle {
    case tooLarge
    /// Rows of an attached database were written.
    case attached(String)
    /// Rows of a virtual table were written, or of what it keeps its contents in.
    case virtual(String)
  }

  /// What kinds of tables have their rows kept, by their names as the schema writes them.
  private enum Kind {
    case table(Table)
    /// What a full-text table writes by itself when one of its rows is written.
    case following
    case virtual
  }

  /// The rows of one table.
  final class Table {
    let name: String
    /// Where the columns of the key stand in a table WITHOUT ROWID; nil where the key is the row
    /// id.
    private let keyPositions: [Int32]?
    /// Whether the rows tell of those of a full-text table.
    let isOfIndex: Bool
    /// The keys of all touched rows, in the order in which they were touched first.
    fileprivate(set) var keys: [RowKey] = []
    /// Where their images are; nil for rows that were not there.
    fileprivate(set) var images: [Range<Int>?] = []
    /// How many columns an image has; nil as long as there is none.
    private(set) var columnCount: Int?
    /// Whether images have gaps: see ``ShortRows``.
    private(set) var hasShortRows = false
    /// Whether rows were touched whose keys or columns cannot be told.
    private(set) var isUnclear = false
    private var touchedKeys: Set<RowKey> = []
    private var buffer = ByteBuffer()

    init(_ name: String, keyPositions: [Int32]?, isOfIndex: Bool = false) {
      (self.name, self.keyPositions, self.isOfIndex) = (name, keyPositions, isOfIndex)
    }

    /// The images, valid as long as nothing is recorded.
    var bytes: UnsafeRawBufferPointer { buffer.all }

    /// How much memory the rows take.
    var byteCount: Int { buffer.count + keys.count * 96 }

    func record(_ row: PreUpdate, isUTF8: Bool) {
      if row.exists(.before), let key = note(row, .before) {
        keys.append(key)
        images.append(appendImage(of: row, isUTF8: isUTF8))
      }
      if row.exists(.after), let key = note(row, .after) {
        keys.append(key)
        images.append(nil)
      }
    }

    /// Returns the key of a row that was not touched before.
    private func note(_ row: PreUpdate, _ side: PreUpdate.Side) -> RowKey? {
      guard let key = row.key(side, columns: keyPositions, doubtful: []) else {
        isUnclear = true
        return nil
      }
      return touchedKeys.insert(key).inserted ? key : nil
    }

    private func appendImage(of row: PreUpdate, isUTF8: Bool) -> Range<Int> {
      let start = buffer.count
      var column: Int32 = 0
      // Behind the last column there is an error.
      while let value = row.value(.before, column) {
        if ShortRows.hides(value) {
          RowImage.appendGap(to: &buffer)
          hasShortRows = true
        } else {
          RowImage.append(RawColumn(value, isUTF8: isUTF8), to: &buffer)
        }
        column += 1
      }
      if let columnCount, columnCount != Int(column) { isUnclear = true }
      columnCount = Int(column)
      return start..<buffer.count
    }
  }

  private var kinds: [String: Kind]
  private let isUTF8: Bool
  private let byteLimit: Int
  private var byteCount = 0
  private var last: Table?
  private var lastName = ""
  /// How many rows the hook was called for, of whatever table.
  private(set) var callCount = 0
  /// How many of them are behind full-text tables whose rows can be put back.
  private(set) var indexCallCount = 0
  /// These full-text tables.
  let indexes: [FullTextIndex]
  /// Why not everything is known; nil where it is.
  private(set) var obstacle: Obstacle?
  /// The tables with touched rows, in the order in which they were touched.
  private(set) var tables: [Table] = []

  /// Prepares for all tables of the file but SQLite's own and those of the change log.
  ///
  /// - Parameters:
  ///   - db: The writing connection.
  ///   - byteLimit: How much memory the rows may take.
  /// - Throws: What reading the schema throws.
  init(in db: Database, byteLimit: Int) throws {
    let rows = try db.schemaRows(
      """
      SELECT name, type, wr FROM pragma_table_list
      WHERE schema = 'main' AND type <> 'view' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """, [])
    var kinds: [String: Kind] = [:]
    for row in rows {
      let name = row[0].schemaText
      if LogTables.isOwn(name) { continue }
      guard row[1] == .text("table") else {
        kinds[name] = .virtual
        continue
      }
      kinds[name] = .table(
        Table(name, keyPositions: row[2] == .integer(0) ? nil : try Self.keys(of: name, in: db)))
    }
    let indexes = try FullTextIndex.all(in: db)
    for index in indexes {
      for table in index.followingTables { kinds[table] = .following }
      kinds[index.rowTable] = .table(Table(index.rowTable, keyPositions: nil, isOfIndex: true))
    }
    self.indexes = indexes
    self.kinds = kinds
    self.byteLimit = byteLimit
    isUTF8 = try db.schemaRows("PRAGMA encoding", []).first?.first == .text("UTF-8")
  }

  private static func keys(of table: String, in db: Database) throws -> [Int32] {
    let schema = try TableSchema(of: table, in: db)
    let columns = schema?.storedColumns ?? []
    return schema?.keyColumns.map { name in
      Int32(columns.firstIndex { $0.name == name } ?? -1)
    } ?? []
  }

  /// Records one row about to change.
  ///
  /// Called by the pre-update hook: must not use the connection other than through the pre-update
  /// functions.
  func record(
    _ row: PreUpdate, schema: UnsafePointer<CChar>, table: UnsafePointer<CChar>
  ) {
    callCount += 1
    if obstacle != nil { return }
    let schema = String(cString: schema)
    guard schema == "main" else {
      // What is temporary is gone with the connection, and is not put back.
      if schema != "temp" { obstacle = .attached(schema) }
      return
    }
    let name = String(cString: table)
    if let last, lastName == name { return record(row, of: last) }
    switch kinds[name] {
    case .table(let table):
      (last, lastName) = (table, name)
      record(row, of: table)
    case .following: indexCallCount += 1
    case .virtual: obstacle = .virtual(name)
    // A new table is noticed as a new schema.
    case nil: break
    }
  }

  private func record(_ row: PreUpdate, of table: Table) {
    if table.isOfIndex { indexCallCount += 1 }
    let former = table.byteCount
    if table.keys.isEmpty { tables.append(table) }
    table.record(row, isUTF8: isUTF8)
    byteCount += table.byteCount - former
    if byteCount > byteLimit {
      obstacle = .tooLarge
      (tables, kinds, last) = ([], [:], nil)
    }
  }
}
