import SectileCore

/// What a transaction comes to for one results object, until it has ended.
struct PendingCommit {
  let results: ResultsTracker
  /// The epoch of the results; what belongs to an earlier one is dropped.
  let epoch: Int
  /// Nil once it was handed on: to copy it is to retain all that it refers to.
  var outcome: Outcome?

  enum Outcome {
    case change(PendingChange)
    /// The contents are the same at a newer version of the base table.
    case unchanged(VersionNode)
    /// The contents are not there yet: the load that is under way reads them.
    case unread
    case failure(any Error)
  }
}

/// A place in the change log, which all changes of a commit share: each of them is moved about, and
/// a place is larger than all the rest.
final class SharedPlace: Sendable {
  let value: LogPlace

  init(_ value: LogPlace) { self.value = value }
}

/// A change of one results object that was worked out, and is carried out when its turn of delivery
/// comes.
struct PendingChange: Sendable {
  let change: PlanChange
  /// What is delivered; nil where nobody need hear of it.
  let boxed: BoxedChanges?
  let targetVersion: Int
  /// The version of the base table that the contents after belong to.
  let node: VersionNode
  /// The number of the contents after.
  let number: Int
  /// A place in the change log up to which everything is in the contents before; nil where that is
  /// not known.
  var place: SharedPlace?

  init(
    _ change: PlanChange, boxed: BoxedChanges?, targetVersion: Int, node: VersionNode, number: Int,
    place: SharedPlace? = nil
  ) {
    self.change = change
    self.boxed = boxed
    self.targetVersion = targetVersion
    self.node = node
    self.number = number
    self.place = place
  }

  /// Whether nobody need hear of it.
  var isQuiet: Bool { boxed == nil }

  /// Returns the change at another version of the base table, or with other contents.
  func with(_ change: PlanChange, at node: VersionNode) -> PendingChange {
    PendingChange(
      change, boxed: boxed, targetVersion: targetVersion, node: node, number: number, place: place)
  }
}

/// The contents that a change is worked out from, but for the rows themselves.
struct Baseline: ~Copyable {
  let version: Int
  let node: VersionNode
  let batchSize: Int
  let epoch: Int
  let needsRefetch: Bool
  let queries: PlanQueries?
  /// The number of the contents.
  let number: Int
  /// The number of the contents after the change.
  let nextNumber: Int

  init(_ state: inout ResultsTracker.State) {
    version = state.latestVersion
    node = state.latestNode
    batchSize = state.batchSize
    epoch = state.epoch
    needsRefetch = state.needsRefetch
    queries = state.queries
    number = state.number
    nextNumber = state.nextNumber()
  }
}
