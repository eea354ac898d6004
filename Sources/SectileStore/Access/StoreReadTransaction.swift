package import GRDB

/// A reading transaction: one state of the database, whatever others commit meanwhile.
///
/// `Store.read(_:)` hands it to its closure. It belongs to the closure's thread and ends with the
/// closure: whoever keeps it and calls it later gets a ``StoreError`` with the code
/// ``StoreError/Code/transactionInactive``.
public class StoreReadTransaction {
  /// GRDB's connection; valid while the transaction is.
  package let db: Database
  /// The store's file, for messages.
  package let file: String?
  /// Whether the store holds the state that results of queries show while others write.
  var holdsFormerStates = false

  // MARK: - Mutable state
  //
  // Confined to the closure's thread, as the class is not Sendable.
  // - `isActive`: true until the closure ended.
  // - `isDatabaseExposed`: whether the closure asked for GRDB's connection.
  private var isActive = true
  package var isDatabaseExposed = false

  package init(db: Database, file: String?) {
    self.db = db
    self.file = file
  }

  /// Takes note that the closure gets GRDB's connection.
  package func exposeDatabase() {
    isDatabaseExposed = true
  }

  /// Takes note that a statement of somebody's SQL is about to run.
  package func statementWillRun(_ statement: RawStatement) {}

  /// Ends the use of this transaction.
  package func invalidate() {
    isActive = false
  }

  /// Throws if the closure has ended, or if the transaction has.
  ///
  /// - Throws: ``StoreError`` with the code `transactionInactive` or `transactionEnded`.
  package func checkActive() throws(StoreError) {
    guard isActive else {
      throw StoreError(
        .transactionInactive,
        message: "\(file ?? "The store"): a transaction was used after its closure returned",
        hint: "Do everything inside the closure, and return values from it.")
    }
    guard db.isInsideTransaction else {
      throw .transactionEnded(file: file)
    }
  }
}

@available(*, unavailable)
extension StoreReadTransaction: Sendable {}

extension StoreError {
  static func transactionEnded(file: String?) -> StoreError {
    StoreError(
      .transactionEnded,
      message: "\(file ?? "The store"): the transaction ended before its closure did",
      hint: "Let the closure return to commit, and throw from it to roll back; do not run COMMIT "
        + "or ROLLBACK in it, and do not catch errors that end the transaction.")
  }
}
