import GRDB
import SectileCore

/// A table that a followed query reads.
struct QueriedTable {
  let name: String
  let followed: FollowedTable
  /// What SQLite reads in its place.
  let shadow: TouchedTable
  /// The columns that are recorded, by the positions of the table's.
  let recorded: [Int?]
  /// Where these stand in an image.
  let positions: [Int]
  /// Reads the columns of the row with a key, in the order of the table's; those that nobody reads
  /// as NULL.
  let presentRow: String
  /// Whether the key is the row id.
  let isByRowID: Bool

  /// Watches a table.
  ///
  /// - Throws: ``SelectRefusal`` where its rows are not told apart; what reading the schema throws.
  init(
    _ table: SelectReading.Table, watching recorder: CommitRecorder, in db: Database
  ) throws {
    let schema = table.schema
    let columns = schema.columns
    let read = Set(table.columns.map(\.name))
    let rowIDName = schema.rowIDColumn ?? schema.rowIDNames.first
    // No column is the row id, which has a name of its own.
    let isRowIDHidden = schema.rowIDColumn == nil && rowIDName != nil
    guard
      let keyColumns = rowIDName.map({ [$0] })
        ?? (schema.listing.isWithoutRowID ? schema.keyColumns : nil)
    else { throw SelectRefusal(schema.name, .table) }
    name = table.name
    isByRowID = rowIDName != nil
    followed = try FollowedTable(
      queried: schema.name,
      keyColumns: isRowIDHidden ? TableWatch.KeyInterest.rowIDs : keyColumns,
      columns: table.columns.map(\.name), watching: recorder, in: db)
    guard let rows = followed.recordedRows else { throw SelectRefusal(schema.name, .table) }
    recorded = columns.map { read.contains($0.name) ? rows.position(of: $0.name) : nil }
    positions = recorded.compactMap { $0 }
    shadow = try recorder.touchedTables.table(for: schema, in: db)
    let list = columns.map { read.contains($0.name) ? SQLName.quote($0.name) : "NULL" }
    // The row id's own names are not quoted: in quotes they might be texts.
    let condition = keyColumns.map {
      isRowIDHidden ? "\($0) = ?" : "\(SQLName.quote($0)) IS ?"
    }
    presentRow =
      "SELECT \(list.joined(separator: ", ")) FROM \(SQLName.table(schema.name)) "
      + "WHERE \(condition.joined(separator: " AND "))"
  }

  func appendPresent(
    _ key: RowKey, _ statement: RawStatement, _ count: inout (all: Int, former: Int)
  ) throws {
    count.all += 1
    guard shadow.append(id: rowID(key), isFormer: false, column: { statement.column($0) }) else {
      throw StaleContents()
    }
  }

  func appendFormer(
    _ key: RowKey, _ image: UnsafeBufferPointer<RawColumn>,
    _ count: inout (all: Int, former: Int)
  ) throws {
    count.all += 1
    count.former += 1
    let isAppended = shadow.append(id: rowID(key), isFormer: true) { column in
      recorded[column].map { image[$0] } ?? .null
    }
    guard isAppended else { throw StaleContents() }
  }

  private func rowID(_ key: RowKey) -> Int64 {
    if isByRowID, case .integer(let id) = key { id } else { 0 }
  }
}
