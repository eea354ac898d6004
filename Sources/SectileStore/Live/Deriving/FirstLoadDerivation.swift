/// The change from a first batch to everything: the second part of a first load.
///
/// The first batch is the beginning of all there is, unless somebody has written meanwhile.
struct FirstLoadDerivation: Derivation {
  /// What the rest came to.
  enum Outcome {
    /// It comes behind the first batch; nil where nothing does.
    case grown(PlanChange?)
    /// The first batch is out of date: see ``FullDerivation``.
    case needsMore
  }

  /// All rows, where they were read for the first batch.
  let all: PlanContents?

  /// Returns what comes behind the first batch.
  ///
  /// - Throws: See ``FullDerivation/change(in:)``.
  func change(in context: borrowing DerivationContext) throws -> Outcome {
    InternalChecks.checkIsOneState(context.reader.db)
    guard context.rowsBefore.isEmpty else { return .needsMore }
    let contents = try all ?? PlanContents.listed(in: context)
    guard contents.begins(with: context.base) else { return .needsMore }
    return .grown(
      try contents.aggregated(by: context.reader).growth(reading: [], in: context))
  }
}
