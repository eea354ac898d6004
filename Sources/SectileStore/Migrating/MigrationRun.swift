internal import GRDB
internal import Synchronization

/// The files that one call of ``Migrator/apply(to:through:didApply:)`` has still to apply.
///
/// Files and ledger are compared once, and again where the newest row of the ledger is another one
/// than this run left: another process has applied files meanwhile.
final class MigrationRun: Sendable {
  private struct State {
    var pending: ArraySlice<Migration> = []
    var newestVersion: Int64?
    var planCount = 0
  }

  private let files: [Migration]
  private let target: Int64?
  // Guarded by the mutex.
  private let state = Mutex(State())

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - files: The migrations in the order of their versions.
  ///   - target: The version of the last file to apply; nil for all of them.
  init(_ files: [Migration], through target: Int64?) {
    self.files = files
    self.target = target
  }

  /// How often files and ledger were compared.
  var planCount: Int { state.withLock { $0.planCount } }

  /// Returns the file to apply next; nil if none is left.
  ///
  /// - Precondition: Called inside a transaction that locks others out.
  /// - Throws: What stands in the way; what reading throws.
  func next(on db: Database) throws -> Migration? {
    let newest = try Ledger.newestVersion(on: db)
    return try state.withLock { state in
      if state.planCount == 0 || newest != state.newestVersion {
        let plan = MigrationPlan(files: files, applied: try Ledger.read(on: db))
        state.planCount += 1
        if let problem = plan.problems.first { throw problem }
        state.pending = plan.pending(through: target)
        state.newestVersion = newest
      }
      return state.pending.first
    }
  }

  /// Takes note that a file was applied and committed.
  func didApply(_ migration: Migration) {
    state.withLock { state in
      state.pending = state.pending.dropFirst()
      state.newestVersion = migration.version
    }
  }
}
