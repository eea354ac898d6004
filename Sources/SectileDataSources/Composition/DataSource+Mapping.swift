public import SectileCore

extension DataSource {
  /// Returns a source that shows what each item becomes, in the same places.
  ///
  /// Nothing is kept: an item is transformed when it is asked for. An update of the item is an
  /// update of what it becomes, also where that is equal to what it was.
  ///
  /// ```swift
  /// let lines = results.map { "\($0.name) \($0.version)" }
  /// ```
  ///
  /// - Parameter transform: Returns what an item becomes; always the same for equal items. What it
  ///   throws, reading the item throws.
  /// - Returns: The source; it is empty until it is loaded.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Item) throws -> Other
  ) -> ComposedDataSource<ItemID, Other> {
    ComposedDataSource(
      Mapping<ItemID, Item, ItemID, Other>(
        id: { $0 }, inputID: { $0 }, transform: transform),
      of: [self])
  }

  /// Returns a source with other titles, index titles and footers.
  ///
  /// ```swift
  /// let titled = results.mapSections { section in
  ///   SourceSection(identity: section.identity, title: section.title.uppercased())
  /// }
  /// ```
  ///
  /// - Parameter transform: Returns what a section's header becomes; always the same for equal
  ///   headers. Identity and aggregates stay, whatever the closure says; the header tells what the
  ///   aggregates come to, so that titles and footers can:
  ///   `"\(section.aggregates[count] ?? 0) packages"`.
  /// - Returns: The source; it is empty until it is loaded.
  public func mapSections(
    _ transform: @escaping @Sendable (SourceSection) -> SourceSection
  ) -> ComposedDataSource<ItemID, Item> {
    mapHeaders(seesCounts: false) { header, _ in transform(header) }
  }

  /// Returns a source with other titles, index titles and footers, which may tell how many items
  /// there are.
  ///
  /// A section whose count changes is updated, in the changeset of the items that come or go, where
  /// its header is another one then; of its ``Changeset/batches`` in the last one, after the
  /// items. Counts are those of this source: behind a filter those of the items that are left.
  ///
  /// ```swift
  /// let counted = results.filter { !$0.isDone }.mapSections { section, count in
  ///   SourceSection(
  ///     identity: section.identity, title: section.title,
  ///     footer: count == 1 ? "1 task left" : "\(count) tasks left")
  /// }
  /// ```
  ///
  /// - Parameter transform: Returns what a section's header becomes, given the number of its items;
  ///   always the same for equal arguments. Identity and aggregates stay, whatever the closure
  ///   says.
  /// - Returns: The source; it is empty until it is loaded.
  public func mapSections(
    counting transform: @escaping @Sendable (SourceSection, _ count: Int) -> SourceSection
  ) -> ComposedDataSource<ItemID, Item> {
    mapHeaders(seesCounts: true, transform)
  }

  private func mapHeaders(
    seesCounts: Bool,
    _ transform: @escaping @Sendable (SourceSection, _ count: Int) -> SourceSection
  ) -> ComposedDataSource<ItemID, Item> {
    ComposedDataSource(
      Mapping<ItemID, Item, ItemID, Item>(
        id: { $0 }, inputID: { $0 }, transform: { $0 },
        header: { header, count in
          let other = transform(header, count)
          return SourceSection(
            identity: header.identity, title: other.title, indexTitle: other.indexTitle,
            footer: other.footer, aggregates: header.aggregates)
        }, seesCounts: seesCounts),
      of: [self])
  }

  /// Returns a source with the same contents whose loads do something else too, and last until that
  /// has ended: refreshing what the contents are read from, say.
  ///
  /// What the operation changes is shown as it happens. Where it fails, the contents stand, and the
  /// load ends with its error.
  ///
  /// ```swift
  /// let songs = results.refreshed { try await synchronizer.run() }
  /// try songs.load()  // what is stored, at once; then what the synchronizer changes; then the end
  /// ```
  ///
  /// - Parameter operation: What a load does; cancelled with the source. A load that begins while
  ///   it is running joins it.
  /// - Returns: The source; it is empty until it is loaded.
  public func refreshed(
    by operation: @escaping @Sendable () async throws -> Void
  ) -> ComposedDataSource<ItemID, Item> {
    refreshed(by: operation, pagedBy: nil)
  }

  /// Returns a source whose loads do something else too, and whose pages something else fetches.
  ///
  /// See ``refreshed(by:)`` for more information.
  package func refreshed(
    by operation: @escaping @Sendable () async throws -> Void,
    pagedBy pageFetcher: (any PageFetching)?
  ) -> ComposedDataSource<ItemID, Item> {
    let rule = Mapping<ItemID, Item, ItemID, Item>(
      id: { $0 }, inputID: { $0 }, transform: { $0 })
    return ComposedDataSource(
      name: name,
      engine: CompositionEngine(
        rule, of: [self], delivery: .immediate, alongside: operation, pageFetcher: pageFetcher))
  }
}
