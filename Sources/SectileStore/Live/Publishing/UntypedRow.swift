public import SectileCore

/// A row of a plan, for tables that no Swift type describes: its key, and its columns as they are
/// stored.
///
/// ```swift
/// let results = try store.results(of: plan)
/// try results.item(at: ItemPath(section: 0, item: 0)).row["name"]  // .text("sed")
/// ```
public struct UntypedRow: Identifiable, Hashable, Sendable {
  /// The identity of a row: the values of the plan's key columns.
  public struct ID: EntityKey {
    /// The values, in the order of the plan's key columns.
    public let keyValues: [StoredValue]

    /// Creates an identity from the values of the key columns.
    public init(keyValues: [StoredValue]) {
      self.keyValues = keyValues
    }
  }

  /// The row's identity.
  public let id: ID
  /// The plan's item columns.
  public let row: StoredRow
  /// The columns that hold text which is not UTF-8; ``row`` has the bytes of each as a blob.
  ///
  /// A blob of the same bytes is another value, and a change from one to the other is told.
  public let invalidTextColumns: Set<String>

  /// Creates an item.
  public init(id: ID, row: StoredRow, invalidTextColumns: Set<String> = []) {
    self.id = id
    self.row = row
    self.invalidTextColumns = invalidTextColumns
  }
}

extension FetchPlan {
  /// Returns the plan with its key columns among its item columns.
  ///
  /// - Throws: `invalidRequest` for a plan that makes no sense.
  func readyForItems() throws(StoreError) -> FetchPlan {
    var plan = self
    for column in keyColumns + aggregates.compactMap(\.function.column)
    where !plan.itemColumns.contains(column) {
      plan.itemColumns.append(column)
    }
    try plan.validate()
    return plan
  }
}

extension UntypedRow.ID: CustomStringConvertible {
  /// The value of the key, or the values of a composite key in parentheses.
  public var description: String {
    let values = keyValues.map(\.description).joined(separator: ", ")
    return keyValues.count == 1 ? values : "(\(values))"
  }
}

extension UntypedRow: Encodable {
  /// Encodes the item's row: an object with its columns' names, and values as ``StoredValue``
  /// encodes itself.
  ///
  /// Text that is not UTF-8 is written as `{"$text":"ff"}`, its bytes in hexadecimal.
  public func encode(to encoder: any Encoder) throws {
    try row.encode(to: encoder, invalidText: invalidTextColumns)
  }
}

extension UntypedRow.ID: Encodable {
  /// Encodes the values of the key's columns as an array.
  public func encode(to encoder: any Encoder) throws { try keyValues.encode(to: encoder) }
}
