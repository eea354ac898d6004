import GRDB
import SectileStore
import Synchronization

/// Writes down what a store tells the readers of its commits.
final class CommitLog: CommitReader {
  struct Refusal: Error {}

  private let state = Mutex<(lines: [String], refuses: Bool)>(([], false))

  var lines: [String] { state.withLock { $0.lines } }

  /// Makes reading throw from now on.
  func refuse() { state.withLock { $0.refuses = true } }

  func clear() { state.withLock { $0.lines = [] } }

  private func note(_ line: String) { state.withLock { $0.lines.append(line) } }

  func attach(to db: Database) throws { note("attach") }

  func detach(from db: Database) { note("detach") }

  func transactionWillCommit(by origin: CommitOrigin?, in db: Database) throws {
    note("read \(db.isInsideTransaction ? "inside" : "outside")")
    if state.withLock({ $0.refuses }) {
      throw Refusal()
    }
  }

  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    note("\(outcome)")
    return false
  }

  func deliver() { note("deliver") }
}
