import GRDB
import SectileCore

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
final class ResolvedDependency {
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
    guard let notes, let positions else { return .unknown }
    return notes.past(since: node, positions: positions)
  }
}

/// What is known of a plan that is followed.
final class PlanRegistration {
  /// Whose plan it is; nil until it is registered, and where the results are gone.
  weak var results: ResultsTracker?
  let dependencies: [ResolvedDependency]
  let base: BaseRows
  /// What the filter says of touched rows; nil where only SQLite can tell.
  let rowFilter: RowFilter?
  /// A number that the equal plans of one store share.
  let planNumber: Int
  /// The plan's statements on the writing connection.
  let statements = HeldStatements()
  /// What is known of the order of the plan's rows.
  let prefixes = SortPrefixes()

  init(
    dependencies: [ResolvedDependency], base: BaseRows, rowFilter: RowFilter?, planNumber: Int
  ) {
    self.dependencies = dependencies
    self.base = base
    self.rowFilter = rowFilter
    self.planNumber = planNumber
  }

  var isTouched: Bool { dependencies.contains { $0.isTouched } }

  /// Whether the base table is the only one that was touched, and it is known which rows were.
  var isBaseAloneTouched: Bool {
    dependencies.allSatisfy { $0.dependency.isBase ? !$0.hasUnknownKeys : !$0.isTouched }
  }

  /// Whether rows were touched of which it is not known which items they concern.
  var isEverythingTouched: Bool {
    dependencies.contains {
      $0.hasUnknownKeys || $0.dependency.affected == .everything && $0.isTouched
    }
  }
}

/// One transaction, from the point of view of one results object.
///
/// Valid inside it only.
struct CommitScope {
  /// Whether the transaction touched a row that the plan depends on.
  let isTouched: Bool
  /// Whether everything that happened since the last commit is known from the recorder.
  let isCertain: Bool
  /// Whether the rows that it touched are none that the plan wants.
  let isRuledOut: Bool
  /// What equal results have worked out in this transaction already; nil where nobody else follows.
  let shared: SharedChanges?
}

/// The changes that results of equal plans have in common, for the length of one transaction.
///
/// Results that show the same rows in the same order go through the same change: it is worked out
/// once, and where they are at the same version it is put into the terms of the items once.
final class SharedChanges {
  /// What was worked out, be it that nothing changes.
  final class Outcome {
    let planNumber: Int
    let itemType: ObjectIdentifier
    let change: PlanChange?
    /// The change in the terms of its items, and the version it leads from.
    var boxed: (changes: BoxedChanges?, source: Int)?

    init(planNumber: Int, itemType: ObjectIdentifier, change: PlanChange?) {
      self.planNumber = planNumber
      self.itemType = itemType
      self.change = change
    }
  }

  // Few plans are touched by one transaction, and most transactions touch one.
  private var outcomes: [Outcome] = []

  /// What results of a plan and a type of items have worked out.
  func outcome(_ planNumber: Int, _ itemType: ObjectIdentifier) -> Outcome? {
    outcomes.first { $0.planNumber == planNumber && $0.itemType == itemType }
  }

  /// Takes note of what was worked out.
  func add(_ outcome: Outcome) { outcomes.append(outcome) }
}
