extension Store {
  /// Compares the change log with itself, and with the data as far as that can contradict it.
  ///
  /// - Parameter limit: How many problems are told at most.
  /// - Returns: What was found; nil where the file has no log.
  /// - Throws: A ``StoreError``: `changeLogNewer`; what reading throws.
  /// - Complexity: O(*n* log *n*) for *n* rows of the log.
  package func verifyChangeLog(limit: Int) throws -> ChangeLogFindings? {
    try read { transaction in
      try LogState.refuseNewer(in: transaction.db)
      guard let state = try LogState(in: transaction.db) else { return nil }
      var verification = ChangeLogVerification(of: state, in: transaction.db, limit: limit)
      return try verification.run()
    }
  }
}
