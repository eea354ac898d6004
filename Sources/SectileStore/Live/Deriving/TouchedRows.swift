import SectileCore

/// A touched row, read again.
struct Touched {
  let key: RowKey
  /// The row's path before, where it was there.
  let source: ItemPath?
  /// Whether the row is there.
  let isThere: Bool
  /// Whether the row's place has to be found: it is new, or a sort key or its section changed.
  let isDisplaced: Bool
  let isContentChanged: Bool
  var before: RowFingerprint?
  var after: RowFingerprint?
  var item: Int?
}

/// All touched rows, read again, and what is needed to place some of them.
struct TouchedRows {
  /// A row whose place has to be found.
  struct Arrival {
    /// The row's position among ``rows``.
    let row: Int
    let home: SectionEdits.Home
  }

  private(set) var rows: [Touched] = []
  private(set) var arrivals: [Arrival] = []
  /// The sort keys of the arrivals, by their positions.
  let sortKeys: SortKeys
  /// The ranks of the rows that are displaced or gone.
  private(set) var leavingRanks: [Int] = []
  /// The headers of the contents before.
  let headers: SectionHeaders

  private init(sortKeys: SortKeys, headers: SectionHeaders) {
    self.sortKeys = sortKeys
    self.headers = headers
  }

  func key(ofArrival arrival: Int) -> RowKey { rows[arrivals[arrival].row].key }

  // MARK: Reading

  /// Reads touched rows.
  ///
  /// - Parameters:
  ///   - keys: Their keys, ascending.
  ///   - outside: Those that do not belong to the contents, whatever the filter says.
  ///   - context: Knows the contents before, and reads rows.
  /// - Returns: The rows about which something changed.
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  static func read(
    _ keys: [RowKey], outside: Set<RowKey> = [], in context: borrowing DerivationContext
  ) throws -> TouchedRows {
    let layout = context.reader.queries.layout
    var touched = TouchedRows(
      sortKeys: SortKeys(positions: layout.ordering),
      headers: SectionHeaders(of: context.base, layout))
    touched.rows.reserveCapacity(keys.count)
    var isThere = [Bool](repeating: false, count: keys.count)
    try context.reader.forEachRow(of: keys) { position, cursor in
      let key = keys[position]
      guard outside.isEmpty || !outside.contains(key) else { return }
      isThere[position] = true
      guard let handle = context.base.keys.handle(of: key),
        let rank = context.base.index.rank(of: handle)
      else { return try touched.addArrived(key, cursor, in: context) }
      let count = touched.rows.count
      let source = context.base.index.path(atRank: rank)
      try touched.addChanged(key, handle, source, cursor, in: context)
      if count < touched.rows.count, touched.rows[count].isDisplaced {
        touched.leavingRanks.append(rank)
      }
    }
    for (key, isThere) in zip(keys, isThere) where !isThere {
      touched.addGone(key, in: context)
    }
    touched.leavingRanks.sort()
    return touched
  }

  private mutating func addGone(_ key: RowKey, in context: borrowing DerivationContext) {
    guard let handle = context.base.keys.handle(of: key),
      let rank = context.base.index.rank(of: handle)
    else { return }
    rows.append(
      Touched(
        key: key, source: context.base.index.path(atRank: rank), isThere: false,
        isDisplaced: true, isContentChanged: false,
        before: context.fingerprintBefore(key, handle: handle)))
    leavingRanks.append(rank)
  }

  private mutating func addArrived(
    _ key: RowKey, _ cursor: PlanCursor, in context: borrowing DerivationContext
  ) throws {
    let home = try context.home(of: cursor, near: nil)
    arrivals.append(Arrival(row: rows.count, home: home))
    sortKeys.append(cursor.statement)
    rows.append(
      Touched(
        key: key, source: nil, isThere: true, isDisplaced: true, isContentChanged: true,
        after: cursor.fingerprint(),
        item: try context.readItem(cursor)))
  }

  private mutating func addChanged(
    _ key: RowKey, _ handle: Int32, _ source: ItemPath, _ cursor: PlanCursor,
    in context: borrowing DerivationContext
  ) throws {
    let comparison = context.compare(key, handle: handle, cursor)
    let home = try context.home(of: cursor, near: source.section)
    let isDisplaced = comparison?.isOrderChanged == true || !home.isSection(source.section)
    let hasOtherHeader =
      !isDisplaced && source.item == 0 && headers.mayChange(source.section, by: cursor)
    guard comparison != nil || isDisplaced || hasOtherHeader else { return }
    if isDisplaced {
      arrivals.append(Arrival(row: rows.count, home: home))
      sortKeys.append(cursor.statement)
    }
    let after = comparison?.after ?? cursor.fingerprint()
    rows.append(
      Touched(
        key: key, source: source, isThere: true, isDisplaced: isDisplaced,
        isContentChanged: comparison?.isContentChanged ?? false,
        before: comparison.map { $0.before } ?? after, after: after,
        item: try context.readItem(cursor)))
  }
}
