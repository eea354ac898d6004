public import SectileCore

extension PaginatedDataSource {
  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - loader: What loads the pages.
  ///   - pagesPerLoad: How many pages with items one load brings; `Int.max` for the whole list.
  ///   - configuration: Limits, timeouts and retries.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  public convenience init(
    name: String, loader: some PageLoader<Item, Page>, pagesPerLoad: Int = 1,
    configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate,
    isEqual: @escaping @Sendable (Item, Item) -> Bool,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) {
    self.init(
      name: name,
      store: PaginationStore(
        loader: loader, pagesPerLoad: pagesPerLoad, configuration: configuration,
        delivery: delivery, rules: ItemRules(isEqual: isEqual, section: section)))
  }

  /// Creates a source.
  ///
  /// See ``init(name:loader:pagesPerLoad:configuration:delivery:isEqual:sectionedBy:)`` for more
  /// information.
  public convenience init(
    name: String, loader: some PageLoader<Item, Page>, pagesPerLoad: Int = 1,
    configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) where Item: Equatable {
    self.init(
      name: name, loader: loader, pagesPerLoad: pagesPerLoad, configuration: configuration,
      delivery: delivery, isEqual: ==, sectionedBy: section)
  }

  /// Creates a source.
  ///
  /// Since the items are hashable, changesets that are merged for a slow consumer leave out an item
  /// that was changed back. See
  /// ``init(name:loader:pagesPerLoad:configuration:delivery:isEqual:sectionedBy:)`` for more
  /// information.
  public convenience init(
    name: String, loader: some PageLoader<Item, Page>, pagesPerLoad: Int = 1,
    configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) where Item: Hashable {
    self.init(
      name: name,
      store: PaginationStore(
        loader: loader, pagesPerLoad: pagesPerLoad, configuration: configuration,
        delivery: delivery, rules: ItemRules(hashingWith: section)))
  }
}
