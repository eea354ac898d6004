public import SectileCore

extension DataSource {
  /// Returns a source that shows a part for each item of this one, in its order: the messages of
  /// each chat, the processes of each host.
  ///
  /// Parts come, go and move as the items do. A part is made once, when its item comes, and stays
  /// as long as the item is there, whatever else of the item changes; only the title follows.
  /// Sections and items are called by the item's identity, as in a ``DataSourceList``.
  ///
  /// ```swift
  /// let list = chats.flatMap(title: { $0.name }) { chat in
  ///   messages.filter { $0.chat == chat.id }
  /// }
  /// list.load()                                       // chats, and the messages of each
  /// list.path(of: PartItemID(message.id, inPart: chat.id))
  /// ```
  ///
  /// Loading it loads this source and all parts, and lasts until all of them have ended. What fails
  /// is told as by a ``DataSourceList``.
  ///
  /// - Parameters:
  ///   - keepsEmptyParts: Whether a part without sections has an empty one.
  ///   - title: Returns what stands above the section of a part that has no identity; nil for what
  ///     the part says.
  ///   - part: Returns the part for an item.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: A change of this source costs O(*p*) for *p* parts, and what the edits of the
  ///   parts cost; a change of a part as in a ``DataSourceList``.
  public func flatMap<Part: DataSource>(
    keepsEmptyParts: Bool = false, title: (@Sendable (Item) -> String)? = nil,
    _ part: @escaping @Sendable (Item) -> Part
  ) -> ComposedDataSource<PartItemID<ItemID>, Part.Item> {
    typealias Rule = PartRule<ItemID, Part.Item>
    let keys = KeyedParts(source: self, title: title ?? { _ in nil }) { part($0).erased }
    let engine = CompositionEngine(
      Rule(keepsEmptyParts: keepsEmptyParts), of: [], delivery: .immediate,
      height: max(Rule.leastHeight, events.height + 1), conductor: keys.conductor)
    return ComposedDataSource(name: name, engine: engine)
  }
}
