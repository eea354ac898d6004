import SectileCore

/// What a results object knows of the type of its items: how to make them, the ones it remembers,
/// and who hears of them.
protocol ItemDelivering: AnyObject, Sendable {
  var hub: any HubFlushing { get }
  /// The type of the items.
  var itemType: ObjectIdentifier { get }

  /// Returns a place for the items that are read while a change is worked out.
  func makeSink() -> any ItemSink

  /// Returns a change in the terms of its items.
  ///
  /// - Throws: Where a key does not fit the type of the identity.
  func typedChange(_ worked: WorkedOutChange, _ step: VersionStep) throws -> any TypedChange

  /// Brings the remembered items to the version after a change.
  func remember(_ change: any TypedChange)

  /// Queues the delivery of the oldest pending change.
  func submitCommit()

  /// Queues the delivery of a failure.
  func submitFailure(_ error: any Error)
}

/// A changeset, whatever its items are.
protocol TypedChange: AnyObject, Sendable {
  /// The changeset as lines of text.
  var text: String { get }
}

/// From which version a change leads to which, and what is needed to read the later one.
struct VersionStep: Sendable {
  let source: Int
  /// The version of the base table that the contents after belong to.
  let node: VersionNode
  let batchSize: Int

  var target: Int { source + 1 }
}

/// A change worked out before the commit, to be carried out when its turn of delivery comes.
final class PreparedChange: Sendable {
  let change: PlanChange
  let typed: any TypedChange
  let targetVersion: Int
  /// The version of the base table that the contents after belong to.
  let node: VersionNode

  /// Whether nobody need hear of it.
  let isQuiet: Bool

  init(
    change: PlanChange, typed: any TypedChange, targetVersion: Int, node: VersionNode,
    isQuiet: Bool
  ) {
    self.change = change
    self.typed = typed
    self.targetVersion = targetVersion
    self.node = node
    self.isQuiet = isQuiet
  }

  /// Returns the change at another version of the base table, or with other contents.
  func with(_ change: PlanChange, at node: VersionNode) -> PreparedChange {
    PreparedChange(
      change: change, typed: typed, targetVersion: targetVersion, node: node, isQuiet: isQuiet)
  }
}
