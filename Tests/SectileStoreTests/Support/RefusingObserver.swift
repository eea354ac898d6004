import GRDB

/// Refuses every COMMIT, in a way that leaves open whether it was stored.
final class RefusingObserver: TransactionObserver {
  struct Problem: Error {}

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseWillCommit() throws { throw Problem() }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}
