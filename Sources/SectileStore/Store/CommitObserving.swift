package import GRDB

/// What a store tells whoever follows its commits.
///
/// One transaction calls `transactionDidBegin`, `transactionWillCommit` and `transactionDidEnd`, all on
/// the writer, so that they never overlap with another transaction's; `transactionFinished` follows outside of
/// the writer, on the thread or task that called `write`.
package protocol CommitObserving: AnyObject, Sendable {
  /// Installs what the observer needs on the writing connection, before statements are prepared.
  func attach(to db: Database) throws

  /// Removes it from a connection that lives on without the store.
  func detach(from db: Database)

  /// Called when the transaction has begun, before the write's closure.
  func transactionDidBegin(_ db: Database)

  /// Called inside the transaction before something that the observer's hook does not see: a statement
  /// that changes the schema, or work on GRDB's own connection.
  func schemaWillChange(in db: Database)

  /// Called at the end of the write's closure, inside the transaction. An error rolls back.
  func transactionWillCommit(_ db: Database) throws

  /// Called when the transaction is over, still on the writer, outside of the transaction.
  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database)

  /// Called when the writer is free again, before `write` returns or throws.
  func transactionFinished()
}

extension CommitObserving {
  /// Does nothing.
  package func transactionDidBegin(_ db: Database) {}

  /// Does nothing.
  package func schemaWillChange(in db: Database) {}
}
