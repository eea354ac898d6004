import SectileCore

/// Works out how one plan's contents change, from rows read in the committing transaction.
///
/// Changes nothing itself.
///
/// There are two ways. *Incremental* reads the touched rows and finds their places among the rest:
/// O(c · log n) for c touched rows of n. *Rebuilding* reads everything and compares: O(n), with a
/// far smaller factor. Both end in the same ``ChangesetBuilder`` and yield the same changeset.
struct ContentsMaintainer<Item: Identifiable & Sendable> where Item.ID: EntityKey {
  typealias Transition = RowTransition<Item.ID, Item>

  let reader: PlanReader
  let format: RowFormat<Item>
  /// The contents before, and their version.
  let base: PlanContents
  let baseVersion: Int
  /// The version of the database the contents after belong to.
  let node: VersionNode
  let makeSnapshot: (PlanContents, Int, VersionNode) -> ResultsSnapshot<Item>

  var keepsEmptySections: Bool { reader.queries.plan.section?.fixedSections != nil }

  func id(of key: RowKey) throws -> Item.ID { try Item.ID(keyValues: key.values) }

  /// Throws where a key does not fit the type of the identity.
  ///
  /// Most keys are integers of 64 bits, and need not be made to know that they could be.
  func checkID(of key: RowKey) throws {
    if case .integer = key, Item.ID.self == Int64.self || Item.ID.self == Int.self { return }
    _ = try id(of: key)
  }

  /// Wraps up a change; nil where nothing changed.
  func finish(
    _ contents: PreparedChange<Item>.Contents, _ changes: Changeset<Item.ID, Item>,
    items: [RowKey: Item?]
  ) -> PreparedChange<Item>? {
    PreparedChange(contents: contents, changes: changes, node: node, items: items)
  }
}

/// When rebuilding is cheaper than looking up each touched row.
///
/// Reading and placing one row costs some twenty probes, about as much as reading forty rows in
/// order; measured on a million rows, the two meet between two and four percent.
enum MaintenanceCost {
  static let rebuildFraction = 0.03
  /// Below this many touched rows, lists are too short for a difference to matter.
  static let alwaysIncremental = 48

  static func prefersRebuild(touched: Int, of count: Int) -> Bool {
    if InternalChecks.isOn { return touched > InternalChecks.alwaysIncremental }
    return touched > alwaysIncremental && Double(touched) > Double(count) * rebuildFraction
  }
}
