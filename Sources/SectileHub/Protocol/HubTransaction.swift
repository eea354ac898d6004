public import FoundationEssentials
public import SectileCore

/// A transaction that was committed at the hub, whole.
public struct HubTransaction: Sendable {
  /// Where it ends in the hub's log: a replica that has applied it stands here.
  public var position: HubPosition
  /// When the hub committed it, by the hub's clock.
  public var committedAt: Date?
  /// What it changed in tables that the replica has, in order.
  public var changes: [HubChange]
  /// What it says beside rows.
  public var controlRecords: HubControlRecords

  /// Creates a transaction.
  public init(
    position: HubPosition, committedAt: Date? = nil, changes: [HubChange] = [],
    controlRecords: HubControlRecords = HubControlRecords()
  ) {
    (self.position, self.committedAt) = (position, committedAt)
    (self.changes, self.controlRecords) = (changes, controlRecords)
  }
}

/// A change of rows in a transaction of the hub.
///
/// Rows have a value for each of the table's columns, in their order.
public enum HubChange: Hashable, Sendable {
  /// A row came to be, or came to meet the table's condition.
  case insert(table: String, row: [StoredValue])
  /// A row was changed.
  ///
  /// - `key`: The key before, where it is another than in `row`.
  /// - `row`: The values after; nil for a large value that was not changed, and that the hub does
  ///   not tell again.
  case update(table: String, key: [StoredValue]?, row: [StoredValue?])
  /// A row went away, or does not meet the table's condition any more.
  case delete(table: String, key: [StoredValue])
  /// All rows of a table went away.
  case truncate(table: String)

  /// The table's name.
  public var table: String {
    switch self {
    case .insert(let table, _), .update(let table, _, _), .delete(let table, _),
      .truncate(let table):
      table
    }
  }
}

/// What a transaction of the hub says beside the rows of tables.
public struct HubControlRecords: Hashable, Sendable {
  /// Mutations that it performed or rejected.
  public var outcomes: [MutationReceipt]
  /// The last sign of life among them.
  public var heartbeat: HubHeartbeat?
  /// Which versions of the schema the hub supports from here on.
  public var schemaVersions: ClosedRange<Int>?
  /// Which values are NULL in the transaction's rows because replicas cannot have what the hub has.
  public var withheld: [WithheldValue]

  /// Creates records.
  public init(
    outcomes: [MutationReceipt] = [], heartbeat: HubHeartbeat? = nil,
    schemaVersions: ClosedRange<Int>? = nil, withheld: [WithheldValue] = []
  ) {
    (self.outcomes, self.heartbeat, self.schemaVersions) = (outcomes, heartbeat, schemaVersions)
    self.withheld = withheld
  }

  /// Whether nothing is said.
  public var isEmpty: Bool {
    outcomes.isEmpty && heartbeat == nil && schemaVersions == nil && withheld.isEmpty
  }
}

/// That rows of a replica have NULL in a column where the hub has a value that replicas cannot
/// have.
public struct WithheldValue: Hashable, Sendable {
  /// The table's name.
  public var table: String
  /// The column's name.
  public var column: String
  /// What is wrong with the value, in words that do not hold it.
  public var reason: String

  /// Creates one.
  public init(table: String, column: String, reason: String) {
    (self.table, self.column, self.reason) = (table, column, reason)
  }
}

/// A sign of life that the hub committed.
public struct HubHeartbeat: Hashable, Sendable {
  /// When, by the hub's clock.
  public var date: Date
  /// A text that no other heartbeat has, without colons.
  ///
  /// A hub that does not know it has lost commits since.
  public var mark: String

  /// Creates a heartbeat.
  public init(date: Date, mark: String) { (self.date, self.mark) = (date, mark) }
}
