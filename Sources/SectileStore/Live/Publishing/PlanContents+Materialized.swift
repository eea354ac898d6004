import SectileCore

extension PlanContents {
  /// So many rows are read by one statement, where all are read.
  static let chunkSize = 500

  /// Returns the rows at some ranks.
  func wantedRows(_ ranks: Range<Int>) -> [WantedRow] {
    index.handles(in: ranks).map { handle in
      WantedRow(key: keys.key(of: handle), content: content?[handle] ?? RowDigest.unknown)
    }
  }

  /// Calls a closure with all rows, some at a time.
  func forEachChunk(_ body: ([WantedRow]) throws -> Void) rethrows {
    for start in stride(from: 0, to: count, by: Self.chunkSize) {
      try body(wantedRows(start..<min(start + Self.chunkSize, count)))
    }
  }

  /// Returns everything as a plain value.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - items: The item of each row, in order; nil for one that could not be read.
  ///   - reader: What read them.
  /// - Returns: Sections and rows.
  /// - Throws: `itemChangedElsewhere` for the first row without an item; where a key does not fit
  ///   the type of the identity.
  func materialized<Item: Identifiable & Sendable>(
    version: Int, items: [Item?], readBy reader: ItemReader<Item>
  ) throws -> SectionedContents<Item.ID, Item> where Item.ID: EntityKey {
    var contents = SectionedContents<Item.ID, Item>(version: version, aggregates: aggregates)
    contents.sections.reserveCapacity(index.sectionCount)
    for ordinal in 0..<index.sectionCount {
      let ranks = index.ranks(ofSection: ordinal)
      let rows = try zip(index.handles(in: ranks), items[ranks]).map { handle, item in
        let key = keys.key(of: handle)
        guard let item else {
          throw StoreError.itemChangedElsewhere(table: reader.table, key: key)
        }
        let id = try key.id(as: Item.ID.self, forms: reader.format.keyForms)
        return SectionedContents<Item.ID, Item>.Row(id: id, item: item)
      }
      contents.sections.append(.init(header: index.header(ofSection: ordinal), rows: rows))
    }
    return contents
  }
}
