package import GRDB
package import SectileCore

extension EntitySchema {
  /// Returns the connection's statement for one of ``statements``, after the schema was compared
  /// with the table if that may have changed.
  ///
  /// - Parameters:
  ///   - text: Which of them.
  ///   - db: The connection.
  /// - Returns: The statement.
  /// - Throws: `schemaMismatch`; where SQLite does not accept the statement.
  package func statement(
    _ text: (EntityStatements) -> String, on db: Database
  ) throws(StoreError) -> RawStatement {
    let statement: RawStatement
    let sql = text(statements)
    do throws(StoreError) {
      statement = try RawStatement.cached(sql, on: db)
    } catch {
      // A missing table or column fails here: say which, before SQLite's own words.
      try check(against: db)
      throw error
    }
    guard statement.takeSchemaDoubt() else { return statement }
    let found = try check(against: db)
    let collations = try KeyCollations(of: primaryKey, in: found, on: db)
    guard collations != .own else { return statement }
    // The doubt stays as long as the statement is not run: the next call comes here as well.
    let comparing = text(
      EntityStatements(
        table: table, columns: columns, primaryKey: primaryKey, collations: collations))
    return comparing == sql ? statement : try RawStatement.cached(comparing, on: db)
  }

  /// Returns the same with a key, as it is stored, bound to its first parameters.
  package func statement(
    _ text: (EntityStatements) -> String, keyValues values: [StoredValue], on db: Database
  ) throws(StoreError) -> RawStatement {
    guard values.count == primaryKey.count else {
      throw StoreError(
        .schemaMismatch,
        message: "A key of \(E.self) has \(values.count) values, "
          + "the primary key of \(table) has \(primaryKey.count) columns.",
        hint: "Let keyValues return one value for each column of the primary key.")
    }
    let statement = try statement(text, on: db)
    do throws(StoreError) {
      try statement.bind(values)
    } catch {
      statement.finish()
      throw error
    }
    return statement
  }
}
