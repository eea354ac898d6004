internal import Sectile

/// The rows on pages of one table.
struct PageRows {
  /// A row.
  struct Row {
    /// Its row id, where it has one.
    let id: Int64?
    /// Its values.
    let record: StoredRecord
  }

  /// The file's pages.
  let file: PageFile
  /// What records of the table look like.
  let shape: RecordShape
  /// Writes rows into the copy.
  let writer: RecordWriter

  /// Reads the rows of a leaf, one after the other.
  ///
  /// - Parameters:
  ///   - leaf: The leaf.
  ///   - body: Hears each row; nil for one that is damaged.
  /// - Throws: What the closure throws.
  func read(_ leaf: StoredLeaf, _ body: (Row?) throws -> Void) throws {
    guard let page = file.treePage(leaf.page) else { return try body(nil) }
    let keys = TreeWalk.keys(of: page)
    let isKept = TreeWalk.ascending(keys)
    for (position, key) in keys.enumerated() {
      guard let key, isKept[position],
        !page.kind.hasRowIDs || TreeWalk.lies(key, above: leaf.above, upTo: leaf.upTo)
      else {
        try body(nil)
        continue
      }
      try body(row(page, position))
    }
  }

  /// Returns a row of a page; nil where it is damaged.
  func row(_ page: Int, _ position: Int) -> Row? {
    file.treePage(page).flatMap { row($0, position) }
  }

  private func row(_ page: TreePage, _ position: Int) -> Row? {
    guard let cell = page.cell(at: position), let payload = cell.payload,
      let bytes = file.bytes(of: payload, on: page),
      let record = StoredRecord(bytes, encoding: file.encoding),
      record.values.count <= shape.columns.count
    else { return nil }
    return Row(id: cell.rowID, record: record)
  }

  /// Returns the values of a row's primary key.
  func key(of record: StoredRecord, _ schema: TableSchema) -> [StoredValue] {
    let names = schema.keyColumns
    return zip(shape.columns, record.values).filter { names.contains($0.0.name) && $0.0.isWritten }
      .map(\.1)
  }
}
