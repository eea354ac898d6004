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

extension KeyListing {
  /// Reads the keys of all rows, their sections, and the digests that have to be kept.
  ///
  /// - Parameters:
  ///   - checksIDs: Whether keys are tried that may not fit the type of the items' identity.
  ///   - context: Reads rows.
  /// - Returns: The rows.
  /// - Throws: What reading throws, and what a key throws that does not fit.
  static func read(
    checksIDs: Bool, in context: borrowing DerivationContext
  ) throws -> KeyListing {
    if let sorting = context.reader.queries.sorting,
      let list = try sorted(sorting, checksIDs: checksIDs, in: context)
    {
      return list
    }
    return try inOrder(checksIDs: checksIDs, in: context)
  }

  /// Reads the keys of all rows in the order in which SQLite hands them out.
  private static func inOrder(
    checksIDs: Bool, in context: borrowing DerivationContext
  ) throws -> KeyListing {
    let keys = context.reader.queries.keys
    var list = KeyListing()
    var sections = SectionWalk(of: context.reader)
    try list.forEachKey(of: keys, checksIDs: checksIDs, in: context) { cursor, list in
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
  ///   - checksIDs: See ``read(checksIDs:by:)``.
  ///   - context: Reads rows.
  /// - Returns: The rows; nil where SQLite has to sort them, or say what is wrong with them.
  /// - Throws: See ``read(checksIDs:by:)``.
  private static func sorted(
    _ sorting: PlanQueries.Sorting, checksIDs: Bool, in context: borrowing DerivationContext
  ) throws -> KeyListing? {
    var list = KeyListing()
    var sortKeys = NormalizedKeys(ordering: sorting.ordering)
    var sections = KeptSections(sorting.rows.layout)
    var isSortable = true
    try list.forEachKey(of: sorting.rows, checksIDs: checksIDs, in: context) { cursor, _ in
      isSortable = cursor.withOrdering {
        sortKeys.append($0) && sections.append($0, cursor.statement)
      }
      return isSortable
    }
    guard isSortable else { return nil }
    var walk = SectionWalk(of: context.reader)
    let sectionOrdering = context.reader.queries.sectionOrdering
    var first: Int32?
    // The row that began the section, which may have been another spelling of its identity: 1 for
    // 1.0.
    var beginning: Int32 = 0
    let order = sortKeys.sorted()
    if InternalChecks.isOn {
      InternalChecks.check(
        order, of: list.keys, by: try inOrder(checksIDs: false, in: context).keys)
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

  /// Calls `body` with each row, before its key and its digests become part of the list.
  @inline(__always)
  private mutating func forEachKey(
    of rows: PlanQueries.RowScan, checksIDs: Bool, in context: borrowing DerivationContext,
    _ body: (PlanCursor, inout KeyListing) throws -> Bool
  ) throws {
    let memory = context.memory
    let (keepsContent, keepsOrder) = (memory.keepsContent, memory.keepsOrder)
    let (items, accepted) = (context.items, context.items.acceptedKeys)
    try context.reader.forEachRow(rows) { cursor in
      let key = try cursor.key()
      if checksIDs, !accepted.contains(key) { try items.checkID(key) }
      guard try body(cursor, &self) else { return false }
      keys.append(key)
      if keepsContent { content.append(cursor.contentDigest()) }
      if keepsOrder { order.append(cursor.orderDigest()) }
      return true
    }
  }
}
