import GRDB
import SectileCore

/// A row that is wanted, and what it is known to be.
struct WantedRow: Sendable {
  let key: RowKey
  /// The digest of its item; ``RowDigest/unknown`` where none was taken.
  let content: UInt64
}

/// Reads items by key, as of a version.
struct ItemReader<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  let format: RowFormat<Item>
  /// The base table, or what the query is called.
  let table: String
  /// The query whose rows are read; nil where they are those of the table.
  let query: SQLFragment?
  let keyColumns: [String]
  let access: ReadAccess
  let keyedRows: KeyedRows

  init(of plan: FetchPlan, format: RowFormat<Item>, access: ReadAccess) {
    self.format = format
    (table, query, keyColumns) = (plan.table, plan.query, plan.keyColumns)
    self.access = access
    keyedRows = KeyedRows()
  }

  /// Reads the rows of another reader as other items.
  init<Other>(rowsOf other: ItemReader<Other>, format: RowFormat<Item>) {
    self.format = format
    (table, query, keyColumns) = (other.table, other.query, other.keyColumns)
    (access, keyedRows) = (other.access, other.keyedRows)
  }

  /// Returns the items of some rows as they were at a version, nil for each that changed since in a
  /// way that nobody recorded.
  ///
  /// - Parameters:
  ///   - wanted: The rows.
  ///   - node: The version.
  ///   - view: The version's rows, where they are held.
  /// - Returns: The items.
  /// - Throws: What reading and decoding throw.
  /// - Complexity: One query, O(k · log n) for k rows of n.
  func items(
    _ wanted: [WantedRow], at node: VersionNode, in view: HeldView?
  ) throws -> [Item?] {
    let start = access.monitor.start()
    defer {
      if let start {
        access.monitor.tell(
          .readItems(table: table, count: wanted.count, duration: start.duration(to: .now)))
      }
    }
    if let view, let items = try access.read(in: view, { try items(wanted, in: $0) }) {
      return items
    }
    return try access.read { try items(wanted, at: node, in: $0) }
  }

  /// Returns the items of all rows of contents as they were at a version, all read in one
  /// transaction.
  ///
  /// See ``items(_:at:in:)`` for more information.
  func allItems(
    of contents: PlanContents, at node: VersionNode, in view: HeldView?
  ) throws -> [Item?] {
    if let view,
      let items = try access.read(in: view, { try currentItems(of: contents, in: $0) })
    {
      return items
    }
    return try access.read { db in
      InternalChecks.checkIsOneState(db)
      return try all(of: contents) { try items($0, at: node, in: db) }
    }
  }

  /// Returns the items of all rows of contents as they are, nil for each that is not there.
  func currentItems(of contents: PlanContents, in db: Database) throws -> [Item?] {
    InternalChecks.checkIsOneState(db)
    return try all(of: contents) { try items($0, in: db) }
  }

  private func all(
    of contents: PlanContents, _ read: ([WantedRow]) throws -> [Item?]
  ) rethrows -> [Item?] {
    var items: [Item?] = []
    items.reserveCapacity(contents.count)
    try contents.forEachChunk { items += try read($0) }
    return items
  }

  private func items(
    _ wanted: [WantedRow], at node: VersionNode, in db: Database
  ) throws -> [Item?] {
    var stored: [Reading] = []
    let missing = wanted.filter { needsDatabase($0, at: node) }
    let verifies = wanted.contains { $0.content != RowDigest.unknown }
    let positions = try read(
      missing.map { $0.key }, takingDigests: verifies, in: db, into: &stored)
    return try wanted.map { row in
      // Asked again after reading: a commit in between has left its link first.
      switch node.entry(of: row.key, columns: format.columns) {
      case (.image(let offset), let preImages)?:
        return try read(preImages, at: offset, in: db)?.item.get()
      case (.absent, _)?: return nil
      case (.partial(let offset), let preImages)?:
        if let found = positions[row.key], row.content == stored[found].content {
          return try stored[found].item.get()
        }
        return try restored(row, from: preImages, at: offset, in: db)
      case (.lost, _)?:
        guard let found = positions[row.key], row.content == stored[found].content else {
          return nil
        }
        return try stored[found].item.get()
      case (.untouched, _)?, nil:
        guard let found = positions[row.key],
          row.content == RowDigest.unknown || row.content == stored[found].content
        else { return nil }
        return try stored[found].item.get()
      }
    }
  }

  /// Returns the items of some rows as they are, nil for each that is not there.
  private func items(_ wanted: [WantedRow], in db: Database) throws -> [Item?] {
    var stored: [Reading] = []
    let positions = try read(wanted.map(\.key), takingDigests: false, in: db, into: &stored)
    return try wanted.map { row in try positions[row.key].map { try stored[$0].item.get() } }
  }

  /// Returns the item of a row as it is; nil where it is not there.
  func currentItem(_ key: RowKey, in db: Database) throws -> Item? {
    try items([WantedRow(key: key, content: RowDigest.unknown)], in: db)[0]
  }

  /// Returns whether a row is what it was at a version, in a transaction that has read what others
  /// committed.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - node: The version.
  ///   - db: The connection.
  /// - Returns: False also where nobody can tell.
  /// - Throws: What reading throws.
  func isUnchanged(_ row: WantedRow, since node: VersionNode, in db: Database) throws -> Bool {
    func current<Result>(_ body: (RawStatement) throws -> Result) throws -> Result? {
      let query = PlanSQL(try plan(in: db)).selectItems(
        count: 1, findsNulls: row.key.hasNull)
      let statement = try RawStatement.cached(query.sql, on: db)
      defer { statement.finish() }
      try statement.bind(query.values + row.key.values)
      // A collation may find a row of another key: 'A' for 'a'.
      while try statement.step() {
        if try statement.key(at: keyColumns.indices) == row.key { return try body(statement) }
      }
      return nil
    }
    let columns = keyColumns.count..<(keyColumns.count + format.columns.count)
    switch node.entry(of: row.key, columns: format.columns) {
    case (.absent, _)?:
      return false
    case (.image(let offset), let preImages)?:
      let positions = format.columns.compactMap { preImages.columns.firstIndex(of: $0) }
      guard positions.count == format.columns.count else { return false }
      return try current { statement in
        preImages.withImage(at: offset, beside: columns, of: statement.handle) { image, now in
          zip(positions, now).allSatisfy { image[$0].isIdentical(to: $1) }
        }
      } ?? false
    case (.partial, _)?, (.lost, _)?:
      guard row.content != RowDigest.unknown else { return false }
      return try current { $0.digest(columns) == row.content } ?? false
    case (.untouched, _)?, nil:
      // Without a change log, others may have committed since anybody looked.
      guard row.content != RowDigest.unknown else { return true }
      return try current { $0.digest(columns) == row.content } ?? false
    }
  }

  /// Whether a row is to be looked up in the database: nobody overwrote it, as far as known.
  private func needsDatabase(_ row: WantedRow, at node: VersionNode) -> Bool {
    switch node.entry(of: row.key, columns: format.columns)?.entry {
    case .image, .absent: false
    case .partial, .lost: row.content != RowDigest.unknown
    case .untouched, nil: true
    }
  }

  private struct Reading {
    let content: UInt64
    let item: Result<Item, any Error>
  }

  /// Reads rows, and returns where among the readings each of them stands.
  private func read(
    _ keys: [RowKey], takingDigests takesDigests: Bool, in db: Database,
    into readings: inout [Reading]
  ) throws -> [RowKey: Int] {
    var positions: [RowKey: Int] = [:]
    positions.reserveCapacity(keys.count)
    readings.reserveCapacity(keys.count)
    let limit = allRows.selectedItemsMaximum
    for start in stride(from: 0, to: keys.count, by: limit) {
      try readAtOnce(
        keys[start..<min(keys.count, start + limit)], takesDigests, in: db, into: &readings,
        at: &positions)
    }
    return positions
  }

  private func readAtOnce(
    _ keys: ArraySlice<RowKey>, _ takesDigests: Bool, in db: Database,
    into readings: inout [Reading], at positions: inout [RowKey: Int]
  ) throws {
    let plan = try plan(in: db)
    func readRows(_ statement: RawStatement) throws {
      while try statement.step() {
        let key = try statement.key(at: keyColumns.indices)
        positions[key] = readings.count
        readings.append(
          reading(statement, firstColumn: keyColumns.count, takesDigest: takesDigests))
      }
    }
    if let rowsOfKey = try keyedRows.sql(of: plan, in: db) {
      let query = PlanSQL(plan, rowsOfKey: rowsOfKey).selectItem
      let statement = try RawStatement.cached(query.sql, on: db)
      defer { statement.finish() }
      try statement.bind(query.values, from: query.valueParameter)
      for key in keys {
        try statement.bind(key, from: query.keyParameter)
        try readRows(statement)
        statement.reset()
      }
      return
    }
    let query = PlanSQL(plan).selectItems(
      count: keys.count, findsNulls: keys.contains(where: \.hasNull))
    let statement = try RawStatement.cached(query.sql, on: db)
    defer { statement.reset() }
    try statement.bind(query.values + keys.flatMap(\.values))
    try readRows(statement)
  }

  /// The plan of all rows of the table or query.
  private var allRows: FetchPlan {
    var plan = FetchPlan(table: table, keyColumns: keyColumns, itemColumns: format.columns)
    plan.query = query
    return plan
  }

  /// The same, with what the schema says about their keys.
  private func plan(in db: Database) throws -> FetchPlan {
    let plan = allRows
    return try plan.keyDeclaresCollation(in: db) ? plan.resolvingKey(on: db) : plan
  }

  /// Makes the item of a row some of whose values are not known; nil where none fits its digest.
  private func restored(
    _ row: WantedRow, from preImages: PreImages, at offset: Int, in db: Database
  ) throws -> Item? {
    guard query == nil, row.content != RowDigest.unknown else { return nil }
    let restoration = try RowRestoration(of: table, like: db)
    return try restoration?.forEachCandidate(preImages, at: offset) { copy in
      let columns = SQLFragment(joining: format.columns.map { SQLFragment(SQLName.quote($0)) }).sql
      let statement = try RawStatement.prepare(
        "SELECT \(columns) FROM \(SQLName.table(table))", on: copy)
      defer { statement.finish() }
      guard try statement.step() else { return nil }
      let reading = reading(statement, firstColumn: 0, takesDigest: true)
      return reading.content == row.content ? try reading.item.get() : nil
    }
  }

  /// Makes an item of remembered values by having SQLite select them.
  private func read(_ preImages: PreImages, at offset: Int, in db: Database) throws -> Reading? {
    let positions = format.columns.compactMap { preImages.columns.firstIndex(of: $0) }
    guard positions.count == format.columns.count else { return nil }
    let marks = Array(repeating: "?", count: positions.count).joined(separator: ", ")
    let statement = try RawStatement.cached("SELECT \(marks)", on: db)
    defer { statement.finish() }
    return try preImages.withImage(at: offset) { columns in
      for (index, position) in positions.enumerated() {
        try statement.bindColumn(columns[position], at: index + 1)
      }
      return try statement.step()
        ? reading(statement, firstColumn: 0, takesDigest: false) : nil
    }
  }

  private func reading(
    _ statement: RawStatement, firstColumn: Int, takesDigest: Bool
  ) -> Reading {
    let columns = firstColumn..<(firstColumn + format.columns.count)
    return Reading(
      content: takesDigest ? statement.digest(columns) : RowDigest.unknown,
      item: Result { try format.decode(statement, firstColumn) })
  }
}

/// The way to a database for reading.
struct ReadAccess: Sendable {
  /// Threads for tasks that read.
  let blockingCalls: BlockingCalls
  /// What counts the store's work.
  let monitor: StoreMonitor
  /// Reads what a view shows, or nothing where that has ended; without one, what the file holds.
  private let perform: @Sendable (HeldView?, (Database) throws -> Void) throws -> Void

  init(
    _ blockingCalls: BlockingCalls, _ monitor: StoreMonitor,
    _ perform: @escaping @Sendable (HeldView?, (Database) throws -> Void) throws -> Void
  ) {
    self.blockingCalls = blockingCalls
    self.monitor = monitor
    self.perform = perform
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var result: Result?
    try perform(nil) { result = try body($0) }
    guard let result else { throw StaleContents() }
    return result
  }

  /// Reads what a view shows; returns nil where that has ended.
  func read<Result>(
    in view: HeldView, _ body: (Database) throws -> Result
  ) throws -> Result? {
    var result: Result?
    try perform(view) { result = try body($0) }
    return result
  }
}
