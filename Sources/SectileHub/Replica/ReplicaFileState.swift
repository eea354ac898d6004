package import FoundationEssentials
package import SectileStore

/// What a replica's file says of itself, whoever follows the hub for it.
package struct ReplicaFileState: Sendable {
  /// Where it stands.
  package let token: HubToken
  /// When the hub wrote the last sign of life that is in the file, by the hub's clock.
  package let heartbeat: Date?
  /// Which versions of the schema the hub supports.
  package let schemaVersions: ClosedRange<Int>?
  /// The hub's tables.
  package let tables: [SyncedTable]
  /// How many changes of the outbox have not reached the hub.
  package let waitingCount: Int
  /// How many the hub has refused.
  package let parkedCount: Int

  /// Reads it; nil where the file is no replica, or one that was never filled.
  package init?(in transaction: StoreReadTransaction) throws {
    guard let token = try ReplicaTables.token(in: transaction) else { return nil }
    self.token = token
    heartbeat = try ReplicaTables.heartbeat(in: transaction)
    schemaVersions = try ReplicaTables.schemaVersions(in: transaction)
    tables = try ReplicaTables.syncedTables(in: transaction)
    waitingCount = try OutboxTables.count([.waiting, .sent], in: transaction)
    parkedCount = try OutboxTables.count([.parked], in: transaction)
  }

  /// What subscribes to the same tables, columns and rows.
  package var subscriptions: [TableSubscription] {
    tables.map { table in
      var subscription = TableSubscription(
        table.name, columns: table.columns.map(\.name), where: table.condition)
      for column in table.columns {
        if let scale = column.scale {
          subscription.numericForms[column.name] = .decimal(scale: scale)
        } else if column.type == .double {
          // Of a column that is binary at the hub, it says nothing.
          subscription.numericForms[column.name] = .real
        }
      }
      return subscription
    }
  }
}
