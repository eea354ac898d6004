import GRDB
import SectileCore
import Synchronization

extension RowFormat {
  /// Returns a digest of what is written for an item, whatever a table makes of it.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - column: A column that is left out; nil for none.
  ///   - db: The connection.
  /// - Returns: The digest.
  /// - Throws: `encodingFailed` for a value that SQLite cannot hold.
  fileprivate func digest(
    of item: Item, without column: String?, in db: Database
  ) throws -> UInt64? {
    let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let left = column?.lowercased()
    let compared = columns.indices.filter { columns[$0].lowercased() != left }
    var digest: UInt64?
    try withBound(
      item, Array(columns.indices), to: try RawStatement.cached("SELECT \(marks)", on: db)
    ) { statement in
      if try statement.step() { digest = statement.digest(compared) }
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
  private let sectionLimit: SectionLimit?
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
  ///   - transaction: The transaction.
  ///   - body: Writes the row.
  /// - Throws: `sectionFull`; what `body` throws, and what tells how many rows a section may have.
  func placeRow(
    _ former: RowKey?, as latter: RowKey, in transaction: StoreTransaction,
    _ body: () throws -> Void
  ) throws {
    guard let sectionLimit else { return try body() }
    let db = transaction.db
    let membership = try SectionMembership(plan, in: db)
    let before = try former.flatMap { try membership.section(of: $0) }
    try body()
    let key = former == nil ? insertedKey(latter, in: db) : latter
    guard let section = try membership.section(of: key), section != before,
      let limit = try sectionLimit(section, transaction),
      try membership.hasMore(than: limit, inSection: section)
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
  ///   - body: Is handed the transaction and the table.
  /// - Throws: See ``write(_:unchanged:_:)``.
  func write(
    _ capability: EditingCapability, _ key: RowKey, ifStill expected: Item?,
    _ body: (StoreTransaction, TableSchema) throws -> Void
  ) throws {
    try write(capability, unchanged: []) { transaction, table in
      if let expected {
        guard try isStill(key, expected, for: capability, in: transaction.db) else {
          throw StoreError.editConflict(table: plan.table, key: key)
        }
      }
      try body(transaction, table)
    }
  }

  /// Returns whether a row is what somebody read.
  ///
  /// A row that moves gets another number, so its own is not compared: where a gap was used up for
  /// another row, it has got a new one, and nobody has changed it.
  private func isStill(
    _ key: RowKey, _ expected: Item, for capability: EditingCapability, in db: Database
  ) throws -> Bool {
    guard let item = try reader.currentItem(key, in: db) else { return false }
    let number = capability == .moving ? plan.orderColumn : nil
    func digest(_ item: Item) throws -> UInt64? {
      try reader.format.digest(of: item, without: number, in: db)
    }
    return try digest(item) == digest(expected)
  }

  /// Writes, in a transaction of its own.
  ///
  /// - Parameters:
  ///   - capability: What is done.
  ///   - paths: Rows that must be what was shown.
  ///   - body: Is handed the transaction and the table.
  /// - Throws: A ``StoreError``: `editConflict` where somebody changed one of the rows; what keeps
  ///   the results from being edited; what `body` throws. Nothing was written then.
  func write(
    _ capability: EditingCapability, unchanged paths: [ItemPath],
    _ body: (StoreTransaction, TableSchema) throws -> Void
  ) throws {
    let collector = EditCollector.current.flatMap { $0.begin() ? $0 : nil }
    defer { collector?.end() }
    // What others have committed is told before.
    if !access.isReadOnly { try writer.catchUp() }
    if let collector {
      collector.add(
        try access.writeUndoably { try run(capability, unchanged: paths, body, in: $0) })
    } else {
      try access.write { try run(capability, unchanged: paths, body, in: $0) }
    }
  }

  private func run(
    _ capability: EditingCapability, unchanged paths: [ItemPath],
    _ body: (StoreTransaction, TableSchema) throws -> Void, in transaction: StoreTransaction
  ) throws {
    let db = transaction.db
    let table = try EditingRules(plan: plan, isReadOnly: access.isReadOnly)
      .check(capability, in: db)
    for path in paths {
      let key = try key(at: path)
      let digest = contents.content?[contents.index.handle(at: path)] ?? RowDigest.unknown
      guard try reader.isUnchanged(WantedRow(key: key, content: digest), since: node, in: db)
      else { throw StoreError.editConflict(table: plan.table, key: key) }
    }
    try body(transaction, table)
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
