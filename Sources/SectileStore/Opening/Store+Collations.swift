internal import GRDB

extension Store {
  /// Sees to it that indexes of collations whose order may change are in the order known here.
  ///
  /// - Throws: `collationChanged` where they are not, and the store is read-only; the codes of any
  ///   write.
  func settleCollations() throws(StoreError) {
    let collations = configuration.collations.filter { $0.version != nil }
    guard !collations.isEmpty else { return }
    let unsettled: [TextCollation]
    do {
      unsettled = try read { try CollationVersions.unsettled(collations, in: $0.db) }
    } catch {
      throw .wrapping(error, file: path)
    }
    guard let first = unsettled.first else { return }
    guard !configuration.isReadOnly else { throw .collationChanged(first, file: path) }
    let call = try accesses.begin()
    defer { commits.transactionFinished() }
    do {
      try writer.unsafeReentrantWrite { db in
        try call.run { try settle(collations, on: db) }
      }
    } catch {
      throw .wrapping(error, file: path)
    }
  }

  private func settle(_ collations: [TextCollation], on db: Database) throws {
    let isLocked = try writerLock.enter(before: db)
    defer { if isLocked { writerLock.leave() } }
    _ = try runSchemaTransaction(on: db) { () throws -> Bool? in
      // Another process may have done it meanwhile.
      let unsettled = try CollationVersions.unsettled(collations, in: db)
      guard !unsettled.isEmpty else { return nil }
      commits.schemaWillChange(in: db)
      try CollationVersions.settle(unsettled, in: db)
      return true
    }
  }
}

extension StoreError {
  fileprivate static func collationChanged(
    _ collation: TextCollation, file: String?
  ) -> StoreError {
    StoreError(
      .collationChanged,
      message: "\(file ?? "The store"): indexes may have another order of the collation "
        + "\(collation.name) than the one that is known here, and the store is read-only",
      hint: "Open the file once with a store that may write and lists the collation: it builds "
        + "these indexes anew.")
  }
}
