internal import Sectile

extension ResultsSnapshot<Track> {
  /// Checks ids and section boundaries against the C baseline.
  ///
  /// - Parameters:
  ///   - list: What C has read.
  ///   - isComplete: Whether every row is checked, rather than each section's first and last, and
  ///     every hundredth in between.
  /// - Throws: ``WrongResult`` for the first difference.
  func checkContents(against list: CList, isComplete: Bool) throws {
    try verify(
      numberOfItems == list.ids.count && numberOfSections == list.starts.count,
      "other counts than C's")
    for section in 0..<numberOfSections {
      let start = Int(list.starts[section])
      let count = numberOfItems(in: section)
      let end = section + 1 < list.starts.count ? Int(list.starts[section + 1]) : list.ids.count
      try verify(start + count == end, "section \(section) has \(count) rows")
      for item in 0..<count
      where isComplete || item == 0 || item == count - 1 || item % 100 == 0 {
        try verify(
          id(at: ItemPath(section: section, item: item)) == list.ids[start + item],
          "another row than C's at \(start + item)")
      }
    }
  }
}
