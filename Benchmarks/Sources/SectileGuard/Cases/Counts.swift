/// How often a case is performed in each of its two runs.
///
/// The first run also takes what only happens at first: statements that are prepared, caches that
/// fill.
struct Counts {
  let few: Int
  let many: Int

  /// For operations of some ten million instructions.
  static let long = Counts(few: 2, many: 7)
  /// For single commits.
  static let short = Counts(few: 100, many: 300)
}
