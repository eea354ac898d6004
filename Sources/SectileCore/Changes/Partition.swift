/// Returns the first number below a count for which a condition, false and then true, is true, or
/// the count.
///
/// - Complexity: O(log *n*).
package func partition(_ count: Int, _ isAfter: (Int) -> Bool) -> Int {
  (0..<count).partitioningIndex(where: isAfter)
}
