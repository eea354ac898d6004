internal import Sectile

/// Writes records of a damaged table into the copy.
final class RecordWriter {
  private let table: String
  private let rowID: String?
  private let columns: [RecordShape.Column]
  private let target: InspectionConnection
  // One for each number of values that a record has.
  private var insertions: [Int: InspectionStatement] = [:]

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - schema: The table, as the copy has it.
  ///   - shape: What its records look like.
  ///   - target: The copy.
  init(_ schema: TableSchema, _ shape: RecordShape, into target: InspectionConnection) {
    table = schema.name
    rowID = schema.rowIDColumn ?? schema.rowIDNames.first
    columns = shape.columns
    self.target = target
  }

  /// Writes a row; columns that were added after it have their default value.
  ///
  /// - Parameters:
  ///   - record: Its values; no more than there are columns.
  ///   - id: Its row id.
  /// - Throws: ``StoreError`` where the copy refuses the row, or cannot be written.
  func write(_ record: StoredRecord, id: Int64?) throws {
    let count = record.values.count
    let insertion = try insertions[count] ?? prepare(count)
    insertions[count] = insertion
    var values: [StoredValue] = []
    var invalidText: [Int] = []
    if rowID != nil { values.append(id.map(StoredValue.integer) ?? .null) }
    for position in places(count) {
      if record.invalidText.contains(position) { invalidText.append(values.count) }
      values.append(record.values[position])
    }
    try insertion.run(values, invalidText: invalidText)
  }

  /// The values of a record that are written.
  private func places(_ count: Int) -> [Int] {
    (0..<min(count, columns.count)).filter { columns[$0].isWritten && !columns[$0].isRowID }
  }

  private func prepare(_ count: Int) throws -> InspectionStatement {
    let names = ((rowID.map { [$0] } ?? []) + places(count).map { columns[$0].name })
      .map(SQLName.quote)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let values =
      names.isEmpty ? "DEFAULT VALUES" : "(\(names.joined(separator: ", "))) VALUES (\(marks))"
    return try target.prepare("INSERT OR ABORT INTO main.\(SQLName.quote(table)) \(values)")
  }
}
