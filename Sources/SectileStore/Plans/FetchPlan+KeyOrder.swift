internal import GRDB
internal import SectileCore

extension FetchPlan {
  /// Whether a column of the key declares a collation: only then two keys can be equal by their
  /// columns, or an index of one compare otherwise.
  ///
  /// Asks no query, unlike ``resolvingKey(on:)``.
  func keyDeclaresCollation(in db: Database) throws -> Bool {
    guard let storedTable else { return false }
    return try keyColumns.contains {
      try Column(table: storedTable, name: $0).declaredCollation(in: db) != nil
    }
  }

  /// Returns the plan with what the schema says about its key: how it is compared where one row is
  /// asked for, and an order among rows whose keys are equal by their columns.
  ///
  /// - Parameter source: The connection.
  /// - Returns: The plan; as it was for views, queries and virtual tables, of which the schema does
  ///   not say it.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  package func resolvingKey(on source: some SchemaSource) throws(StoreError) -> FetchPlan {
    guard let storedTable, let schema = try TableSchema(of: storedTable, in: source),
      schema.kind.isStored
    else { return self }
    var plan = self
    plan.keyCollations = try KeyCollations(of: keyColumns, in: schema, on: source)
    guard !plan.keyCollations.columnsTellRowsApart else { return plan }
    let keys = keyColumns.map { name in
      let column = schema.columns.first { $0.name.lowercased() == name.lowercased() }
      return term(name, collation: column?.collation)
    }
    return plan.orderingKeyByBytes(after: keys)
  }

  /// Returns the plan with its key's bytes as the last that decides.
  ///
  /// - Parameter keys: The key with the collations of its columns, which decide before.
  /// - Returns: The plan.
  package func orderingKeyByBytes(after keys: [SortTerm]) -> FetchPlan {
    var plan = self
    plan.sort += keys
    plan.comparesKeyByBytes = true
    return plan
  }
}
