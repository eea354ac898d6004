extension FetchPlan {
  /// Creates a plan from names and SQL, for tables that no Swift type describes.
  ///
  /// ```swift
  /// FetchPlan(
  ///   table: "package", keyColumns: ["id"], itemColumns: ["id", "name", "size"],
  ///   where: SQLFragment("size > ?", [1024]),
  ///   sectionedBy: SQLFragment("upper(substr(name, 1, 1))"),
  ///   orderedBy: [SortTerm(expression: SQLFragment("name"))])
  /// ```
  ///
  /// - Parameters:
  ///   - table: The table or view; its name is quoted, the SQL of the other parts is not.
  ///   - keyColumns: The columns of the primary key.
  ///   - itemColumns: The columns an item is made of.
  ///   - filter: Which rows are wanted.
  ///   - section: What rows are grouped by.
  ///   - sort: What rows are ordered by inside a section.
  ///   - tables: The other tables the SQL reads.
  public init(
    table: String, keyColumns: [String], itemColumns: [String], where filter: SQLFragment?,
    sectionedBy section: SQLFragment? = nil, orderedBy sort: [SortTerm] = [],
    dependsOn tables: [String] = []
  ) {
    self.init(table: table, keyColumns: keyColumns, itemColumns: itemColumns)
    self.filter = filter
    self.section = section.map { Section(identity: SortTerm(expression: $0)) }
    self.sort = sort
    dependencies = tables.map {
      Dependency(table: $0, keyColumns: [], affected: .everything)
    }
  }

  /// Returns a term that sorts by a column of the plan's table or query.
  public func term(
    _ column: String, isDescending: Bool = false, nulls: NullOrder? = nil,
    collation: TextCollation? = nil
  ) -> SortTerm {
    SortTerm(
      expression: qualified(column), isDescending: isDescending, nullOrder: nulls,
      collation: collation, column: storedTable.map { Column(table: $0, name: column) })
  }
}
