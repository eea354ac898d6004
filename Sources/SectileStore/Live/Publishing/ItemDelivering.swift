import GRDB
import SectileCore

/// What a results object knows of the type of its items: how to make them, the ones it remembers,
/// and who hears of them.
protocol ItemDelivering: AnyObject, Sendable {
  /// Where changes are submitted.
  var hub: HubCore { get }
  /// The type of the items.
  var itemType: ObjectIdentifier { get }

  /// Checks that the table has all that the items name.
  ///
  /// - Throws: `schemaMismatch`.
  func checkSchema(in db: Database) throws

  /// Checks that the items' key is one that the table declares.
  ///
  /// - Throws: `schemaMismatch`.
  func checkKey(in db: Database) throws

  /// Returns a place for the items that are read while a change is worked out.
  func makeSink() -> any ItemSink

  /// Returns a change in the terms of its items, boxed for delivery; nil where nobody need hear of
  /// it.
  ///
  /// - Throws: Where a key does not fit the type of the identity.
  func boxedChanges(_ change: PlanChange, _ step: VersionStep) throws -> BoxedChanges?

  /// Returns the changeset in a box as lines of text.
  func text(of changes: BoxedChanges) -> String

  /// Brings the remembered items to the version after a change.
  ///
  /// - Returns: Whether any item is remembered then.
  func remember(_ change: PlanChange) -> Bool

  /// Forgets all remembered items.
  func forgetAll()

  /// Releases items that were forgotten since.
  ///
  /// To be called outside of every lock: what the release of an item runs is not ours.
  func releaseForgotten()

  /// Queues the delivery of a failure.
  func submitFailure(_ error: any Error)

  /// Queues a load without changes: a failure is over.
  func submitRecovery()
}

/// A changeset in the box in which it is delivered, whatever its items are.
typealias BoxedChanges = any AnyObject & Sendable

/// From which version a change leads to which, and what is needed to read the later one.
struct VersionStep: Sendable {
  let source: Int
  /// The version of the base table that the contents after belong to.
  let node: VersionNode
  let batchSize: Int
  /// The rows of the contents after, where a load holds them.
  let view: HeldView?

  var target: Int { source + 1 }
}
