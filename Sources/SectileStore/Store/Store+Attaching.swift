internal import GRDB

extension Store {
  /// Attaches another database to the connection that writes, as long as a closure runs.
  ///
  /// - Parameters:
  ///   - path: Where the other database is.
  ///   - name: Its name in SQL.
  ///   - body: Writes to the store; what it writes to the other database is on its own.
  /// - Returns: What `body` returns.
  /// - Throws: ``StoreError``; what `body` throws.
  package func attaching<Result>(
    _ path: String, as name: String, _ body: () throws -> Result
  ) throws -> Result {
    try useWriter { db in
      let statement = try db.makeStatement(sql: "ATTACH DATABASE ? AS \(SQLName.quote(name))")
      try statement.execute(arguments: [path])
    }
    let result = Swift.Result(catching: body)
    do {
      try useWriter { try $0.execute(sql: "DETACH DATABASE \(SQLName.quote(name))") }
    } catch {
      // What went wrong first is what went wrong.
      _ = try result.get()
      throw StoreError.translating(error, file: self.path)
    }
    return try result.get()
  }
}
