/// Works out how a load changes the contents of a plan: reads all rows, in the way that serves what
/// the load is for.
///
/// Changes nothing itself.
struct LoadDerivation {
  /// What a load is for.
  enum Occasion {
    /// The first rows of a first load, at most so many.
    case firstBatch(Int)
    /// All rows of a first load, after the first batch, and what is known of them.
    case firstLoad(PlanContents?)
    /// Rows may have been written: those whose values and sort keys are what they were keep their
    /// order.
    case reload
    /// The request is another one: any row may move.
    case newRequest
  }

  /// What the load came to: all that there is, but for a first batch.
  typealias Outcome = FirstBatchDerivation.Outcome

  let occasion: Occasion

  /// Reads, and returns the change from the contents before.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: What it came to.
  /// - Throws: See ``FullDerivation/change(in:)``.
  func outcome(in context: borrowing DerivationContext) throws -> Outcome {
    switch occasion {
    case .firstBatch(let count):
      return try FirstBatchDerivation(count: count).change(in: context)
    case .firstLoad(let all):
      switch try FirstLoadDerivation(all: all).change(in: context) {
      case .grown(let change): return Outcome(change: change)
      case .needsMore:
        return Outcome(change: try FullDerivation(readsManyItems: true).change(in: context))
      }
    case .reload: return Outcome(change: try FullDerivation().change(in: context))
    case .newRequest:
      let way = FullDerivation(readsManyItems: true, mayAllMove: true)
      return Outcome(change: try way.change(in: context))
    }
  }
}
