package import SectileCore
package import SectileStore

/// The rows of a replica's file as they are, for who compares them with the hub's or hands them on.
package enum ReplicaRows {
  /// How many rows are in memory at once.
  private static let batchCount = 1000

  /// Calls a closure with each row of a table, in the order of the key.
  ///
  /// - Parameters:
  ///   - table: The table, as the file has it.
  ///   - transaction: The transaction.
  ///   - body: What is called with a value for each of the table's columns.
  /// - Throws: `StoreError`; what `body` throws.
  package static func forEach(
    of table: SyncedTable, in transaction: StoreReadTransaction,
    _ body: ([StoredValue]) throws -> Void
  ) throws {
    let columns = table.columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
    let key = table.key.map { SQLName.quote($0) }.joined(separator: ", ")
    let marks = table.key.map { _ in "?" }.joined(separator: ", ")
    let source = "SELECT \(columns) FROM main.\(SQLName.quote(table.name))"
    let end = "ORDER BY \(key) LIMIT \(batchCount)"
    var rows = try transaction.rows(prepared: "\(source) \(end)")
    while let last = rows.last {
      for row in rows { try body(row) }
      guard rows.count == batchCount else { return }
      rows = try transaction.rows(
        prepared: "\(source) WHERE (\(key)) > (\(marks)) \(end)", table.key(of: last))
    }
  }

  /// The keys of the rows for which the file shows a change of its own that the hub has not
  /// answered.
  ///
  /// - Throws: `StoreError`.
  package static func waitingKeys(
    of table: SyncedTable, in transaction: StoreReadTransaction
  ) throws -> [[StoredValue]] {
    try ConfirmedRows(table).keys(in: transaction)
  }

  /// What the hub said beside rows until the file stands where it does: the last outcome for each
  /// client, and versions of the schema.
  ///
  /// - Throws: `StoreError`.
  package static func controlRecords(
    in transaction: StoreReadTransaction
  ) throws -> HubControlRecords {
    let date = try ReplicaTables.heartbeat(in: transaction)
    let mark = try ReplicaTables.token(in: transaction)?.heartbeat
    let heartbeat = date.flatMap { date in mark.map { HubHeartbeat(date: date, mark: $0) } }
    return HubControlRecords(
      outcomes: try ReplicaTables.outcomes(in: transaction), heartbeat: heartbeat,
      schemaVersions: try ReplicaTables.schemaVersions(in: transaction))
  }
}
