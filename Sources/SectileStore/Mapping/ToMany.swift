/// A relationship to rows of another table: columns there hold the primary key here.
public struct ToMany<Target: Entity>: Sendable {
  private let resolve: @Sendable () -> [String]

  /// Creates a relationship through foreign-key columns of the target's table, in the order of this
  /// entity's primary key.
  public init(_ columns: String...) {
    resolve = { columns }
  }

  /// Creates a relationship through the target's property that holds this entity's key.
  ///
  /// ```swift
  /// let tracks = ToMany<Track>(\.artistID)
  /// ```
  ///
  /// - Precondition: The property is an attribute of the target, checked at first use.
  public init<Value>(_ property: any KeyPath<Target, Value> & Sendable) {
    resolve = {
      guard let column = Target.schema.column(for: property) else {
        preconditionFailure("\(property) is no attribute of \(Target.self)")
      }
      return [column]
    }
  }

  /// The foreign-key columns, in the target's table.
  public var targetColumns: [String] { resolve() }
}
