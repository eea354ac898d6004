extension FetchPlan {
  /// A table that expressions reach through a to-one relationship.
  ///
  /// Rendered as `LEFT JOIN "table" AS "alias" ON "alias"."target" = "source"."column" AND …`.
  public struct Join: Hashable, Sendable {
    /// The joined table.
    public var table: String
    /// The name expressions use for it; unique within the plan.
    public var alias: String
    /// The name of the table or alias that holds the foreign key.
    public var source: String
    /// The foreign-key columns of `source`.
    public var sourceColumns: [String]
    /// The columns of `table` they refer to, in the same order.
    public var targetColumns: [String]

    /// Creates a join.
    public init(
      table: String, alias: String, source: String, sourceColumns: [String], targetColumns: [String]
    ) {
      self.table = table
      self.alias = alias
      self.source = source
      self.sourceColumns = sourceColumns
      self.targetColumns = targetColumns
    }
  }
}
