/// Returns the first number below a count for which a condition, false and then true, is true, or
/// the count.
///
/// - Complexity: O(log *n*).
package func partition(_ count: Int, _ isAfter: (Int) -> Bool) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if isAfter(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
