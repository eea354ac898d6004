package import Sectile

extension TableRequest {
  /// Returns the request as the engine runs it.
  ///
  /// - Parameters:
  ///   - store: The store whose schema decides about columns and key.
  ///   - substitute: What rows are told apart by where the schema declares no key.
  /// - Returns: The plan.
  /// - Throws: ``RequestError`` for a table or column that is not there, and for a table or query
  ///   whose rows nothing tells apart; `StoreError`, also for SQL of a query that SQLite refuses.
  package func plan(
    in store: Store, withoutKey substitute: KeySubstitute = .none
  ) throws -> FetchPlan {
    let shape = try store.read {
      try self.shape(
        in: store.path ?? "the store", on: $0, looksIntoText: substitute.looksIntoText)
    }
    if let limit, limit < 0 {
      throw RequestError(
        .badLimit, "the limit is \(limit)", hint: "A limit is a number of rows: 0 or more.",
        of: shape)
    }
    for sort in sorts { try sort.refuseSeveralTerms() }
    var plan = try plan(
      of: shape, query?.makeSelect(), key: keyColumns(of: shape, or: substitute),
      columns: shape.columns(named: columns))
    plan.aggregates = try aggregates.map { try $0.aggregate(of: shape) }
    return plan
  }

  /// Returns the request as a plan over columns that are known; its aggregates are left out.
  ///
  /// - Parameters:
  ///   - shape: What the schema says about the table, or SQLite about the query.
  ///   - select: The query as plans have it; nil for a table.
  ///   - key: The columns that tell rows apart; none for a plan that is only read.
  ///   - columns: The columns of an item.
  /// - Returns: The plan.
  package func plan(
    of shape: TableShape, _ select: SQLFragment?, key: [String], columns: [String]
  ) -> FetchPlan {
    var plan =
      select.map {
        FetchPlan(query: $0, named: shape.name, keyColumns: key, itemColumns: columns)
      } ?? FetchPlan(table: shape.name, keyColumns: key, itemColumns: columns)
    plan.filter = filter.map { SQLFragment($0).inParentheses }
    plan.section = sectionBy.map {
      FetchPlan.Section(identity: term(SortArgument(argument: $0), or: $0, in: plan, of: shape))
    }
    plan.sort = sorts.map { term($0, or: $0.expression, in: plan, of: shape) }
    plan.limit = limit
    return plan
  }

  /// Returns the columns that were named as the key, each once; else those of the schema; maybe
  /// none.
  ///
  /// - Throws: ``RequestError`` for a column that is not there.
  package func namedKey(of shape: TableShape) throws(RequestError) -> [String] {
    var named: [String] = []
    for key in keys {
      let isRowID =
        TableSchema.namesOfRowIDs.contains(key.lowercased()) && !shape.isView && !shape.isQuery
      guard let name = shape.column(named: key) ?? (isRowID ? key.lowercased() : nil) else {
        throw shape.missing(column: key)
      }
      // A column that is named twice tells no more rows apart.
      if !named.contains(name) { named.append(name) }
    }
    return named.isEmpty ? shape.keyColumns : named
  }

  /// The columns that tell rows apart: those that were named, else those of the schema, else what
  /// will do instead.
  private func keyColumns(
    of shape: TableShape, or substitute: KeySubstitute
  ) throws(RequestError) -> [String] {
    let key = try namedKey(of: shape)
    guard key.isEmpty else { return key }
    if substitute != .none, let rowID = shape.rowIDName { return [rowID] }
    let hasPlaces =
      switch substitute {
      case .none: false
      case .rowIDsAndPlacesOfViews: shape.isView
      case .rowIDsAndPlaces, .rowIDsAndPlacesAlone: shape.isView || shape.isQuery
      }
    if hasPlaces { return [FetchPlan.placeColumn] }
    throw RequestError(
      .noKey, shape.reasonAgainstKey,
      hint: "Name the columns that do as the request's key"
        + (shape.rowIDName.map { "; \($0) holds until the file is vacuumed." } ?? ".")
        + (shape.isQuery ? " " + shape.columnList : ""), of: shape)
  }

  private func term(
    _ term: SortArgument?, or expression: String, in plan: FetchPlan, of shape: TableShape
  ) -> FetchPlan.SortTerm {
    guard let term else { return FetchPlan.SortTerm(expression: Self.safe(expression)) }
    let collation = term.collation.map { TextCollation(named: $0) }
    if let column = shape.column(named: term.expression) {
      return plan.term(
        column, isDescending: term.isDescending, nulls: term.nullOrder, collation: collation)
    }
    return FetchPlan.SortTerm(
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
