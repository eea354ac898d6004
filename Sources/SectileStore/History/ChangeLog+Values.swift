extension Store.ChangeLog {
  /// Begins to keep what columns of some tables held before each change, by whatever program.
  ///
  /// ```swift
  /// try store.changeLog.keepValues(of: ["album"])
  /// let page = try store.history(before: nil, table: "album", includingValues: true)
  /// ```
  ///
  /// Triggers copy the values as they are: of an update the columns that get another value, old and
  /// new; of a row that is deleted, or in the way of one that is written, all columns; and when the
  /// statement ran. They are kept as long as their rows of the log, see
  /// ``StoreConfiguration/changeLogRetention``, and take as much room as they have bytes.
  ///
  /// The tables are added to the log where it does not follow them. Columns that are added or
  /// renamed are noticed by the next commit of a store, as for keys. SQLite drops no column of
  /// such a table: call ``stopKeepingValues(of:)`` before. Versions of Sectile that do not know of
  /// values treat the file as one without a log.
  ///
  /// - Parameters:
  ///   - tables: The tables.
  ///   - allowsAdopted: Whether the log may be put into the file of an adopted connection; see
  ///     ``enable(tables:allowsAdopted:)``.
  /// - Returns: Whether something was changed.
  /// - Throws: A ``StoreError``: `invalidRequest` for a table whose values cannot be kept, with the
  ///   reason, and for an adopted connection; `changeLogNewer`; what `Store.write(_:)` throws.
  @discardableResult
  public func keepValues(of tables: [String], allowsAdopted: Bool = false) throws -> Bool {
    guard !tables.isEmpty else { return false }
    return try change(allowsAdopted) { try $0.keepValues(of: tables) }
  }

  /// Ends keeping old values of some tables, whose changes are logged by their keys from then on.
  ///
  /// What was kept stays as long as its rows of the log; ``disable()`` removes all of it.
  ///
  /// - Parameter tables: The tables.
  /// - Returns: Whether something was changed.
  /// - Throws: A ``StoreError``: `invalidRequest` for what is no table; `changeLogNewer`; what
  ///   `Store.write(_:)` throws.
  @discardableResult
  public func stopKeepingValues(of tables: [String]) throws -> Bool {
    try store.write { transaction in
      try store.commits.log.change(in: transaction.db) { try $0.stopKeepingValues(of: tables) }
    }
  }
}
