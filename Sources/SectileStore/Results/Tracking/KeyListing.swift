import SectileCore

/// All rows of a plan in order, of which only the keys were read.
///
/// While rows are read each is known by its position. Which handles they have is decided afterwards,
/// in one go.
struct KeyListing {
  var keys = RowKeyMapBuilder()
  var index = SectionedIndexBuilder(blockCapacity: InternalChecks.blockCapacity)
  /// The digests of the rows' items by position, where they have to be kept.
  var content: ContiguousArray<UInt64> = []
  /// The digests of the sort terms by position, where they have to be kept.
  var order: ContiguousArray<UInt64> = []
}

extension ContentsMaintainer {
  /// Reads the keys of all rows, their sections, and the digests that have to be kept.
  ///
  /// - Parameter checksIDs: Whether keys are tried that may not fit the type of the items' identity.
  /// - Returns: The rows.
  /// - Throws: `sectionOrderAmbiguous`, what reading throws, and what a key throws that does not fit.
  func listKeys(checksIDs: Bool) throws -> KeyListing {
    var list = KeyListing()
    var sections = SectionWalk(queries: reader.queries)
    let (keepsContent, keepsOrder) = (memory.keepsContent, memory.keepsOrder)
    let checksIntegers = !items.acceptsIntegerKeys
    try reader.forEachRow(reader.queries.keys) { cursor in
      let key = try cursor.key()
      if checksIDs, checksIntegers || !key.isInteger { try items.checkID(key) }
      if let section = try sections.advance(to: cursor) {
        list.index.appendRows(upTo: list.keys.count)
        list.index.append(section)
      }
      list.keys.append(key)
      if keepsContent { list.content.append(cursor.contentDigest()) }
      if keepsOrder { list.order.append(cursor.orderDigest()) }
      return true
    }
    list.index.appendRows(upTo: list.keys.count)
    list.index.appendEmpty(sections.remainingFixed())
    return list
  }
}
