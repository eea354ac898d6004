extension Changeset {
  /// Creates the changeset that leads from one value of a source's contents to another.
  ///
  /// Rows whose content is unchanged never move, unless they themselves changed their relative
  /// order (the request was changed, or a sort key lies in another table): then every row of their
  /// section may move, and as few as possible do.
  ///
  /// - Parameters:
  ///   - old: The contents before.
  ///   - new: The contents after.
  ///   - isEqual: Returns whether two items of one identity have the same content.
  ///   - isOrderKeyChanged: Returns whether what decides an item's place changed although its
  ///     content did not.
  ///   - isSectionOrderChanged: Returns whether what decides a section's place changed, by the
  ///     section's identity.
  /// - Complexity: O(*n* log *n*) for *n* rows in both.
  public init(
    from old: SectionedContents<ItemID, Item>, to new: SectionedContents<ItemID, Item>,
    isEqual: @escaping (Item, Item) -> Bool, isOrderKeyChanged: ((ItemID) -> Bool)? = nil,
    isSectionOrderChanged: ((StoredValue) -> Bool)? = nil
  ) {
    self = ContentsDiffer(
      old: old, new: new, isEqual: isEqual, isOrderKeyChanged: isOrderKeyChanged ?? { _ in false },
      isSectionOrderChanged: isSectionOrderChanged ?? { _ in false }
    ).changeset()
  }
}

extension Changeset where Item: Equatable {
  /// Creates the changeset that leads from one value of a source's contents to another.
  ///
  /// See ``init(from:to:isEqual:isOrderKeyChanged:isSectionOrderChanged:)`` for more information.
  public init(
    from old: SectionedContents<ItemID, Item>, to new: SectionedContents<ItemID, Item>
  ) {
    self.init(from: old, to: new, isEqual: ==)
  }
}
