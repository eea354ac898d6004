import SectileCore

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
  var isSilent: Bool { boxed == nil }

  /// Returns the change at another version of the base table, or with other contents.
  func with(_ change: PlanChange, at node: VersionNode) -> PendingChange {
    PendingChange(
      change, boxed: boxed, targetVersion: targetVersion, node: node, number: number, place: place)
  }
}
