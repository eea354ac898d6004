internal import GRDB
internal import SectileCore

extension StoreReadTransaction {
  /// Returns all rows of a query, in its order.
  ///
  /// ```swift
  /// let query = Query(view: "busy_artist", key: ["id"]).sort(by: "tracks", .descending)
  /// let rows = try store.read { try $0.fetchAll(query) }
  /// ```
  ///
  /// - Throws: A ``StoreError``: what ``Query/makePlan(in:)`` throws, and what SQLite meets in
  ///   reading.
  public func fetchAll(_ query: Query) throws -> [UntypedRow] {
    let plan = try query.makePlan(in: self)
    return try fetchAll(
      plan, as: .untyped(keyColumns: plan.keyColumns, columns: plan.itemColumns))
  }

  /// Returns all rows of a query as items, in its order.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - type: What its rows are decoded as: see ``Store/results(of:as:delivery:)``.
  /// - Returns: The items.
  /// - Throws: As ``fetchAll(_:)-(Query)``; `decodingFailed` for a row that the type does not fit.
  public func fetchAll<Item: Decodable & Identifiable & Sendable>(
    _ query: Query, as type: Item.Type
  ) throws -> [Item] where Item.ID: EntityKey {
    let plan = try query.makePlan(in: self)
    return try fetchAll(plan, as: .decoded(from: plan))
  }

  /// Returns how many rows a query has, at most its limit.
  ///
  /// - Throws: As ``fetchAll(_:)-(Query)``.
  public func fetchCount(_ query: Query) throws -> Int {
    let statement = try statement(PlanSQL(try query.makePlan(in: self)).selectCount)
    defer { statement.finish() }
    return try statement.step() ? Int(statement.castInteger(at: 0)) : 0
  }

  private func fetchAll<Item>(_ plan: FetchPlan, as format: RowFormat<Item>) throws -> [Item] {
    let resolved = try PlanQueries.resolvingCollations(plan, in: db)
    let statement = try statement(PlanSQL(resolved).selectItemsInOrder)
    defer { statement.finish() }
    var items: [Item] = []
    while try statement.step() { items.append(try format.decode(statement, 0)) }
    return items
  }

  private func statement(_ fragment: SQLFragment) throws(StoreError) -> RawStatement {
    let statement = try RawStatement.prepare(fragment.sql, on: db)
    try statement.bindAll(fragment.values)
    return statement
  }
}
