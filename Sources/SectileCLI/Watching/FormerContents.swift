internal import Sectile

/// What a watch told before a new schema made the contents begin anew, to be compared with these.
///
/// Rows are known by their key, and whether one has changed by digests of its columns of then: the
/// values themselves are gone. So the results of then are followed on beside the new ones, as long
/// as their columns are there.
///
/// ```text
///   told ──── followed on, unheard ────▶ of the state of ─┐
///     │                                                   ├─ one look, one state of the file
///     │       begun anew ──── loaded ──▶ of the state of ─┘
///     └───────────────── difference ───▶
/// ```
struct FormerContents {
  private let results: WatchedResults
  private let told: ResultsSnapshot<UntypedRow>

  /// Takes results over: nobody hears of their changes from now on.
  init(_ results: WatchedResults) {
    results.delegate = nil
    self.results = results
    told = results.snapshot
  }

  /// Returns how contents that were loaded since differ from those that were told.
  ///
  /// Columns that are new are not compared. Where one of then is gone, so is what the others held:
  /// each row that is in both is an update.
  ///
  /// - Parameter contents: The new contents, of the same state of the file as what is followed on.
  /// - Returns: The difference by key, from version zero on; empty where there is none.
  /// - Complexity: O(*n* log *n*) for *n* rows in both.
  func changes(to contents: WatchedResults) -> WatchedChanges {
    let changed = changedRows
    let snapshot = contents.snapshot
    let changes = snapshot.changes(since: told) { _, path in
      changed.map { !$0.contains(IdentityKey(snapshot.id(at: path))) } ?? false
    }
    return WatchedChanges(
      sourceVersion: 0, targetVersion: changes.targetVersion,
      contentsUpdate: changes.contentsUpdate, sectionDeletes: Array(changes.sectionDeletes),
      sectionInserts: changes.sectionInserts, sectionMoves: Array(changes.sectionMoves),
      sectionUpdates: Array(changes.sectionUpdates), deletes: Array(changes.deletes),
      inserts: changes.inserts, moves: Array(changes.moves), updates: Array(changes.updates))
  }

  /// Stops following.
  func cancel() { results.cancel() }

  /// The rows that were written since and hold other values in the columns of then; nil where these
  /// cannot be read any more.
  private var changedRows: Set<IdentityKey<UntypedRow.ID>>? {
    if results.failure != nil { return nil }
    let changes = results.snapshot.changes(since: told)
    let ids = changes.updates.map(\.id) + changes.moves.filter(\.isContentChanged).map(\.id)
    return Set(ids.map { IdentityKey($0) })
  }
}
