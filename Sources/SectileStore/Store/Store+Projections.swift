public import SectileCore

extension Store {
  /// Returns live results of selected columns, empty until they are loaded.
  ///
  /// ```swift
  /// let totals = FetchRequest<Purchase>()
  ///   .grouped(by: \.country)
  ///   .selecting({ ($0.country, $0.cents.sum()) }, as: CountryTotal.init)
  /// let results = try store.results(of: totals)
  /// try results.load()
  /// ```
  ///
  /// The rows cannot be edited: write to the tables.
  ///
  /// - Parameters:
  ///   - request: What to fetch: see ``FetchRequest/selecting(_:as:)`` and
  ///     `grouped(by:_:)`.
  ///   - delivery: Where the delegate is called.
  /// - Returns: The results, not loaded yet.
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense. An item that
  ///   does not fit a row is `decodingFailed`, which names the column, where it is read or
  ///   delivered.
  public func results<E, Item: Identifiable & Sendable>(
    of request: ProjectedRequest<E, Item>, delivery: CallbackDelivery = .immediate
  ) throws -> SectionedResults<Item> where Item.ID: EntityKey {
    let (plan, items) = try request.makePlans()
    return makeResults(
      of: plan, as: .projected(from: request, plan), readBy: items, delivery: delivery, nil)
  }
}

extension StoreReadTransaction {
  /// Returns all items that a request for selected columns wants, in its order.
  ///
  /// - Throws: As ``fetchAll(_:)-(FetchRequest<E>)``.
  public func fetchAll<E, Item>(_ request: ProjectedRequest<E, Item>) throws -> [Item] {
    let plan = try request.makePlan()
    let reader = ProjectedReader(request, plan)
    let statement = try statement(PlanSQL(plan).selectItemsInOrder, of: E.self, plan)
    defer { statement.finish() }
    var items: [Item] = []
    while try statement.step() { items.append(try reader.item(of: statement, at: 0)) }
    return items
  }
}

extension SectionedResults {
  /// Changes a request for selected columns.
  ///
  /// The delegate gets the difference between the two results, not a reload.
  ///
  /// ```swift
  /// try results.update(to: lines.refined { $0.limit(200) })
  /// ```
  ///
  /// Items are made by the closure that the results were made with.
  ///
  /// - Parameter request: A request for the same columns, in another order or sections, with
  ///   another filter or limit; of groups, for groups of the same rows.
  /// - Throws: A ``StoreError``: `invalidRequest` for other columns, and for a request that makes
  ///   no sense; else as a changed request.
  public func update<E>(to request: ProjectedRequest<E, Item>) throws {
    let (plan, items) = try request.makePlans()
    try update(to: plan, readBy: items)
  }

  /// Changes a request for selected columns, without blocking the caller's thread.
  ///
  /// See `update(to:)` for more information.
  public func update<E>(to request: ProjectedRequest<E, Item>) async throws {
    let (plan, items) = try request.makePlans()
    try await writer.blockingCalls.run { try update(to: plan, readBy: items) }
  }
}
