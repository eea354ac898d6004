internal import Sectile
internal import SectileInspecting

/// Finds out whether the rows of a request have a key that a watch could not tell them apart by.
///
/// SQLite allows NULL in most primary keys, and whoever names key columns may be wrong. Rows are
/// only looked at where the schema leaves that open.
struct KeyCheck {
  private let store: Store
  private let plan: FetchPlan

  /// Prepares to look at the rows of a plan.
  init(_ plan: FetchPlan, in store: Store) {
    self.store = store
    self.plan = plan
  }

  /// Loads the rows where the key may not hold, as a watch would.
  ///
  /// - Throws: What ends a watch: ``StoreError``.
  func run() throws {
    guard try isDoubtful() else { return }
    let results = try store.results(of: plan)
    defer { results.cancel() }
    try results.load()
  }

  /// Whether there is a row without a key, or with that of another, the limit left aside.
  private func isDoubtful() throws -> Bool {
    // Places are made up, and nobody else has a row id.
    if plan.isByPlace { return false }
    return try store.read { transaction in
      if plan.query != nil {
        // NULL is a key of its own.
        return try !isSaid(byTextOf: plan.query, transaction) && isRepeated(transaction)
      }
      guard let schema = try TableSchema(of: plan.table, in: transaction) else { return false }
      let shape = try TableShape(of: plan.table, in: store.path ?? "the store", on: transaction)
      if schema.kind == .view {
        let rows = SQLFragment("SELECT * FROM \(SQLName.table(plan.table))")
        if try isSaid(byTextOf: rows, transaction) { return false }
      }
      let nullable = plan.keyColumns.filter { mayBeNull($0, schema) }
      if !nullable.isEmpty {
        let condition = nullable.map { "\(SQLName.quote($0)) IS NULL" }.joined(separator: " OR ")
        if try exists("WHERE (\(condition)) AND \(filter)", transaction) { return true }
      }
      if isUnique(shape, schema) { return false }
      return try isRepeated(transaction)
    }
  }

  /// Whether the text of a query or a view says that no two rows have one key.
  private func isSaid(
    byTextOf select: SQLFragment?, _ transaction: StoreReadTransaction
  ) throws -> Bool {
    let isQuery = plan.query != nil
    guard let select, let key = try transaction.likelyKey(of: select, mayBeNull: isQuery) else {
      return false
    }
    let (named, said) = (plan.keyColumns.map { $0.lowercased() }, key.map { $0.lowercased() })
    // What a view's key has besides may be NULL.
    return isQuery ? Set(named).isSuperset(of: said) : Set(named) == Set(said)
  }

  private func isRepeated(_ transaction: StoreReadTransaction) throws -> Bool {
    let key = plan.keyColumns.map { SQLName.quote($0) }.joined(separator: ", ")
    return try exists("WHERE \(filter) GROUP BY \(key) HAVING count(*) > 1", transaction)
  }

  private func mayBeNull(_ name: String, _ schema: TableSchema) -> Bool {
    guard let column = schema.columns.first(where: { $0.name == name }) else { return false }
    let isKeyOfTree = schema.listing.isWithoutRowID && column.keyPosition > 0
    return !column.isNotNull && !isKeyOfTree && name != schema.rowIDColumn
  }

  /// Whether the schema says that no two rows have one key, but for those with NULL in it.
  private func isUnique(_ shape: TableShape, _ schema: TableSchema) -> Bool {
    let key = Set(plan.keyColumns)
    let isRowID = plan.keyColumns.contains { name in
      schema.rowIDNames.contains(name.lowercased()) || name == schema.rowIDColumn
    }
    return isRowID || (!shape.keyColumns.isEmpty && key.isSuperset(of: shape.keyColumns))
  }

  private var filter: String { plan.filter?.sql ?? "1" }

  private func exists(_ clauses: String, _ transaction: StoreReadTransaction) throws -> Bool {
    let source = plan.source
    let sql = "SELECT EXISTS (SELECT 1 FROM \(source.sql) \(clauses))"
    let rows = try transaction.query(sql, values: source.values + (plan.filter?.values ?? []))
    return rows.first?.values.first == .integer(1)
  }
}
