import GRDB
import SectileCore

/// Puts a row together again of which the hook did not show everything: columns that are computed
/// when they are read, and a NULL that may stand for a column's default.
///
/// The values that are known are written into a copy of the table, in memory, and SQLite computes
/// the others there. Where more than one row is possible, whoever asks knows the right one by its
/// digest.
struct RowRestoration {
  /// More columns that may be NULL or their default are not tried out: there are two rows for each.
  private static let triedGapLimit = 8

  private let copy: SchemaCopy
  private let table: String
  /// The columns that are stored and can be written.
  private let writable: Set<String>

  /// Makes a copy of a table; nil where there is no such table, or it cannot be made anew.
  init?(of table: String, like db: Database) throws {
    guard let sql = try TableSchema.creation(ofTable: table, in: db),
      let copy = try? SchemaCopy(ofTableWith: sql),
      let schema = try? copy.withDatabase({ try TableSchema(of: table, in: $0) })
    else { return nil }
    self.copy = copy
    self.table = table
    writable = Set(
      schema.columns.filter { $0.origin == .written }.map { $0.name.lowercased() })
  }

  /// Calls `body` with the copy, which holds one possible row after the other, until it returns
  /// something.
  ///
  /// - Parameters:
  ///   - preImages: What is known of the row.
  ///   - offset: Where.
  ///   - body: Looks at the copy.
  /// - Returns: What `body` returned; nil where that was nothing.
  /// - Throws: What `body` throws.
  func forEachCandidate<Result>(
    _ preImages: PreImages, at offset: Int, _ body: (Database) throws -> Result?
  ) throws -> Result? {
    let columns = preImages.columns.indices.filter {
      writable.contains(preImages.columns[$0].lowercased())
    }
    let gaps = preImages.gaps(at: offset).filter(columns.contains)
    guard gaps.count <= Self.triedGapLimit else { return nil }
    return try copy.withDatabase { copy in
      for choice in 0..<(1 << gaps.count) {
        // A column that is left out gets its default.
        let omitted = Set(gaps.indices.filter { choice >> $0 & 1 == 1 }.map { gaps[$0] })
        let written = columns.filter { !omitted.contains($0) }
        guard (try? write(written, of: preImages, at: offset, to: copy)) != nil else { continue }
        if let result = try body(copy) { return result }
      }
      return nil
    }
  }

  private func write(
    _ columns: [Int], of preImages: PreImages, at offset: Int, to copy: Database
  ) throws {
    let name = SQLName.table(table)
    try copy.execute(sql: "DELETE FROM \(name)")
    let names = columns.map { SQLName.quote(preImages.columns[$0]) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try RawStatement.prepare(
      columns.isEmpty
        ? "INSERT INTO \(name) DEFAULT VALUES" : "INSERT INTO \(name) (\(names)) VALUES (\(marks))",
      on: copy)
    defer { statement.finish() }
    try preImages.withImage(at: offset) { values in
      // A gap is read as NULL.
      for (position, column) in columns.enumerated() {
        try statement.bindColumn(values[column], at: position + 1)
      }
      while try statement.step() {}
    }
  }
}
