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

  /// Whether the results must be fetched again with the next transaction, whatever it touches.
  var needsRefetch: Bool { get }

  /// Makes the next transaction fetch the results again.
  func requireRefetch()

  /// Works out what a transaction means for the results, inside of it. Errors are kept for delivery.
  func prepare(_ scope: CommitScope)

  /// Queues what was worked out for delivery: the transaction has committed.
  func publish()

  /// Forgets what was worked out: the transaction was rolled back.
  func discard()
}

/// What a plan depends on, in the form in which commits are compared with it.
struct TrackedPlan: Sendable {
  let itemColumns: [String]
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
  let watch: TableWatch?
  private let notes: TableWatch.Notes?

  init(_ dependency: TrackedDependency, watch: TableWatch?) {
    self.dependency = dependency
    self.watch = watch
    notes = watch?.notes(for: dependency.interest)
  }

  /// The key values of touched rows; empty where nothing that matters was touched.
  var touchedKeys: Set<RowKey> { notes?.touched ?? [] }

  /// Whether rows were touched of which it is not known which ones.
  var hasUnknownKeys: Bool { watch?.hasUnknownKeys ?? false }

  var isTouched: Bool { hasUnknownKeys || notes.map { !$0.touched.isEmpty } ?? false }
}

/// One transaction, from the point of view of one results object.
///
/// Valid inside it only.
struct CommitScope {
  let db: Database
  let dependencies: [ResolvedDependency]
  /// Whether everything that happened since the last commit is known from the recorder.
  let isCertain: Bool

  var isTouched: Bool { dependencies.contains { $0.isTouched } }

  /// Whether rows were touched of which it is not known which items they concern.
  var isEverythingTouched: Bool {
    dependencies.contains {
      $0.hasUnknownKeys || $0.dependency.affected == .everything && $0.isTouched
    }
  }

  /// What the touched rows of the base table were before the transaction.
  func preImages(of columns: [String]) -> PreImages {
    guard let base = dependencies.first(where: { $0.dependency.isBase }), let watch = base.watch
    else { return PreImages(columns: nil, rows: [:]) }
    let positions = columns.map { watch.preImageColumns.firstIndex(of: $0) ?? 0 }
    let isSame = positions == Array(watch.preImageColumns.indices)
    return PreImages(
      columns: isSame ? nil : positions, rows: watch.preImages(by: base.dependency.interest))
  }
}
