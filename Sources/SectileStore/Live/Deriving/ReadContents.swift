import SectileCore

/// A row that is new or may have changed, as it was met while reading.
struct MetRow {
  let key: RowKey
  let handle: Int32
  let isNew: Bool
  /// What changed; nil for a row that is new, and for one that was written without effect.
  var comparison: RowComparison?
  var after: RowFingerprint?
  var item: Int?

  var isContentChanged: Bool { isNew || comparison?.isContentChanged == true }
}

/// All rows of a plan as they were read again, next to what is different from before.
///
/// Not all columns of all rows need be read for that:
///
/// ```text
/// all columns in order        many rows are new or were touched, or others may have changed
/// keys, then touched rows     it is known which rows were touched
/// keys, digests of the table, others may have changed rows, and there are digests to compare with
///   then rows that differ
/// ```
struct ReadContents {
  var contents: PlanContents
  private(set) var met: [MetRow] = []
  private(set) var seen = SeenHandles()
  /// Whether these are all rows.
  private(set) var isComplete = true

  /// Contents of which nothing was read yet.
  private init(in context: borrowing DerivationContext) {
    contents = context.base
    let memory = context.memory
    if memory.keepsContent, contents.content == nil { contents.content = DigestTable() }
    if memory.keepsOrder != (contents.order != nil) {
      contents.order = memory.keepsOrder ? DigestTable() : nil
    }
  }

  /// Reads all rows, and compares those that may have changed.
  ///
  /// - Parameters:
  ///   - readsManyItems: Whether many rows may be new that were not touched.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: The rows, and those that may be different.
  /// - Throws: See ``FullDerivation/change(in:)``.
  static func all(
    readsManyItems: Bool, in context: borrowing DerivationContext
  ) throws -> ReadContents {
    if !readsManyItems, !context.rowsBefore.hasAllRows,
      let read = try differingByDigests(in: context)
    {
      return read
    }
    let readsAllColumns =
      !context.rowsBefore.hasAllRows || readsManyItems
      || context.reader.queries.showsUntouchedRows
      || context.rowsBefore.touchedCount * 4 > context.base.count
    var read =
      readsAllColumns ? try rows(upTo: .max, in: context) : try keysAgain(in: context)
    read.forgetUnseen(of: context.base)
    if !readsAllColumns { try read.lookUpTouchedRows(in: context) }
    return read
  }

  /// Takes the keys of rows that are gone out of what was read.
  private mutating func forgetUnseen(of base: PlanContents) {
    for handle in base.index.handles(in: 0..<base.count) where !seen.contains(handle) {
      contents.keys.remove(handle)
    }
  }

  // MARK: Keys first

  /// Reads the keys of all rows in order, and takes digests of the rows as they stand in the table:
  /// what others have changed is looked up.
  ///
  /// A first load reads the same. Read in their order by way of an index, all columns would have to
  /// be looked up row by row, and where there is none SQLite would have to sort them.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: The rows, and those that are different; nil where there are no digests to compare
  ///   with, and where so many rows are different that reading all of them is less work.
  /// - Throws: See ``FullDerivation/change(in:)``.
  private static func differingByDigests(
    in context: borrowing DerivationContext
  ) throws -> ReadContents? {
    guard !context.memory.keepsContent, !context.reader.queries.showsUntouchedRows,
      let digests = context.base.content
    else { return nil }
    var read = try keysAgain(in: context)
    read.forgetUnseen(of: context.base)
    var isMet = SeenHandles()
    for row in read.met { _ = isMet.insert(row.handle) }
    let limit = max(MaintenanceCost.alwaysIncremental, context.base.count / 4)
    try context.reader.forEachBaseRow { key, digest in
      guard read.met.count <= limit, let handle = read.contents.keys.handle(of: key),
        digests[handle] != digest(), isMet.insert(handle)
      else { return }
      read.met.append(MetRow(key: key, handle: handle, isNew: false))
    }
    guard read.met.count <= limit else { return nil }
    try read.lookUpTouchedRows(in: context)
    return read
  }

  /// Reads the keys of all rows; met are the rows that are new, or have other digests than before.
  private static func keysAgain(
    in context: borrowing DerivationContext
  ) throws -> ReadContents {
    let plan = context.reader.queries.plan
    var list = try KeyListing.read(checksIDs: false, in: context)
    if let key = list.keys.duplicate {
      throw StoreError.duplicateKey(table: plan.table, key: key)
    }
    var read = ReadContents(in: context)
    list.index.renumberRows(try read.handles(of: list, in: context))
    read.contents.index = try list.index.finish(plan)
    return read
  }

  /// Takes note of the rows of a list, and returns their handles.
  private mutating func handles(
    of list: KeyListing, in context: borrowing DerivationContext
  ) throws -> ContiguousArray<Int32> {
    let memory = context.memory
    // Digests that are not of the list stay as they are, where no row is new.
    if !memory.keepsContent, !memory.keepsOrder,
      let existing = list.keys.handles(in: context.base.keys),
      seen.insert(all: existing, below: context.base.keys.capacity)
    {
      return existing
    }
    seen = SeenHandles()
    var handles = ContiguousArray<Int32>()
    handles.reserveCapacity(list.keys.count)
    try list.keys.forEach { key in
      let (handle, isNew) = try insert(key, by: context.reader)
      if takeDigests(of: list, at: handles.count, handle, isNew: isNew, in: context) {
        met.append(MetRow(key: key, handle: handle, isNew: isNew))
      }
      handles.append(handle)
    }
    return handles
  }

