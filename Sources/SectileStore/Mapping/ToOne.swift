/// A relationship to at most one row of another table: columns here hold the primary key there.
public struct ToOne<Target: Entity>: Sendable {
  private let resolve: @Sendable () -> [String]

  /// Creates a relationship through foreign-key columns of this entity's table, in the order of the
  /// target's primary key.
  public init(_ columns: String...) {
    resolve = { columns }
  }

  /// Creates a relationship through the property that holds the target's key.
  ///
  /// ```swift
  /// let artist = ToOne<Artist>(\Track.artistID)
  /// ```
  ///
  /// - Precondition: The property is an attribute of its entity, checked at first use.
  public init<Owner: Entity, Value>(_ property: any KeyPath<Owner, Value> & Sendable) {
    resolve = {
      guard let column = Owner.schema.column(for: property) else {
        preconditionFailure("\(property) is no attribute of \(Owner.self)")
      }
      return [column]
    }
  }

  /// The foreign-key columns, in this entity's table.
  public var columns: [String] { resolve() }

  /// The columns of the target that they hold: its primary key.
  public var targetColumns: [String] { Target.schema.primaryKey }
}
