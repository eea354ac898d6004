package import GRDB

/// Reads what each transaction of a store did, inside of it, and tells of it when it has committed.
///
/// All but ``deliver()`` is called on the writer.
package protocol CommitReader: AnyObject, Sendable {
  /// Whether transactions are to be read at all.
  var isFollowing: Bool { get }

  /// Takes its own measures on the writing connection, before statements are prepared.
  func attach(to db: Database) throws

  /// Takes them back on a connection that lives on without the store.
  func detach(from db: Database)

  /// Called inside the transaction before something that the recorder does not see: a statement
  /// that changes the schema, or work on GRDB's own connection.
  func schemaWillChange(in db: Database)

  /// Called at the end of the transaction, inside of it; an error rolls it back.
  func read(_ record: TransactionRecord, in db: Database) throws

  /// How many of those who follow are changed by the transaction that was read.
  var changedCount: Int { get }

  /// Called when the transaction is over, read or not.
  ///
  /// - Returns: Whether there is something to deliver.
  func transactionDidEnd(_ outcome: TransactionOutcome) -> Bool

  /// Called where nobody knows what was touched since the record before.
  ///
  /// - Parameters:
  ///   - hasNewSchema: Whether tables have to be watched anew.
  ///   - db: The writing connection.
  func missCommits(hasNewSchema: Bool, in db: Database)

  /// Called where commits cannot be read any more: the file is no longer at its path.
  func fail(_ error: StoreError)

  /// Called when the writer is free again, on the thread or task that called `write`, before it
  /// returns.
  func deliver()
}

extension CommitReader {
  package var isFollowing: Bool { true }
  package var changedCount: Int { 0 }
  package func attach(to db: Database) throws {}
  package func detach(from db: Database) {}
  package func schemaWillChange(in db: Database) {}
  package func missCommits(hasNewSchema: Bool, in db: Database) {}
  package func fail(_ error: StoreError) {}
}
