internal import Sectile

/// Keeps triggers from running while rows of a patch are written: the patch has what they did.
///
/// Those of a change log have to run, or nobody would hear of these rows, and SQLite switches off
/// all triggers or none. In a file with a log the others are removed inside the transaction, and
/// made again at its end.
final class TriggerSilence {
  private let connection: InspectionConnection
  /// The triggers to make again.
  private var removed: [SchemaEntry] = []

  /// - Parameter connection: A connection that may write.
  init(on connection: InspectionConnection) {
    self.connection = connection
    connection.setTriggers(false)
  }

  /// Begins inside a transaction that writes.
  ///
  /// - Parameter table: The only table that is written; nil where changes of rows may reach others.
  /// - Throws: ``StoreError``.
  func begin(for table: String? = nil) throws {
    let hasLog = try TableListing(of: LogTables.state, in: connection) != nil
    connection.setTriggers(hasLog)
    guard hasLog else { return }
    removed = try SchemaEntry.all(in: connection, withShadows: true).filter { entry in
      entry.kind == .trigger && !entry.isOfChangeLog
        && (table.map { $0.lowercased() == entry.table.lowercased() } ?? true)
    }
    for trigger in removed { try connection.run(trigger.removal) { _ in } }
  }

  /// Ends in the same transaction.
  ///
  /// - Throws: ``StoreError``.
  func end() throws {
    for trigger in removed { try connection.prepare(trigger.sql).run() }
    forget()
  }

  /// Takes note that the transaction was undone.
  func forget() {
    removed = []
    connection.setTriggers(false)
  }
}
