import GRDB
import SectileCore

/// A results object as the commit center sees it, whatever its items are.
///
/// `prepare`, `publish` and `discard` are called on the writer, once each at most per transaction.
protocol TrackedResults: AnyObject, Sendable {
  var trackedPlan: TrackedPlan { get }
  var hub: any HubFlushing { get }

  /// Whether the results follow commits: from their load until they are cancelled.
  var isTracking: Bool { get }

  /// Whether a transaction has to be worked out: it touched something, or something is open from
  /// before.
  func mayNeedChange(_ scope: CommitScope) -> Bool

  /// Whether the results must be fetched again with the next transaction, whatever it touches.
  var needsRefetch: Bool { get }

  /// Makes the next transaction fetch the results again.
  func requireRefetch()

  /// Remembers a digest of every row, because something is about to happen that the recorder does
  /// not see.
  ///
  /// Errors are left to the next fetch.
  func rememberContents(of base: BaseRows, in db: Database)

  /// Works out what a transaction means for the results, inside of it. Errors are kept for delivery.
  func prepare(_ scope: CommitScope)

  /// Queues what was worked out for delivery: the transaction has committed.
  func publish()

  /// Forgets what was worked out: the transaction was rolled back.
  func discard()
}

/// What a plan depends on, in the form in which commits are compared with it.
struct TrackedPlan: Sendable {
  /// The plan with every table its SQL reads.
  let plan: FetchPlan
  let dependencies: [TrackedDependency]
}

/// A table a plan depends on.
struct TrackedDependency: Sendable {
  let table: String
  /// What the recorder notes of each touched row: no column at all where it matters only that one
  /// was touched.
  let interest: TableWatch.KeyInterest
  let affected: PlanDependency.Affected
  /// Whether the table is the plan's base table.
  let isBase: Bool
}

/// A dependency together with the recorder's notes on its table.
struct ResolvedDependency {
  let dependency: TrackedDependency
  private let watch: TableWatch?
  /// Nil where there is no such table: the base may be a view.
  let notes: RowNotes?

  init(_ dependency: TrackedDependency, watch: TableWatch?, notes: RowNotes?) {
    self.dependency = dependency
    self.watch = watch
    self.notes = notes
  }

  /// Whether rows were touched of which it is not known which ones.
  var hasUnknownKeys: Bool { watch?.hasUnknownKeys ?? false }

  var isTouched: Bool {
    guard let watch, watch.isTouched else { return false }
    return watch.hasUnknownKeys || notes.map { $0.images.count > 0 } ?? false
  }
}

/// What the recorder knows of the rows of a plan's base table.
struct BaseRows {
  /// Nil where the base is a view or a virtual table: nobody sees how its rows change.
  let notes: RowNotes?
  /// Where the item's columns stand in an image.
  let positions: [Int]?

  init(_ dependencies: [ResolvedDependency], itemColumns: [String]) {
    notes = dependencies.first { $0.dependency.isBase }?.notes
    positions = notes.flatMap { notes in
      let positions = itemColumns.compactMap { notes.columns.firstIndex(of: $0) }
      return positions.count == itemColumns.count ? positions : nil
    }
  }

  /// The newest version of the base table.
  var node: VersionNode? { notes?.node }

  /// What the rows were at a version.
  func past(since node: VersionNode) -> RowsBefore {
    guard let notes else { return RowsBefore(later: [.unknown], positions: nil) }
    let (images, newest) = node.laterImages
    return RowsBefore(
      later: newest === notes.node ? images : images + [.unknown], positions: positions)
  }
}

/// One transaction, from the point of view of one results object.
///
/// Valid inside it only.
struct CommitScope {
  let db: Database
  let dependencies: [ResolvedDependency]
  let base: BaseRows
  /// A number that the equal plans of one store share.
  let planNumber: Int
  /// Whether everything that happened since the last commit is known from the recorder.
  let isCertain: Bool
  /// What equal results have worked out in this transaction already.
  let shared: SharedChanges

  var isTouched: Bool { dependencies.contains { $0.isTouched } }

  /// Whether rows were touched of which it is not known which items they concern.
  var isEverythingTouched: Bool {
    dependencies.contains {
      $0.hasUnknownKeys || $0.dependency.affected == .everything && $0.isTouched
    }
  }
}

/// The changes that results of equal plans have in common, for the length of one transaction.
///
/// Results that show the same rows in the same order go through the same change: it is worked out
/// once.
final class SharedChanges {
  struct Key: Hashable {
    let plan: Int
    let item: ObjectIdentifier
  }

  /// What was worked out, be it that nothing changes.
  struct Outcome {
    let change: WorkedOutChange?
  }

  private var outcomes: [Key: Outcome] = [:]

  subscript(key: Key) -> Outcome? {
    get { outcomes[key] }
    set { outcomes[key] = newValue }
  }
}
