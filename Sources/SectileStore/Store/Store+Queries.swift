public import SectileCore

extension Store {
  /// Returns live results of a query, empty until they are loaded.
  ///
  /// ```swift
  /// let countries = "SELECT country, count(*) AS artists FROM artist GROUP BY country"
  /// let query = Query(countries, key: ["country"]).sort(by: "artists", .descending)
  /// let results = try store.results(of: query)
  /// try results.load()
  /// ```
  ///
  /// The query's columns are found out here, in a reading transaction; items have those that there
  /// are now. Tables of the store's own file are followed, and views over them. The rows cannot be
  /// edited: write to the tables.
  ///
  /// - Parameters:
  ///   - query: What to fetch, in which order and sections.
  ///   - delivery: Where the delegate is called.
  /// - Returns: The results, not loaded yet.
  /// - Throws: A ``StoreError``: `invalidRequest` for a query that makes no sense,
  ///   `statementFailed` for one that SQLite refuses; what `read` throws: `reentrantAccess`
  ///   inside of a closure of the store.
  public func results(
    of query: Query, delivery: CallbackDelivery = .immediate
  ) throws -> SectionedResults<UntypedRow> {
    try results(of: try read { try query.makePlan(in: $0) }, delivery: delivery)
  }

  /// Returns live results of a query as items of a type, empty until they are loaded.
  ///
  /// ```swift
  /// struct Artist: Decodable, Identifiable {
  ///   var id: Int64
  ///   var name: String
  ///   var tracks: Int
  ///   var latest: Date?
  /// }
  /// let results = try store.results(of: query, as: Artist.self)
  /// ```
  ///
  /// Each property is the column of its name, or of its coding key, read as strictly as a column of
  /// an entity: storable types in their standard form, raw-representable types by their raw value,
  /// other types from JSON text. NULL is nil. A property without a column is an error, also an
  /// optional one; a column without a property is not.
  ///
  /// `id` is the query's key, in its order of columns.
  ///
  /// See `results(of:delivery:)` for more information.
  ///
  /// - Throws: As `results(of:delivery:)`. An item that does not fit a row is `decodingFailed`,
  ///   which names the column, where it is read or delivered.
  public func results<Item: Decodable & Identifiable & Sendable>(
    of query: Query, as type: Item.Type, delivery: CallbackDelivery = .immediate
  ) throws -> SectionedResults<Item> where Item.ID: EntityKey {
    let plan = try read { try query.makePlan(in: $0) }
    return makeResults(of: plan, as: .decoded(from: plan), delivery: delivery, nil)
  }
}

extension SectionedResults {
  /// Changes how the query is refined.
  ///
  /// The delegate gets the difference between the two results, not a reload.
  ///
  /// ```swift
  /// try results.update(to: query.filter(SQLFragment("name LIKE ?", ["Nina%"])))
  /// ```
  ///
  /// - Parameter query: A query of the same SELECT, with the same values in it, and the same key;
  ///   its filter, sections, order, limit and aggregates may be others.
  /// - Throws: A ``StoreError``: `invalidRequest` for another SELECT, and for a query that makes no
  ///   sense; else as a changed request.
  public func update(to query: Query) throws {
    try update(to: try query.makePlan(refining: tracker.plan))
  }

  /// Changes how the query is refined, without blocking the caller's thread.
  ///
  /// See `update(to:)` for more information.
  public func update(to query: Query) async throws {
    try await update(to: try query.makePlan(refining: tracker.plan))
  }
}
