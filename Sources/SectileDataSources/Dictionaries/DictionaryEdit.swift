public import SectileCore

/// Several changes of a ``DictionaryDataSource`` on their way to become one changeset.
///
/// Paths refer to the contents as the changes before have left them. A change that throws has
/// changed nothing.
///
/// ```swift
/// try source.batch { edit in
///   try edit.removeSection("drafts")
///   try edit.append([letter], toSection: "sent")
/// }
/// ```
public struct DictionaryEdit<Item: Identifiable & Sendable> where Item.ID: Sendable {
  typealias Items = SectionedItems<Item.ID, Item>

  var edit: ItemsEdit<Item.ID, Item>
  let order: SectionTitleOrder
  let keepsEmptySections: Bool

  // MARK: - Reading

  /// The titles of the sections, in order.
  public var titles: [String] {
    (0..<edit.items.sectionCount).map { edit.items.index.header(ofSection: $0).title }
  }

  /// The number of items in all sections.
  public var numberOfItems: Int { edit.items.count }

  /// The items of the section with a title, in order; nil where there is no such section.
  public subscript(title: String) -> [Item]? { edit.items.list(inSection: title) }

  /// Returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    edit.items.row(at: try existing(path)).item
  }

  /// Returns the path of an item, or nil where there is none with that identity.
  public func path(of id: Item.ID) -> ItemPath? { edit.items.path(of: id) }

  // MARK: - Changing sections

  /// Replaces the items of a section, which is made where there is none.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  /// - Complexity: O(*k* log *n*) for *k* items in the section before and after.
  public mutating func setItems(
    _ items: some Sequence<Item>, inSection title: String
  ) throws(DataSourceError) {
    let items = Array(items)
    let former = edit.items.index.sectionOrdinal(of: .text(title))
    var seen: Set<IdentityKey<Item.ID>> = []
    for item in items {
      let path = edit.items.path(of: item.id)
      guard seen.insert(IdentityKey(item.id)).inserted, path == nil || path?.section == former
      else {
        throw .duplicateIdentity(item.id)
      }
    }
    if let former { removeRows(ofSection: former) }
    if former == nil, items.isEmpty, !keepsEmptySections { return }
    try insert(items, at: ItemPath(section: makeSection(title), item: 0))
    settle(title)
  }

  /// Appends items to a section, which is made where there is none.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  /// - Complexity: O(*k* log *n*) for *k* items to append.
  public mutating func append(
    _ items: some Sequence<Item>, toSection title: String
  ) throws(DataSourceError) {
    let items = Array(items)
    if items.isEmpty, !keepsEmptySections { return }
    try edit.items.checkThatNew(items)
    let section = makeSection(title)
    let count = edit.items.index.count(inSection: section)
    try insert(items, at: ItemPath(section: section, item: count))
  }

  /// Removes a section with its items, if there is one with the title.
  public mutating func removeSection(_ title: String) {
    guard let section = edit.items.index.sectionOrdinal(of: .text(title)) else { return }
    removeRows(ofSection: section)
    edit.removeSection(at: section)
  }

  /// Replaces everything.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  /// - Complexity: O(*n* log *n*) in the number of items before and after.
  public mutating func replace(with sections: [String: [Item]]) throws(DataSourceError) {
    edit.replaceAll(
      with: try Self.arrange(sections, order: order, keepsEmptySections: keepsEmptySections))
  }

  // MARK: - Changing items

  /// Inserts an item before the one at a path, or behind the last one of a section.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public mutating func insert(_ item: Item, at path: ItemPath) throws(DataSourceError) {
    guard edit.items.contains(path) || edit.items.isEnd(path) else { throw .noSuchPath(path) }
    try edit.insert(Items.Row(id: item.id, item: item), at: path)
  }

  /// Removes and returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  @discardableResult
  public mutating func remove(at path: ItemPath) throws(DataSourceError) -> Item {
    let row = edit.removeRow(at: try existing(path))
    settle(path.section)
    return row.item
  }

  /// Replaces the item at a path; it stays in its section.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public mutating func replace(at path: ItemPath, with item: Item) throws(DataSourceError) {
    if IdentityKey(edit.items.row(at: try existing(path)).id) == IdentityKey(item.id) {
      return edit.setItem(item, at: path)
    }
    try edit.items.checkThatNew([item])
    edit.removeRow(at: path)
    try edit.insert(Items.Row(id: item.id, item: item), at: path)
  }

  /// Moves the item at a path, also into another section.
  ///
  /// See ``ItemMoving/move(from:to:)``.
  public mutating func move(from path: ItemPath, to target: ItemPath) throws(DataSourceError) {
    var end = target
    if target.section == path.section { end.item &+= 1 }
    guard edit.items.contains(try existing(path)), target.item >= 0,
      edit.items.contains(end) || edit.items.isEnd(end)
    else { throw .noSuchPath(target) }
    try edit.insert(edit.removeRow(at: path), at: target)
    settle(path.section)
  }
}

extension DictionaryEdit {
  static func arrange(
    _ sections: [String: [Item]], order: SectionTitleOrder, keepsEmptySections: Bool
  ) throws(DataSourceError) -> Items {
    let titles = sections.keys.sorted(by: order.precedes)
    return try Items(
      titles.compactMap { title in
        let rows = (sections[title] ?? []).map { Items.Row(id: $0.id, item: $0) }
        guard keepsEmptySections || !rows.isEmpty else { return nil }
        return Items.Section(header: header(title), rows: rows)
      })
  }

  private static func header(_ title: String) -> SourceSection {
    SourceSection(identity: .text(title), title: title)
  }

  private func existing(_ path: ItemPath) throws(DataSourceError) -> ItemPath {
    guard edit.items.contains(path) else { throw .noSuchPath(path) }
    return path
  }

  private mutating func insert(_ items: [Item], at path: ItemPath) throws(DataSourceError) {
    for (offset, item) in items.enumerated() {
      let place = ItemPath(section: path.section, item: path.item + offset)
      try edit.insert(Items.Row(id: item.id, item: item), at: place)
    }
  }

  private mutating func removeRows(ofSection section: Int) {
    for offset in (0..<edit.items.index.count(inSection: section)).reversed() {
      edit.removeRow(at: ItemPath(section: section, item: offset))
    }
  }

  /// Returns the ordinal of the section with a title, which is made where there is none.
  private mutating func makeSection(_ title: String) -> Int {
    if let known = edit.items.index.sectionOrdinal(of: .text(title)) { return known }
    let ordinal = partition(edit.items.sectionCount) {
      order.precedes(title, edit.items.index.header(ofSection: $0).title)
    }
    edit.insertSection(Self.header(title), at: ordinal)
    return ordinal
  }

  private mutating func settle(_ title: String) {
    if let section = edit.items.index.sectionOrdinal(of: .text(title)) { settle(section) }
  }

  private mutating func settle(_ section: Int) {
    guard !keepsEmptySections, edit.items.index.count(inSection: section) == 0 else { return }
    edit.removeSection(at: section)
  }
}

extension SectionedItems {
  /// Returns whether a path is just behind the last row of a section.
  func isEnd(_ path: ItemPath) -> Bool {
    path.section >= 0 && path.section < sectionCount
      && path.item == index.count(inSection: path.section)
  }

  /// Returns the items of the section with a title as its identity, or nil where there is none.
  func list(inSection title: String) -> [Item]? {
    index.sectionOrdinal(of: .text(title)).map { rows(inSection: $0).map(\.item) }
  }
}
