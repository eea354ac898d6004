public import SectileCore

/// A table as the hub describes it and a replica has it.
public struct SyncedTable: Hashable, Sendable, Codable {
  /// A column.
  public struct Column: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// What it holds.
    public var type: HubType
    /// Whether it may be NULL.
    public var isNullable: Bool

    /// For a `numeric` that is INTEGER in the replica: how many digits of the number are behind the
    /// point; nil for all else.
    public var scale: Int?

    /// Creates a column.
    public init(_ name: String, _ type: HubType, isNullable: Bool = false, scale: Int? = nil) {
      (self.name, self.type, self.isNullable, self.scale) = (name, type, isNullable, scale)
    }
  }

  /// The column in which the hub counts the changes of a row, so that writers can say which state
  /// they saw.
  public static let revisionColumn = "sectile_rev"

  /// The table's name in the replica, and in subscriptions.
  public var name: String
  /// Its columns, in the order of ``HubChange``'s rows.
  public var columns: [Column]
  /// The columns of its primary key, in order; never empty.
  public var key: [String]
  /// Which rows the replica has, in the hub's SQL; nil for all.
  public var condition: String?

  /// Creates a table.
  public init(name: String, columns: [Column], key: [String], condition: String? = nil) {
    (self.name, self.columns, self.key, self.condition) = (name, columns, key, condition)
  }

  /// Where the columns of the key stand among ``columns``.
  public var keyPositions: [Int] {
    key.compactMap { name in columns.firstIndex { $0.name == name } }
  }

  /// The values of a row's key.
  public func key(of row: [StoredValue]) -> [StoredValue] { keyPositions.map { row[$0] } }
}
