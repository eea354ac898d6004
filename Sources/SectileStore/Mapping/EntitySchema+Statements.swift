package import GRDB
internal import SectileCore

extension EntitySchema {
  /// Returns the connection's statement for one of ``statements``, after the schema was compared with
  /// the table if that may have changed.
  package func statement(_ sql: String, on db: Database) throws(StoreError) -> RawStatement {
    let statement: RawStatement
    do throws(StoreError) {
      statement = try RawStatement.cached(sql, on: db)
    } catch {
      // A missing table or column fails here: say which, before SQLite's own words.
      try check(against: db)
      throw error
    }
    if statement.takeSchemaDoubt() { try check(against: db) }
    return statement
  }

  /// Returns the same with a key bound to its first parameters.
  package func statement(
    _ sql: String, key: E.ID, on db: Database
  ) throws(StoreError) -> RawStatement {
    let values = keyValues(of: key)
    guard values.count == primaryKey.count else {
      throw StoreError(
        .schemaMismatch,
        message: "A key of \(E.self) has \(values.count) values, "
          + "the primary key of \(table) has \(primaryKey.count) columns.",
        hint: "Let keyValues return one value for each column of the primary key.")
    }
    let statement = try statement(sql, on: db)
    do throws(StoreError) {
      try statement.bind(values)
    } catch {
      statement.finish()
      throw error
    }
    return statement
  }
}
