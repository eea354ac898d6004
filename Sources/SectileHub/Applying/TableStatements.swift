internal import SectileCore
internal import SectileStore

/// The statements that have a table of a replica follow the hub's.
struct TableStatements: Sendable {
  let table: SyncedTable
  let keyPositions: [Int]
  let insert: String
  let delete: String
  let truncate: String
  private let name: String
  private let condition: String

  init(_ table: SyncedTable) {
    self.table = table
    name = "main." + SQLName.quote(table.name)
    keyPositions = table.keyPositions
    condition = table.key.map { "\(SQLName.quote($0)) = ?" }.joined(separator: " AND ")
    let columns = table.columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
    let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
    insert = "INSERT INTO \(name) (\(columns)) VALUES (\(marks))"
    delete = "DELETE FROM \(name) WHERE \(condition)"
    truncate = "DELETE FROM \(name)"
  }

  /// The statement that writes columns of a row; the values of the columns are bound first, then
  /// those of the key.
  func update(_ positions: [Int]) -> String {
    let terms = positions.map { "\(SQLName.quote(table.columns[$0].name)) = ?" }
    return "UPDATE \(name) SET \(terms.joined(separator: ", ")) WHERE \(condition)"
  }
}
