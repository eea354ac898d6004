import SectileCore

/// All rows of a plan in order, of which only the keys were read.
///
/// Each row is known by its position among the rows as they were read. Which handles they have is
/// decided afterwards, in one go.
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
  /// - Parameter checksIDs: Whether keys are tried that may not fit the type of the items'
  ///   identity.
  /// - Returns: The rows.
  /// - Throws: What reading throws, and what a key throws that does not fit.
  func listKeys(checksIDs: Bool) throws -> KeyListing {
    if let sorting = reader.queries.sorting,
      let list = try listKeys(sorting, checksIDs: checksIDs)
    {
      return list
    }
    return try listKeysAsSorted(checksIDs: checksIDs)
  }

  /// Reads the keys of all rows in the order in which SQLite hands them out.
  private func listKeysAsSorted(checksIDs: Bool) throws -> KeyListing {
    var list = KeyListing()
    var sections = SectionWalk(of: reader)
    try forEachKey(reader.queries.keys, checksIDs: checksIDs, in: &list) { cursor, list in
      if let section = try sections.advance(to: cursor) {
        list.index.appendRows(upTo: list.keys.count)
        list.index.append(section)
      }
      return true
    }
    list.index.appendRows(upTo: list.keys.count)
    list.index.appendEmpty(try sections.remainingFixed())
    return list
  }

  /// Reads the keys of all rows as they stand in the table, and sorts them.
  ///
  /// SQLite's own sort takes half of the time of a listing: it writes down each row and reads it
  /// again.
  ///
  /// - Parameters:
  ///   - sorting: How.
  ///   - checksIDs: See ``listKeys(checksIDs:)``.
  /// - Returns: The rows; nil where SQLite has to sort them, or say what is wrong with them.
  /// - Throws: See ``listKeys(checksIDs:)``.
  private func listKeys(_ sorting: PlanQueries.Sorting, checksIDs: Bool) throws -> KeyListing? {
    var list = KeyListing()
    var sortKeys = NormalizedKeys(ordering: sorting.ordering)
    var sections = KeptSections(sorting.rows.layout)
    var isSortable = true
    try forEachKey(sorting.rows, checksIDs: checksIDs, in: &list) { cursor, _ in
      isSortable = cursor.withOrdering {
        sortKeys.append($0) && sections.append($0, cursor.statement)
      }
      return isSortable
    }
    guard isSortable else { return nil }
    var walk = SectionWalk(of: reader)
    let sectionOrdering = reader.queries.sectionOrdering
    var first: Int32?
    // The row that began the section, which may have been another spelling of its identity: 1 for
    // 1.0.
    var beginning: Int32 = 0
    let order = sortKeys.sorted()
    if InternalChecks.isOn {
      InternalChecks.check(order, of: list.keys, by: try listKeysAsSorted(checksIDs: false).keys)
    }
    for position in order {
      if first.map({ !sections.haveSameIdentity($0, position) }) ?? true {
        guard let section = sections.section(position) else { return nil }
        if let section = try walk.begin(section) {
          list.index.append(section)
          beginning = position
        }
        first = position
      }
      if let sectionOrdering,
        !sections.haveSameOrder(beginning, position, by: sectionOrdering)
      {
        throw walk.ambiguousOrder()
      }
      list.index.appendRow(position)
    }
    list.index.appendEmpty(try walk.remainingFixed())
    return list
  }

  /// Calls `body` with each row, before its key and its digests become part of a list.
  @inline(__always)
  private func forEachKey(
    _ rows: PlanQueries.RowScan, checksIDs: Bool, in list: inout KeyListing,
    _ body: (PlanCursor, inout KeyListing) throws -> Bool
  ) throws {
    let (keepsContent, keepsOrder) = (memory.keepsContent, memory.keepsOrder)
    let accepted = items.acceptedKeys
    try reader.forEachRow(rows) { cursor in
      let key = try cursor.key()
      if checksIDs, !accepted.contains(key) { try items.checkID(key) }
      guard try body(cursor, &list) else { return false }
      list.keys.append(key)
      if keepsContent { list.content.append(cursor.contentDigest()) }
      if keepsOrder { list.order.append(cursor.orderDigest()) }
      return true
    }
  }
}
