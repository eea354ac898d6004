/// Decides which survivors of a list may be called movers.
package enum Eligibility {
  /// Decides for each survivor whether it may move: those that are eligible, or all of them where
  /// the others are not in their old order any more.
  ///
  /// - Parameters:
  ///   - targets: The positions after of the survivors, in the order before.
  ///   - isEligible: Whether what decides each one's place changed.
  /// - Returns: Whether each one may move, in the order before.
  /// - Complexity: O(*n*).
  package static func movable(targets: [Int], isEligible: [Bool]) -> [Bool] {
    var last = -1
    for (target, isEligible) in zip(targets, isEligible) where !isEligible {
      if target < last { return targets.map { _ in true } }
      last = target
    }
    return isEligible
  }
}
