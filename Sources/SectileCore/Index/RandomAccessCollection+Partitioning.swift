extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a predicate that is false for a prefix and
  /// true for the rest.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if predicate(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
