package import GRDB

/// Takes part in the transactions of a store's writer, at three moments.
///
/// The participants of a store are one list. What *begins* and *ends* goes through it from the
/// first to the last, what *will commit* from the last to the first:
///
/// ```text
///                    did begin        will commit                      did end
///   FileCheck        1 looks          5 looks once more
///   FollowedResults                   4 close the record, and read it  1 publish what it comes to
///   CommitReader …                    3 read                           2 hear of it
///   CommitRecorder   2 notes rows                                      3 forgets them
///   LogKeeper        3 repairs        1 writes down who commits        4 knows it up to here
/// ```
///
/// What others have committed comes in as a transaction that only reads: it does not begin here, it
/// has no origin, and it ends.
///
/// Everything is called on the writer.
package protocol CommitParticipant: AnyObject {
  /// Takes its own measures on the writing connection, before statements are prepared.
  func attach(to db: Database) throws

  /// Takes them back on a connection that lives on without the store.
  func detach(from db: Database)

  /// Called inside a transaction of `Store.write` that has written nothing yet; an error rolls it
  /// back.
  ///
  /// - Throws: What forbids to write.
  func transactionDidBegin(in db: Database) throws

  /// Called at the end of a transaction, inside of it; an error rolls it back.
  ///
  /// - Parameters:
  ///   - origin: Who commits; nil where the transaction only reads what others have committed.
  ///   - db: The writing connection.
  /// - Throws: What forbids the commit.
  func transactionWillCommit(by origin: CommitOrigin?, in db: Database) throws

  /// Called when a transaction is over, whether it came to its end or not.
  ///
  /// - Returns: Whether there is something to deliver.
  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool
}

extension CommitParticipant {
  package func attach(to db: Database) throws {}
  package func detach(from db: Database) {}
  package func transactionDidBegin(in db: Database) throws {}
  package func transactionWillCommit(by origin: CommitOrigin?, in db: Database) throws {}
  package func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool { false }
}

/// A participant that tells others of the commits that it has read.
package protocol CommitReader: CommitParticipant, Sendable {
  /// Called when the writer is free again, on the thread or task that called `write`, before it
  /// returns.
  func deliver()
}
