import GRDB
import SectileCore
import Synchronization

extension RowFormat {
  /// Returns a digest of what is written for an item, whatever a table makes of it.
  ///
  /// - Throws: `encodingFailed` for a value that SQLite cannot hold.
  fileprivate func digest(of item: Item, in db: Database) throws -> UInt64? {
    let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    var digest: UInt64?
    try withBound(
      item, Array(columns.indices), to: try RawStatement.cached("SELECT \(marks)", on: db)
    ) { statement in
      if try statement.step() { digest = statement.digest(columns.indices) }
    }
    return digest
  }
}

/// One edit of rows that results show: paths become keys, and what is written is compared with what
/// was shown.
struct ResultsEdit<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  let plan: FetchPlan
  let contents: PlanContents
  let reader: ItemReader<Item>
  private let sectionLimit: (@Sendable (StoredValue) -> Int?)?
  private let node: VersionNode
  private let access: EditingAccess
  private let writer: WriterAccess

  /// Takes the version that readers see.
  ///
  /// - Throws: `notEditable` for results that follow no commits: what became of their rows is not
  ///   known.
  init(of results: SectionedResults<Item>) throws {
    let seen = results.tracker.state.withLock { state in
      state.isFollowing
        ? (state.request.plan, state.versions.visible, state.versions.node) : nil
    }
    guard let (plan, contents, node) = seen else {
      throw StoreError(
        .notEditable, message: "The results of \(results.tracker.plan.table) follow no commits.",
        hint: "Call load() before their rows are edited.")
    }
    (self.plan, self.contents, self.node) = (plan, contents, node)
    contents.content?.pass?.waitBriefly()
    reader = results.items.reader
    sectionLimit = results.sectionLimit
    access = results.editing
    writer = results.writer
  }

  /// Returns the key of the row at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`.
  func key(at path: ItemPath) throws(DataSourceError) -> RowKey {
    guard contents.index.contains(path) else { throw .noSuchPath(path) }
    return contents.key(at: path)
  }

  /// Returns the key of the row with an identity.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchItem` where the results do not show it.
  func key(of id: Item.ID, in results: SectionedResults<Item>) throws(DataSourceError) -> RowKey {
    let key = RowKey(of: id, forms: reader.format.keyForms)
    guard contents.path(of: key) != nil else { throw .noSuchItem(in: results) }
    return key
  }

  /// Runs a closure that writes one row, and checks that the section may have it that the row comes
  /// into.
  ///
  /// The rows count that there are in the transaction: others may have moved some since the results
  /// showed them.
  ///
  /// - Parameters:
  ///   - former: The row's key before; nil for a new row.
  ///   - latter: Its key afterwards; NULL for a new row to which SQLite gives an id.
  ///   - db: The connection.
  ///   - body: Writes the row.
  /// - Throws: `sectionFull`; what `body` throws.
  func placeRow(
    _ former: RowKey?, as latter: RowKey, in db: Database, _ body: () throws -> Void
  ) throws {
    guard let sectionLimit else { return try body() }
    let membership = try SectionMembership(plan, in: db)
    let before = try former.flatMap { try membership.section(of: $0) }
    try body()
    let key = former == nil ? insertedKey(latter, in: db) : latter
    guard let section = try membership.section(of: key), section != before,
      let limit = sectionLimit(section), try membership.hasMore(than: limit, inSection: section)
    else { return }
    throw StoreError(
      .sectionFull,
      message: "A section of \(plan.table) has as many rows as it may have: \(max(limit, 0)).",
      hint: "Move or remove one of its rows first.", rowKey: latter.values)
  }

  /// Returns the key of the row that was just inserted: where it had none, the id that SQLite gave
  /// it.
  func insertedKey(_ key: RowKey, in db: Database) -> RowKey {
    key.values == [.null] ? .integer(db.lastInsertedRowID) : key
  }

  /// Writes one row, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - capability: What is done.
  ///   - key: The row.
  ///   - expected: What its item must be; nil for whatever it is.
  ///   - body: Is handed the connection and the table.
  /// - Throws: See ``write(_:unchanged:_:)``.
  func write(
    _ capability: EditingCapability, _ key: RowKey, ifStill expected: Item?,
    _ body: (Database, TableSchema) throws -> Void
  ) throws {
    try write(capability, unchanged: []) { db, table in
      if let expected {
        guard let item = try reader.currentItem(key, in: db),
          try reader.format.digest(of: item, in: db) == reader.format.digest(of: expected, in: db)
        else { throw StoreError.editConflict(table: plan.table, key: key) }
      }
      try body(db, table)
    }
  }

  /// Writes, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - capability: What is done.
  ///   - paths: Rows that must be what was shown.
  ///   - body: Is handed the connection and the table.
  /// - Throws: A ``StoreError``: `editConflict` where somebody changed one of the rows; what keeps
  ///   the results from being edited; what `body` throws. Nothing was written then.
  func write(
    _ capability: EditingCapability, unchanged paths: [ItemPath],
    _ body: (Database, TableSchema) throws -> Void
  ) throws {
    let collector = EditCollector.current.flatMap { $0.begin() ? $0 : nil }
    defer { collector?.end() }
    // What others have committed is told before.
    if !access.isReadOnly { try writer.catchUp() }
    if let collector {
      collector.add(
        try access.writeUndoably { db in try run(capability, unchanged: paths, body, in: db) })
    } else {
      try access.write { db in try run(capability, unchanged: paths, body, in: db) }
    }
  }

  private func run(
    _ capability: EditingCapability, unchanged paths: [ItemPath],
    _ body: (Database, TableSchema) throws -> Void, in db: Database
  ) throws {
    let table = try EditingRules(plan: plan, isReadOnly: access.isReadOnly)
      .check(capability, in: db)
    for path in paths {
      let key = try key(at: path)
      let digest = contents.content?[contents.index.handle(at: path)] ?? RowDigest.unknown
      guard try reader.isUnchanged(WantedRow(key: key, content: digest), since: node, in: db)
      else { throw StoreError.editConflict(table: plan.table, key: key) }
    }
    try body(db, table)
  }
}

extension StoreError {
  /// Somebody changed a row since it was shown.
  static func editConflict(table: String, key: RowKey) -> StoreError {
    StoreError(
      .editConflict,
      message: "The row of \(table) was changed or deleted since it was shown.",
      hint: "Look at what is there now, and edit that.", rowKey: key.values)
  }
}
