/// A section of a ``SectionedIndex``, which weighs as much as it has rows.
struct SectionEntry: RankedElement {
  static var isWeighted: Bool { true }

  /// The section's number, which stays while the section exists.
  let key: Int32
  var header: SourceSection
  var order: UInt64
  /// The number of rows.
  var weight: Int
}
