/// The change from the contents before to all rows as they are: the way that always serves.
///
/// *Rebuilding* reads everything and compares, at a far smaller price for each row than finding its
/// place has.
struct FullDerivation: Derivation {
  /// Whether many rows may be new that were not touched.
  var readsManyItems = false
  /// Whether rows may have changed places that nobody wrote: they are ordered by another rule.
  var mayAllMove = false

  /// Returns the change, or nil where there is none.
  ///
  /// - Throws: What reading throws; `sectionOrderAmbiguous` and `duplicateKey` where the rows
  ///   contradict the plan.
  func change(in context: borrowing DerivationContext) throws -> PlanChange? {
    InternalChecks.checkIsOneState(context.reader.db)
    return try ReadContents.all(readsManyItems: readsManyItems, in: context)
      .change(mayAllMove: mayAllMove, in: context)
  }
}
