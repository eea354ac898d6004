/// A table of the hub that a replica wants: all of it, some of its columns, some of its rows.
///
/// ```swift
/// let tables: [TableSubscription] = [
///   "depot",
///   TableSubscription("parcel", columns: ["id", "depot", "state"], where: "depot = 7"),
/// ]
/// ```
public struct TableSubscription: Hashable, Sendable, ExpressibleByStringLiteral {
  /// How a replica has a column that is `numeric` at the hub.
  public enum NumericForm: Hashable, Sendable {
    /// TEXT with all digits, which does not sort as numbers do.
    case text
    /// INTEGER: the number of units of which ten to the power of the scale are one, so that `12.30`
    /// is 1230 with the scale 2. It sorts and adds up, and the column encoding
    /// `.decimal(scale:)` reads and writes it. A value with more digits behind the point, or more
    /// than 64 bits, is withheld.
    case decimal(scale: Int)
    /// REAL, the nearest binary number; NaN is withheld.
    case real
  }

  /// The table's name, on the hub and in the replica; `schema.table` where it is in another schema
  /// than the usual one.
  public var name: String
  /// Which columns, those of the primary key among them; nil for all.
  public var columns: [String]?
  /// Which rows: a condition in the hub's SQL; nil for all.
  public var condition: String?

  /// How columns are had that are `numeric` at the hub, by their names; the others are TEXT, and so
  /// are those of the key.
  ///
  /// ```swift
  /// var invoice = TableSubscription("invoice")
  /// invoice.numericForms = ["total": .decimal(scale: 2), "rate": .real]
  /// ```
  ///
  /// A write gives such a column an INTEGER of the same units.
  public var numericForms: [String: NumericForm] = [:]
  /// Whether columns are left out that replicas cannot have, where ``columns`` is nil; otherwise
  /// the table is refused.
  public var omitsUnsupportedColumns = false

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
