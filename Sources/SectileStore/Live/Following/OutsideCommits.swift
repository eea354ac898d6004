import GRDB

/// Notices transactions that do not go through `Store.write`.
///
/// GRDB owns the observer, so it holds the center weakly.
final class OutsideCommits: TransactionObserver {
  private weak var center: CommitCenter?

  init(center: CommitCenter) {
    self.center = center
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ db: Database) {
    center?.outsideTransactionDidCommit(db)
  }

  func databaseDidRollback(_ db: Database) {
    center?.outsideTransactionDidRollback(db)
  }
}
