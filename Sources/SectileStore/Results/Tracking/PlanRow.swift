import SectileCore

/// One row of a plan, read in full: who it is, where it belongs and what it says.
struct PlanRow {
  let key: RowKey
  let section: PlanSectionRow
  let fingerprint: RowFingerprint
  /// The values of the complete order, in the order of ``RowOrdering/terms``.
  let ordering: [OrderingValue]
}

/// What a row says about its section.
struct PlanSectionRow {
  let header: SourceSection
  /// A digest of the section's order; zero where sections are ordered by identity alone.
  let order: UInt64
}
