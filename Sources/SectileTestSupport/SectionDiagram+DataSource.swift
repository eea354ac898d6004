public import SectileCore

extension SectionDiagram {
  /// Draws what a source contains now.
  ///
  /// - Parameters:
  ///   - source: The source; nothing may change it meanwhile.
  ///   - label: Returns an item's `id` or `id=contents`.
  /// - Throws: What reading an item throws.
  public init<ItemID: Hashable & Sendable, Item: Sendable>(
    of source: any DataSource<ItemID, Item>, label: (Item) -> String
  ) throws {
    let headers = source.sections
    var sections: [Section] = []
    for (ordinal, header) in headers.enumerated() {
      var items: [SectionDiagram.Item] = []
      for offset in 0..<source.numberOfItems(in: ordinal) {
        let item = try source.item(at: ItemPath(section: ordinal, item: offset))
        items.append(SectionDiagram.Item(label(item)))
      }
      sections.append(
        Section(
          identity: header.identity.label, title: header.title, aggregates: header.aggregates,
          items: items))
    }
    self.init(sections: sections)
  }

  /// Draws what a source contains now, each item as its identity.
  ///
  /// - Throws: What reading an item throws.
  public init<ItemID: Hashable & Sendable, Item: Identifiable & Sendable>(
    of source: any DataSource<ItemID, Item>
  ) throws {
    try self.init(of: source) { IdentityText.text(of: $0.id) }
  }
}