  /// Keeps the digests of a listed row.
  ///
  /// - Returns: Whether the row is new, or has other digests than before.
  private mutating func takeDigests(
    of list: KeyListing, at position: Int, _ handle: Int32, isNew: Bool,
    in context: borrowing DerivationContext
  ) -> Bool {
    var isOther = isNew
    if context.memory.keepsContent {
      isOther = isOther || context.base.content?[handle] != list.content[position]
      contents.content?[handle] = list.content[position]
    } else if isNew, contents.content != nil {
      contents.content?[handle] = RowDigest.unknown
    }
    if context.memory.keepsOrder {
      isOther = isOther || context.base.order?[handle] != list.order[position]
      contents.order?[handle] = list.order[position]
    }
    return isOther
  }

  /// Reads the rows that were touched, or met as new.
  private mutating func lookUpTouchedRows(in context: borrowing DerivationContext) throws {
    var isMet = SeenHandles()
    for row in met { _ = isMet.insert(row.handle) }
    context.rowsBefore.forEachTouchedKey { key in
      guard let handle = contents.keys.handle(of: key), isMet.insert(handle) else { return }
      met.append(MetRow(key: key, handle: handle, isNew: false))
    }
    // Neighbours are on one page of the table.
    met.sort { $0.key.comesBefore($1.key) }
    try context.reader.forEachRow(of: met.map(\.key)) { position, cursor in
      var row = met[position]
      if !row.isNew {
        row.comparison = context.compare(row.key, handle: row.handle, cursor)
      }
      let after = row.comparison?.after ?? cursor.fingerprint()
      row.after = after
      if row.isContentChanged { row.item = try context.readItem(cursor) }
      remember(after, row.handle)
      met[position] = row
    }
  }

  // MARK: All columns

  /// Reads all columns of rows in order.
  ///
  /// - Parameters:
  ///   - limit: How many rows, at most.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: The rows, and those that may be different.
  /// - Throws: See ``FullDerivation/change(in:)``.
  static func rows(
    upTo limit: Int, in context: borrowing DerivationContext
  ) throws -> ReadContents {
    let reader = context.reader
    var read = ReadContents(in: context)
    var builder = SectionedIndexBuilder(blockCapacity: InternalChecks.blockCapacity)
    var sections = SectionWalk(of: reader)
    var count = 0
    try reader.forEachRow(reader.queries.rows) { cursor in
      guard count < limit else {
        read.isComplete = false
        return false
      }
      count += 1
      if let section = try sections.advance(to: cursor) { builder.append(section) }
      builder.appendRow(try read.take(cursor, in: context))
      return true
    }
    if read.isComplete { builder.appendEmpty(try sections.remainingFixed()) }
    read.contents.index = try builder.finish(reader.queries.plan)
    return read
  }

  private mutating func take(
    _ cursor: PlanCursor, in context: borrowing DerivationContext
  ) throws -> Int32 {
    let key = try cursor.key()
    let (handle, isNew) = try insert(key, by: context.reader)
    try look(at: key, handle, isNew: isNew, cursor, in: context)
    return handle
  }

  /// Takes note of the key of a row that was not seen yet.
  @inline(__always)
  private mutating func insert(
    _ key: RowKey, by reader: PlanReader
  ) throws -> (handle: Int32, isNew: Bool) {
    let (handle, isNew) = contents.keys.insert(key)
    guard seen.insert(handle) else {
      throw StoreError.duplicateKey(table: reader.queries.plan.table, key: key)
    }
    return (handle, isNew)
  }

  /// Compares a row all of whose columns were read.
  private mutating func look(
    at key: RowKey, _ handle: Int32, isNew: Bool, _ cursor: PlanCursor,
    in context: borrowing DerivationContext
  ) throws {
    if isNew {
      let digests = cursor.fingerprint()
      remember(digests, handle)
      met.append(
        MetRow(
          key: key, handle: handle, isNew: true, comparison: nil, after: digests,
          item: try context.readItem(cursor)))
      return
    }
    // Where not all touched rows are known, every row may have been touched.
    if !context.memory.keepsOrder, !context.rowsBefore.mayLackRows,
      context.rowsBefore.entry(of: key) == nil
    {
      return
    }
    let comparison = context.compare(key, handle: handle, cursor)
    // A digest that was not taken yet is taken now.
    if contents.content?[handle] == RowDigest.unknown || comparison != nil {
      remember(comparison?.after ?? cursor.fingerprint(), handle)
    }
    guard let comparison else {
      met.append(MetRow(key: key, handle: handle, isNew: false))
      return
    }
    met.append(
      MetRow(
        key: key, handle: handle, isNew: false, comparison: comparison, after: comparison.after,
        item: comparison.isContentChanged ? try context.readItem(cursor) : nil))
  }

  private mutating func remember(_ digests: RowFingerprint, _ handle: Int32) {
    contents.content?[handle] = digests.content
    contents.order?[handle] = digests.order
  }
}
