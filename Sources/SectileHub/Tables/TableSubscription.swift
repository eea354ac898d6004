/// A table of the hub that a replica wants: all of it, some of its columns, some of its rows.
///
/// ```swift
/// let tables: [TableSubscription] = [
///   "depot",
///   TableSubscription("parcel", columns: ["id", "depot", "state"], where: "depot = 7"),
/// ]
/// ```
public struct TableSubscription: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The table's name, on the hub and in the replica; `schema.table` where it is in another schema
  /// than the usual one.
  public var name: String
  /// Which columns, those of the primary key among them; nil for all.
  public var columns: [String]?
  /// Which rows: a condition in the hub's SQL; nil for all.
  public var condition: String?

  /// Creates a subscription.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - columns: Which columns, those of the primary key among them; nil for all.
  ///   - condition: Which rows, in the hub's SQL: on PostgreSQL an expression over columns of the
  ///     table's replica identity. A row that comes to meet it is inserted in the replica, and one
  ///     that does not any more is deleted.
  public init(_ name: String, columns: [String]? = nil, where condition: String? = nil) {
    (self.name, self.columns, self.condition) = (name, columns, condition)
  }

  /// Creates a subscription to a whole table.
  public init(stringLiteral name: String) { self.init(name) }
}
