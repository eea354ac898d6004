public import SectileCore

extension DataSource {
  /// Returns a source with the same items, whose headers tell what the items of each section come
  /// to, and whose snapshots tell what all items do.
  ///
  /// A change of a value is part of the changeset of the items that change it: a section update,
  /// and `Changeset.contentsUpdate` for all items. Items are those of this source: behind a filter
  /// those that are left, behind `sectioned(by:_:)` those of the new sections.
  ///
  /// ```swift
  /// let counted = mails.filter { !$0.isDeleted }
  ///   .sectioned(by: { $0.folder })
  ///   .aggregating(.count("unread") { !$0.isRead }, .sum("bytes") { $0.size })
  /// counted.load()
  /// counted.sections[0].aggregates["unread"]  // .integer(3)
  /// counted.aggregates["bytes"]               // .integer(2560)
  /// ```
  ///
  /// Aggregates that the headers have already stay, in front of these, unless they have the same
  /// name.
  ///
  /// - Parameter terms: What is worked out, by what each item counts as.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Precondition: No two have the same name.
  /// - Complexity: O(*n*) to load, reading every item; then O(log *n*) for each changed one,
  ///   without reading others. What items count as is kept, for those that count.
  public func aggregating(
    _ terms: AggregateValues.Term<Item>...
  ) -> ComposedDataSource<ItemID, Item> {
    ComposedDataSource(Aggregating<ItemID, Item>(terms), of: [self])
  }
}
