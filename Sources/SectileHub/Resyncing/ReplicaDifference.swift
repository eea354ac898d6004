internal import SectileCore
internal import SectileStore

/// Makes a replica's rows those of a staged replica, in one transaction that writes only what
/// differs.
///
/// So live results tell what has changed between the two, however much the replica has missed.
struct ReplicaDifference: Sendable {
  /// How many rows were written.
  struct Counts: Hashable, Sendable {
    var deleted = 0
    var written = 0
  }

  private static let staged = "sectile_staged"

  /// Compares and writes.
  ///
  /// - Parameters:
  ///   - staged: What the rows shall be.
  ///   - tables: Which tables; those of the store are made to be them.
  ///   - store: The replica.
  /// - Returns: How many rows were not the same.
  /// - Throws: `StoreError`; ``HubError`` with the code `hubOwned`.
  static func apply(
    _ staged: StagedReplica, _ tables: [SyncedTable], to store: Store
  ) throws -> Counts {
    try store.attaching(staged.path, as: Self.staged) {
      try store.write(author: "hub", tag: staged.token.position.description) { transaction in
        var counts = Counts()
        try ReplicaTables.install(at: staged.token, in: transaction)
        try ReplicaSchema.change(to: tables, in: transaction)
        for table in tables {
          try transaction.execute(deletion(in: table))
          counts.deleted += try transaction.changesCount
        }
        for table in tables {
          try transaction.execute(insertion(in: table))
          counts.written += try transaction.changesCount
        }
        // What the staged file does not know of a client is of a hub that has forgotten it.
        try transaction.execute("DELETE FROM main.\(ReplicaTables.clients)")
        try transaction.execute("DELETE FROM main.\(ReplicaTables.refusals)")
        let outbox = Outbox(tables)
        try outbox.settleAll(staged.controlRecords.outcomes, in: transaction)
        try outbox.showAll(in: transaction)
        try ReplicaTables.close(at: staged.token, staged.controlRecords, in: transaction)
        return counts
      }
    }
  }

  private static func deletion(in table: SyncedTable) -> String {
    let (here, there) = names(of: table)
    return "DELETE FROM \(here) AS mine WHERE NOT EXISTS "
      + "(SELECT 1 FROM \(there) AS theirs WHERE \(equality(of: table.key)))"
  }

  private static func insertion(in table: SyncedTable) -> String {
    let (here, there) = names(of: table)
    let columns = table.columns.map { SQLName.quote($0.name) }
    let others = table.columns.map(\.name).filter { !table.key.contains($0) }
    let updates = others.map { "\(SQLName.quote($0)) = excluded.\(SQLName.quote($0))" }
    return """
      INSERT INTO \(here) (\(columns.joined(separator: ", ")))
      SELECT \(columns.joined(separator: ", ")) FROM \(there) AS theirs
      WHERE NOT EXISTS (SELECT 1 FROM \(here) AS mine WHERE \(equality(of: table.key + others)))
      ON CONFLICT (\(table.key.map(SQLName.quote).joined(separator: ", "))) DO \
      \(updates.isEmpty ? "NOTHING" : "UPDATE SET " + updates.joined(separator: ", "))
      """
  }

  private static func names(of table: SyncedTable) -> (here: String, there: String) {
    let name = SQLName.quote(table.name)
    return ("main.\(name)", "\(SQLName.quote(staged)).\(name)")
  }

  private static func equality(of columns: [String]) -> String {
    columns.map { "mine.\(SQLName.quote($0)) IS theirs.\(SQLName.quote($0))" }
      .joined(separator: " AND ")
  }
}
