public import SectileCore

extension DataSource {
  /// Returns a source with those items that satisfy a condition, in the same sections and order.
  ///
  /// A section without such items is not there, also one that has none in this source, as in a list
  /// of sections that is known beforehand; unless such sections are kept. An item that is updated
  /// enters or leaves the result by what the condition says of it now.
  ///
  /// Aggregates, of sections and of all items, are those of this source: they tell of items that
  /// are not shown, too. ``aggregating(_:)`` behind the filter tells of those that are.
  ///
  /// ```swift
  /// let large = results.filter { $0.installedSize > 1_048_576 }
  /// let board = columns.filter(keepsEmptySections: true) { $0.title.contains(search) }
  /// ```
  ///
  /// - Parameters:
  ///   - keepsEmptySections: Whether all sections of this source are there, whether they have such
  ///     items or not.
  ///   - isIncluded: Returns whether an item is shown; it is asked when an item is written, and
  ///     looks at nothing else.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: O(*n*) to load, reading every item; then O(log *n*) for each changed one.
  public func filter(
    keepsEmptySections: Bool = false, _ isIncluded: @escaping @Sendable (Item) -> Bool
  ) -> ComposedDataSource<ItemID, Item> {
    arranged(
      Arranging(
        key: { isIncluded($0) ? UnorderedKey() : nil }, selectsItems: true,
        keepsEmptySections: keepsEmptySections))
  }

  /// Returns a source with the items of each section sorted by a key.
  ///
  /// Items of equal keys stand as in this source.
  ///
  /// ```swift
  /// let largest = results.sorted(by: { $0.installedSize }, .descending)
  /// ```
  ///
  /// - Parameters:
  ///   - key: Returns what an item is sorted by; it is asked when an item is written, and kept.
  ///   - direction: Which keys come first.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: O(*n* log *n*) to load, reading every item; then O(log² *n*) for each changed
  ///   one, without reading others.
  public func sorted<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Item) -> Key, _ direction: SortDirection = .ascending
  ) -> ComposedDataSource<ItemID, Item> {
    arranged(
      Arranging(key: { key($0) }, keyOrder: KeyOrder(direction), keepsEmptySections: true))
  }

  /// Returns a source with the items of each section in the order a closure says.
  ///
  /// Items of which neither comes first stand as in this source.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether the first item comes before the second: a
  ///   strict weak order.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: See ``sorted(by:_:)``; keeps every item.
  public func sorted(
    _ areInIncreasingOrder: @escaping @Sendable (Item, Item) -> Bool
  ) -> ComposedDataSource<ItemID, Item> {
    arranged(
      Arranging(
        key: { $0 }, keyOrder: KeyOrder(areInIncreasingOrder), keepsEmptySections: true))
  }

  /// Returns a source with the items in other sections, in each of them in the same order.
  ///
  /// The sections of this source are forgotten. A section's header is that of its first item.
  ///
  /// ```swift
  /// let byMaintainer = results.sectioned { package in
  ///   SourceSection(identity: .text(package.maintainer), title: package.maintainer)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - section: Returns the section of an item; it is asked when an item is written.
  ///   - direction: Which sections come first, by their identities: numbers, text by bytes, as
  ///     SQLite sorts them. Nil for the order in which their first items stand in this source.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: O(*n*) to load, reading every item; then O(log² *n*) for each changed one, and
  ///   O(*s* log *n*) where one of the *s* sections moves.
  public func sectioned(
    by section: @escaping @Sendable (Item) -> SourceSection, _ direction: SortDirection? = nil
  ) -> ComposedDataSource<ItemID, Item> {
    arranged(
      Arranging(
        key: { _ in UnorderedKey() }, section: section, sectionOrder: .of(direction)))
  }

  /// Returns a source with the items in sections titled by a key.
  ///
  /// A section's identity is its title as a text. See above for more information.
  ///
  /// ```swift
  /// let byLetter = names.sectioned(by: { String($0.name.prefix(1)) }, .ascending)
  /// ```
  public func sectioned(
    by title: @escaping @Sendable (Item) -> String, _ direction: SortDirection? = nil
  ) -> ComposedDataSource<ItemID, Item> {
    let section: @Sendable (Item) -> SourceSection = { item in
      let title = title(item)
      return SourceSection(identity: .text(title), title: title)
    }
    return sectioned(by: section, direction)
  }

  private func arranged<Key: Sendable>(
    _ rule: Arranging<ItemID, Item, Key>
  ) -> ComposedDataSource<ItemID, Item> {
    ComposedDataSource(rule, of: [self])
  }
}

/// The key of rows that are not sorted.
private struct UnorderedKey: Sendable {}
