import SectileCore
import SectileStore
import SectileTestSupport

/// Live results whose changesets are replayed one by one, and compared with what each of them is to
/// lead to.
final class ReplayedResults {
  typealias Contents = SectionedContents<UntypedRow.ID, UntypedRow>

  let name: String
  let plan: FetchPlan
  let results: SectionedResults<UntypedRow>
  let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
  private let store: Store
  private let fresh: FreshFetch
  /// What the changesets so far add up to.
  private(set) var shown: Contents

  /// Loads results; `name` is what a failure calls them, and `foldedColumns` are those that are
  /// declared NOCASE.
  init(
    _ plan: FetchPlan, in store: Store, name: String = "", foldedColumns: Set<String> = []
  ) throws {
    (self.name, self.plan, self.store) = (name, plan, store)
    fresh = FreshFetch(plan, foldedColumns: foldedColumns)
    results = try store.results(of: plan)
    results.delegate = recorder
    try results.load()
    shown = try results.snapshot.materialized()
    recorder.reset()
  }

  /// What the file holds now, read by SQL alone; nobody looks for commits of others.
  func fetched() throws -> Contents {
    try fresh.contents(of: store, version: results.version)
  }

  /// Returns what is wrong with the changesets since the last call, or nil.
  ///
  /// The states are what there was after each commit, in order; a commit that changed nothing here
  /// is to make no changeset.
  func problem(after states: [Contents]) throws -> String? {
    defer {
      recorder.reset()
      shown = recorder.contents
    }
    if let error = recorder.errors.first { return "\(name): failed with \(error)" }
    if let violation = (recorder.violations + recorder.verify(against: results)).first {
      return "\(name): \(violation)"
    }
    var expected: [Contents] = []
    for state in states where state.sections != (expected.last ?? shown).sections {
      expected.append(state)
    }
    let changesets = recorder.changesets
    guard changesets.count == expected.count else {
      return "\(name): \(changesets.count) changesets for \(expected.count) commits: \(changesets)"
    }
    for (changes, var next) in zip(changesets, expected) {
      next.version = shown.version + 1
      // Where an order is another table's, rows may move whose own values are what they were.
      if plan.joins.isEmpty {
        let direct = Changeset(from: shown, to: next, isEqual: ==)
        if direct.description != changes.description {
          return "\(name): got \(changes), the direct difference is \(direct)"
        }
      }
      try shown.apply(changes)
      guard shown == next else { return "\(name): replayed \(shown), fetched \(next)" }
    }
    return nil
  }

  /// Returns what is wrong after commits that come in one changeset, or nil.
  func problem() throws -> String? { try problem(after: [fetched()]) }
}
