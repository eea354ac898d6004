import GRDB
import SectileCore

/// The defaults of a table's columns, as rows have them that were written before a column was
/// added.
struct ColumnDefaults {
  private let schema: TableSchema
  private var images: [Int: [UInt8]] = [:]

  init(of schema: TableSchema) { self.schema = schema }

  /// Whether a stored column has a default.
  func hasDefault(_ column: Int) -> Bool { schema.storedColumns[column].defaultValue != nil }

  /// Adds the default of a stored column to a row's image, or NULL.
  ///
  /// - Throws: `notUndoable` where SQLite does not accept it.
  mutating func append(_ column: Int, to bytes: inout ByteBuffer) throws(StoreError) {
    let image =
      if let known = images[column] { known } else {
        try makeImage(of: schema.storedColumns[column])
      }
    images[column] = image
    let target = bytes.extend(by: image.count)
    image.withUnsafeBytes { image in
      if let start = image.baseAddress { target.copyMemory(from: start, byteCount: image.count) }
    }
  }

  /// Has SQLite fill in the default, in a table of one such column.
  private func makeImage(of column: TableSchema.Column) throws(StoreError) -> [UInt8] {
    guard let value = column.defaultValue else { return Self.image(of: .null) }
    let options = schema.listing.isStrict ? " STRICT" : ""
    // Words may stand without parentheses, and expressions must not.
    for text in [value, "(\(value))"] {
      let sql = "CREATE TABLE t (c \(column.declaredType) DEFAULT \(text))\(options)"
      let image = try? SchemaCopy(ofTableWith: sql).withDatabase { copy in
        try RawStatement.prepare("INSERT INTO t DEFAULT VALUES", on: copy).run()
        let row = try RawStatement.prepare("SELECT c FROM t", on: copy)
        defer { row.finish() }
        return try row.step() ? Self.image(of: RawColumn(row.handle, 0)) : nil
      }
      if let image { return image }
    }
    throw .notUndoable(
      "The default of \(schema.name).\(column.name), which rows have that were written before the column was added, "
        + "cannot be worked out.",
      hint: "Use write.")
  }

  private static func image(of column: RawColumn) -> [UInt8] {
    var bytes = ByteBuffer()
    RowImage.append(column, to: &bytes)
    return Array(bytes.all)
  }
}
