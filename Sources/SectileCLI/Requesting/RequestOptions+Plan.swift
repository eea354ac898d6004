internal import Sectile

extension RequestOptions {
  /// Returns the request as the engine runs it.
  ///
  /// - Parameters:
  ///   - store: The store whose schema decides about columns and key.
  ///   - names: The columns of an item; none for all.
  ///   - aggregates: What is worked out from the rows.
  /// - Returns: The plan.
  /// - Throws: ``CommandFailure`` for a table or column that is not there, and for a table whose rows
  ///   nothing tells apart; ``StoreError``.
  func plan(
    for store: Store, columns names: [String] = [], aggregates: [AggregateArgument] = []
  ) throws -> FetchPlan {
    let shape = try store.read {
      try TableShape(of: table, in: store.path ?? "the store", on: $0)
    }
    var plan = try plan(of: shape, key: keyColumns(of: shape), columns: columns(names, of: shape))
    plan.aggregates = try aggregates.map { try $0.aggregate(of: shape) }
    return plan
  }

  /// Returns the request as a plan over columns that are known.
  ///
  /// - Parameters:
  ///   - shape: What the schema says about the table.
  ///   - key: The columns that tell rows apart; none for a plan that is only read.
  ///   - columns: The columns of an item.
  /// - Returns: The plan.
  func plan(of shape: TableShape, key: [String], columns: [String]) -> FetchPlan {
    var plan = FetchPlan(table: shape.name, keyColumns: key, itemColumns: columns)
    plan.filter = filter.map { SQLFragment($0).inParentheses }
    plan.section = sectionBy.map {
      PlanSection(identity: term(SortTerm(argument: $0), or: $0, in: plan, of: shape))
    }
    plan.sort = sorts.map { term($0, or: $0.expression, in: plan, of: shape) }
    plan.limit = limit
    return plan
  }

  /// Returns the columns that were named, as the schema writes them, or all of them.
  ///
  /// - Throws: ``CommandFailure`` for a column that is not there.
  func columns(_ names: [String], of shape: TableShape) throws -> [String] {
    if names.isEmpty { return shape.columns }
    return try names.map { name in
      if let column = shape.column(named: name) { return column }
      throw missingColumn(name, in: shape)
    }
  }

  private func missingColumn(_ name: String, in shape: TableShape) -> CommandFailure {
    CommandFailure(
      .data, "\(shape.name) has no column '\(name)'",
      hint: "Its columns are: \(shape.columns.joined(separator: ", ")).")
  }

  /// Returns the columns that were named as the key; else those of the schema; maybe none.
  ///
  /// - Throws: ``CommandFailure`` for a column that is not there.
  func namedKey(of shape: TableShape) throws -> [String] {
    let named = try keys.map { key in
      if let column = shape.column(named: key) { return column }
      if TableSchema.namesOfRowIDs.contains(key.lowercased()) && !shape.isView { return key }
      throw missingColumn(key, in: shape)
    }
    return named.isEmpty ? shape.keyColumns : named
  }

  /// The columns that tell rows apart: those that were named, else those of the schema.
  private func keyColumns(of shape: TableShape) throws -> [String] {
    let key = try namedKey(of: shape)
    guard key.isEmpty else { return key }
    throw CommandFailure(
      .data, "\(shape.name) declares no primary key, so its rows cannot be told apart",
      hint: "Name the columns that do with --key"
        + (shape.isView ? "." : "; --key rowid holds until the file is vacuumed."))
  }

  private func term(
    _ term: SortTerm?, or expression: String, in plan: FetchPlan, of shape: TableShape
  ) -> PlanSortTerm {
    guard let term else { return PlanSortTerm(expression: Self.safe(expression)) }
    let collation = term.collation.map { TextCollation(named: $0) }
    if let column = shape.column(named: term.expression) {
      return plan.term(
        column, isDescending: term.isDescending, nulls: term.nullOrder, collation: collation)
    }
    return PlanSortTerm(
      expression: Self.safe(term.expression), isDescending: term.isDescending,
      nullOrder: term.nullOrder, collation: collation)
  }

  /// An expression that keeps to its place.
  ///
  /// A number alone would be the position of a column.
  private static func safe(_ expression: String) -> SQLFragment {
    Int(expression) == nil
      ? SQLFragment(expression).inParentheses : SQLFragment("(SELECT \(expression))")
  }
}

extension TableShape {
  /// Returns the name of a column as the schema writes it; nil where there is none.
  func column(named name: String) -> String? {
    columnsInLowerCase[name.lowercased()]
  }
}
