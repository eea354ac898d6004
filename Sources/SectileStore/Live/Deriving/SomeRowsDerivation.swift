/// The change that touched rows make, however many: the *incremental* way.
///
/// The rows are read again; those that are new, or are sorted by something else than before, are
/// placed among the others.
struct SomeRowsDerivation: Derivation {
  /// The keys of the touched rows, ascending.
  let keys: [RowKey]

  /// Returns the change, or nil where there is none.
  ///
  /// - Throws: ``StaleContents`` where the contents do not fit the database; what reading throws.
  func change(in context: borrowing DerivationContext) throws -> PlanChange? {
    let touched = try TouchedRows.read(keys, in: context)
    guard !touched.rows.isEmpty else { return nil }
    return try touched.change(at: TouchedPlaces.of(touched, in: context), in: context)
  }
}
