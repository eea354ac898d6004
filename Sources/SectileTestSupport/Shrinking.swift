/// Returns a small part of a list that still fails, by leaving out ever smaller stretches of it.
///
/// ```swift
/// let few = try shrink(transactions) { try replayFails($0) }
/// ```
///
/// The algorithm is delta debugging's `ddmin`: Zeller and Hildebrandt, *Simplifying and Isolating
/// Failure-Inducing Input*, 2002.
///
/// - Parameters:
///   - list: A list that fails.
///   - fails: Answers whether a shorter list fails, too.
/// - Returns: A list of which no single element can be left out.
/// - Complexity: O(*n*²) calls at worst, O(log *n*) at best.
public func shrink<Element>(
  _ list: [Element], while fails: ([Element]) throws -> Bool
) rethrows -> [Element] {
  var list = list
  var stretch = max(1, list.count / 2)
  while !list.isEmpty {
    var start = 0
    var isShorter = false
    while start < list.count {
      var candidate = list
      candidate.removeSubrange(start..<min(list.count, start + stretch))
      if try fails(candidate) {
        list = candidate
        isShorter = true
      } else {
        start += stretch
      }
    }
    if stretch == 1, !isShorter { break }
    stretch = max(1, stretch / 2)
  }
  return list
}
