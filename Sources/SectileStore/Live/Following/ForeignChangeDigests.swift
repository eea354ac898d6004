import Dispatch
import GRDB
import SectileCore
import Synchronization

/// When digests are taken of the rows that results show, to tell what others have changed.
///
/// The recorder sees what this store writes. What another connection writes it does not see; to
/// tell afterwards which rows became others, results need a digest of each from before.
enum ForeignChangeDigests: Sendable {
  /// Nobody else can write: digests are taken when the schema is about to change.
  case whenSchemaChanges
  /// Others may write. Digests are taken within each load, in its transaction, which takes longer
  /// for it.
  case withLoad
  /// Others may write now and then. Digests are taken after each load, on a connection of their own
  /// that sees what the load saw.
  case afterLoad(DatabasePool)

  /// Begins to take digests, where a load is about to queue rows that lack them.
  ///
  /// A changeset reads its items later, from the contents that it was made of. These have to know
  /// where the digests come from: otherwise it hands out a row that others have changed meanwhile.
  ///
  /// - Parameters:
  ///   - results: The results, which follow what the load has read.
  ///   - change: What the load is about to queue.
  /// - Returns: The change with contents that wait for the digests, and their pass; the same change
  ///   and nil where no digests are to be taken.
  func begin(
    for results: ResultsTracker, queueing change: PlanChange?
  ) -> (change: PlanChange?, pass: DigestPass?) {
    switch self {
    case .whenSchemaChanges: (change, nil)
    case .withLoad, .afterLoad: results.beginDigestPass(queueing: change)
    }
  }

  /// Takes digests of the rows that are being loaded.
  ///
  /// Called on the writer, inside the transaction of the load.
  ///
  /// - Parameters:
  ///   - results: The results.
  ///   - pass: What was begun for the load; nil once the digests are taken.
  ///   - db: The writer's connection.
  /// - Throws: What reading throws.
  func takeInside(
    _ results: ResultsTracker, for pass: inout DigestPass?, in db: Database
  ) throws {
    guard case .withLoad = self, let begun = pass.take() else { return }
    var table: DigestTable?
    defer { begun.end(with: table) }
    table = try results.takeDigests(in: db)
    if let table { results.fill(table) }
  }

  /// Takes digests of the rows that were just loaded.
  ///
  /// Called on the writer, outside of a transaction.
  ///
  /// - Parameters:
  ///   - results: The results.
  ///   - pass: What was begun for the load; nil once somebody takes the digests.
  ///   - view: What the load saw, where it is held.
  ///   - isOutdated: Returns whether somebody else has committed since the load.
  func takeAfterwards(
    _ results: ResultsTracker, for pass: inout DigestPass?, seenBy view: HeldView?,
    unless isOutdated: () throws -> Bool
  ) {
    guard case .afterLoad(let pool) = self, let pass = pass.take() else { return }
    // Where others commit all the time, a reader that begins now sees another state than the load.
    if let view, view.isHeld, (try? isOutdated()) != false {
      return view.readLater { db in
        let table = db.flatMap { try? results.takeDigests(in: $0) }
        pass.end(with: table)
        if let table { results.fill(table) }
      }
    }
    let verdict = DigestVerdict()
    // Returns when the reader has its view of the database.
    pool.asyncConcurrentRead { db in
      // Without digests every row counts as changed after a foreign write: nothing is missed.
      let table = try? results.takeDigests(in: db.get())
      guard verdict.awaitIsExact(), let table else { return pass.end(with: nil) }
      pass.end(with: table)
      results.fill(table)
    }
    // Digests of what others have written since the load would hide that they wrote it.
    verdict.give(isExact: (try? isOutdated()) == false)
  }
}

/// Whether a connection sees what a load saw, which is known when it has its view.
private final class DigestVerdict: Sendable {
  // MARK: - Mutable state
  //
  // - `isExact`: guarded by its mutex; set once, before the semaphore is signalled.
  private let isExact = Mutex(false)
  private let semaphore = DispatchSemaphore(value: 0)

  func give(isExact: Bool) {
    self.isExact.withLock { $0 = isExact }
    semaphore.signal()
  }

  func awaitIsExact() -> Bool {
    semaphore.wait()
    return isExact.withLock { $0 }
  }
}
