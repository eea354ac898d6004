internal import SectileCore
public import SectileStore

/// The changes of one mutation, as they are put together.
///
/// Nothing is written here: the hub performs all of them, or none.
public struct MutationDraft {
  /// Which state of a row a change is for.
  public enum RevisionCheck: Hashable, Sendable {
    /// The one that is in the replica now: where the hub has another, the change is a conflict.
    case seen
    /// A certain one.
    case exactly(Int64)
    /// Any: the last writer wins, by the order of the hub's commits, and only the columns that are
    /// named are written.
    case any
  }

  let tables: [String: SyncedTable]
  private let transaction: StoreReadTransaction
  /// What was put together so far.
  public private(set) var changes: [RowMutation] = []

  init(_ transaction: StoreReadTransaction) throws {
    self.transaction = transaction
    let tables = try ReplicaTables.syncedTables(in: transaction)
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
  }

  /// Adds a new row.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - values: Values for columns; the others get what the hub has for them. A key that the hub
  ///     makes is known beforehand with ``Replica/newKey(of:as:)``.
  /// - Throws: ``HubError`` with the codes `noSuchTable` and `invalidSubscription`, for a column
  ///   that the replica does not have.
  public mutating func insert(into table: String, values: [String: any StorableValue]) throws {
    let described = try description(of: table)
    changes.append(.insert(table: table, values: try stored(values, described)))
  }

  /// Adds new values for columns of a row.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - key: The row's key, a value for each of its columns.
  ///   - values: The columns, and what they shall be.
  ///   - check: Which state of the row it is for.
  /// - Throws: ``HubError``, as ``insert(into:values:)``, and `rejected` where the replica has no
  ///   such row.
  public mutating func update(
    _ table: String, key: any StorableValue..., set values: [String: any StorableValue],
    ifRevision check: RevisionCheck = .seen
  ) throws {
    let described = try description(of: table)
    let key = try stored(key, described)
    changes.append(
      .update(
        table: table, key: key, revision: try revision(check, of: key, described),
        values: try stored(values, described)))
  }

  /// Has a row go away.
  ///
  /// See ``update(_:key:set:ifRevision:)`` for more information.
  public mutating func delete(
    from table: String, key: any StorableValue..., ifRevision check: RevisionCheck = .seen
  ) throws {
    let described = try description(of: table)
    let key = try stored(key, described)
    changes.append(
      .delete(table: table, key: key, revision: try revision(check, of: key, described)))
  }

  private func description(of table: String) throws(HubError) -> SyncedTable {
    guard let described = tables[table] else {
      throw HubError(
        .noSuchTable, message: "The replica has no table \(table) of the hub",
        hint: "It has \(tables.keys.sorted().joined(separator: ", ")).")
    }
    return described
  }

  private func revision(
    _ check: RevisionCheck, of key: [StoredValue], _ table: SyncedTable
  ) throws -> Int64? {
    switch check {
    case .any: return nil
    case .exactly(let revision): return revision
    case .seen:
      // What is made upon a change of the same mutation is guarded with it: the hub performs both,
      // or none.
      guard !changes.contains(where: { $0.table == table.name && $0.keys(in: table).contains(key) })
      else { return nil }
      guard table.columns.contains(where: { $0.name == SyncedTable.revisionColumn }) else {
        return nil
      }
      let condition = table.key.map { "\(SQLName.quote($0)) = ?" }.joined(separator: " AND ")
      let rows = try transaction.query(
        "SELECT \(SyncedTable.revisionColumn) FROM main.\(SQLName.quote(table.name)) WHERE \(condition)",
        values: key)
      guard let value = rows.first?.values.first else {
        let rejection = MutationRejection(
          .conflict, message: "\(table.name) has no such row", change: changes.count)
        throw HubError(
          .rejected, message: "The replica has no such row in \(table.name)",
          hint: "It was deleted, or has not arrived yet.", rejection: rejection)
      }
      guard case .integer(let revision) = value else { return nil }
      return revision
    }
  }

  private func stored(
    _ values: [String: any StorableValue], _ table: SyncedTable
  ) throws -> [String: StoredValue] {
    var stored: [String: StoredValue] = [:]
    for (name, value) in values {
      guard table.columns.contains(where: { $0.name == name }) else {
        throw HubError(
          .invalidSubscription, message: "\(table.name) has no column \(name) in this replica",
          hint: "It has \(table.columns.map(\.name).joined(separator: ", ")).")
      }
      stored[name] = try value.storedValue
    }
    try table.checkValues(stored)
    return table.hubValues(stored)
  }

  private func stored(
    _ key: [any StorableValue], _ table: SyncedTable
  ) throws -> [StoredValue] {
    guard key.count == table.key.count else {
      throw HubError(
        .invalidSubscription,
        message:
          "A key of \(table.name) has \(table.key.count) values, and \(key.count) were given",
        hint: "Its columns are \(table.key.joined(separator: ", ")).")
    }
    return try key.map { try $0.storedValue }
  }
}
