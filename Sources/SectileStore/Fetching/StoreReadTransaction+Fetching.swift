internal import GRDB
internal import SectileCore

extension StoreReadTransaction {
  /// Returns all entities a request wants, in its order.
  ///
  /// ```swift
  /// let request = FetchRequest<Package>().filter { $0.size > 1024 }
  /// let large = try store.read { try $0.fetchAll(request) }
  /// ```
  ///
  /// - Throws: A ``StoreError``: `invalidRequest` for a request that makes no sense,
  ///   `decodingFailed` for a stored value that does not fit its property, `schemaMismatch` if the
  ///   entity does not fit its table, `statementFailed` for a raw condition SQLite refuses.
  @inlinable
  public func fetchAll<E: Entity>(_ request: FetchRequest<E>) throws -> [E] {
    try withRows(of: request) { row in
      // Inlined into the caller's module, where the compiler knows the entity: one loop without
      // witnesses and metadata.
      var entities: [E] = []
      while try row.nextRow() {
        if entities.count == Self.longCount { reserve(&entities, for: request) }
        entities.append(try E(row: &row))
      }
      return entities
    }
  }

  /// So many entities make it worth while to ask how many there may be.
  @usableFromInline internal static var longCount: Int { 1024 }

  /// How many bytes are reserved at most: row ids may be far apart.
  private static var reservedSize: Int { 128 << 20 }

  /// Makes room for all rows that a request may want, where that is quickly found out.
  ///
  /// Of a long array that grows by doubling, each entity is copied, and into pages that the system
  /// has to provide first: a sixth of the time of fetching a million rows.
  @usableFromInline
  internal func reserve<E: Entity>(_ entities: inout [E], for request: FetchRequest<E>) {
    guard let plan = try? request.makePlan(), plan.filter == nil,
      let column = try? db.primaryKey(plan.table).rowIDColumn,
      let span = try? db.rowIDSpan(of: plan.table, column: column)
    else { return }
    let wanted = min(span, plan.limit ?? .max, Self.reservedSize / max(1, MemoryLayout<E>.stride))
    if wanted > entities.count { entities.reserveCapacity(wanted) }
  }

  /// Calls `body` with a reader of the rows a request wants, which stands before the first of them.
  @usableFromInline
  internal func withRows<E: Entity>(
    of request: FetchRequest<E>, _ body: (inout RowReader) throws -> [E]
  ) throws -> [E] {
    let plan = try plan(of: request)
    let statement = try statement(PlanSQL(plan).selectItemsInOrder, of: E.self, plan)
    defer { statement.finish() }
    var row = RowReader(statement: statement.handle, layout: E.schema.layout)
    return try body(&row)
  }

  /// Returns the first entity a request wants, or nil if there is none.
  ///
  /// - Throws: See ``fetchAll(_:)-(FetchRequest<E>)``.
  public func fetchOne<E: Entity>(_ request: FetchRequest<E>) throws -> E? {
    var plan = try plan(of: request)
    plan.limit = min(plan.limit ?? 1, 1)
    let statement = try statement(PlanSQL(plan).selectItemsInOrder, of: E.self, plan)
    defer { statement.finish() }
    guard try statement.step() else { return nil }
    var row = RowReader(statement: statement.handle, layout: E.schema.layout)
    return try E(row: &row)
  }

  /// Returns how many rows a request wants, at most its limit.
  ///
  /// - Throws: See ``fetchAll(_:)-(FetchRequest<E>)``.
  public func fetchCount<E: Entity>(_ request: FetchRequest<E>) throws(StoreError) -> Int {
    let plan = try request.makePlan()
    let statement = try statement(PlanSQL(plan).selectCount, of: E.self, plan)
    defer { statement.finish() }
    guard try statement.step() else { return 0 }
    return Int(statement.castInteger(at: 0))
  }

  /// Returns the sections of a request in their order, with the number of rows of each.
  ///
  /// Reads no rows into memory. The sections of a fixed list are all there, also without rows;
  /// a request without sections has one, of identity NULL.
  ///
  /// - Throws: See ``fetchAll(_:)-(FetchRequest<E>)``.
  public func fetchSections<E: Entity>(
    _ request: FetchRequest<E>
  ) throws(StoreError) -> [FetchedSection] {
    let plan = try request.makePlan()
    let statement = try statement(PlanSQL(plan).selectSections, of: E.self, plan)
    defer { statement.finish() }
    var sections: [FetchedSection] = []
    while try statement.step() {
      let identity = try statement.columnValue(at: 0)
      let title = try statement.columnValue(at: 2)
      sections.append(
        FetchedSection(
          identity: identity, title: Self.label(title, of: identity, plan),
          count: Int(statement.castInteger(at: 1))))
    }
    guard let section = plan.section, let list = section.fixedSections else { return sections }
    let known = Dictionary(sections.map { ($0.identity, $0) }) { first, _ in first }
    return try list.map { member throws(StoreError) -> FetchedSection in
      let identity = section.folded(member)
      if let section = known[identity] { return section }
      let title = try titleOfEmptySection(member, plan)
      return FetchedSection(
        identity: identity, title: Self.label(title ?? .null, of: identity, plan), count: 0)
    }
  }

  /// Returns what a section is called: a value of its title, or its identity where that is NULL.
  private static func label(
    _ title: StoredValue, of identity: StoredValue, _ plan: FetchPlan
  ) -> String {
    let shown: StoredValue? = title == .null ? Optional.none : title
    return (plan.section?.name(shown, of: identity) ?? identity).label
  }

  /// Returns what a section of a fixed list is called that has no rows; nil for its identity.
  private func titleOfEmptySection(
    _ listed: StoredValue, _ plan: FetchPlan
  ) throws(StoreError) -> StoredValue? {
    // Where SQLite does not accept the statement, the title looks at more than what is known
    // without a row.
    guard let query = PlanSQL(plan).selectTitleOfEmptySection,
      let statement = try? RawStatement.prepare(query.sql, on: db)
    else { return nil }
    defer { statement.finish() }
    try statement.bindAll(query.values + [listed])
    guard try statement.step() else { return nil }
    let title = try statement.columnValue(at: 0)
    // In `? nil :`, nil would be the value NULL.
    guard title != .null else { return nil }
    return title
  }

  /// The plan of a request, with an order among rows whose keys are equal by the collations of
  /// their columns.
  private func plan<E: Entity>(of request: FetchRequest<E>) throws -> FetchPlan {
    let plan = try request.makePlan()
    return try plan.keyDeclaresCollation(in: db) ? plan.resolvingKey(on: db) : plan
  }

  /// Returns a statement of a plan with its values, compiled anew.
  ///
  /// - Parameters:
  ///   - fragment: The statement.
  ///   - type: The entity that the plan is about.
  ///   - plan: The plan.
  /// - Returns: The statement.
  /// - Throws: As ``fetchAll(_:)-(FetchRequest<E>)``, but for what decoding throws.
  func statement<E: Entity>(
    _ fragment: SQLFragment, of type: E.Type, _ plan: FetchPlan
  ) throws(StoreError) -> RawStatement {
    try checkActive()
    try plan.checkBoundValues(fragment.values.count, in: db)
    let statement: RawStatement
    do throws(StoreError) {
      // Not cached: a list in a filter makes a new text for each of its lengths.
      statement = try RawStatement.prepare(fragment.sql, on: db)
    } catch {
      // A missing table or column fails here: say which, before SQLite's own words.
      try E.schema.check(against: db)
      throw error
    }
    try statement.bindAll(fragment.values)
    return statement
  }
}
