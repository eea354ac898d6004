public import SectileCore

/// Several changes of an ``ArrayDataSource`` on their way to become one changeset.
///
/// Paths refer to the contents as the changes before have left them.
///
/// ```swift
/// try source.batch { edit in
///   try edit.remove(at: path)
///   try edit.append(contentsOf: news)
/// }
/// ```
public struct ArrayEdit<Item: Identifiable & Sendable> where Item.ID: Sendable {
  var edit: ItemsEdit<Item.ID, Item>
  let section: (@Sendable (Item) -> SourceSection)?

  init(
    _ edit: ItemsEdit<Item.ID, Item>, sectionedBy section: (@Sendable (Item) -> SourceSection)?
  ) {
    self.edit = edit
    self.section = section
  }

  // MARK: - Reading

  /// The number of items in all sections.
  public var numberOfItems: Int { edit.items.count }

  /// The number of sections.
  public var numberOfSections: Int { edit.items.sectionCount }

  /// Returns the number of items in a section; zero where there is no such section.
  public func numberOfItems(in section: Int) -> Int { edit.items.count(inSection: section) }

  /// Returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    edit.items.row(at: try existing(path)).item
  }

  /// Returns the path of an item, or nil where there is none with that identity.
  public func path(of id: Item.ID) -> ItemPath? { edit.items.path(of: id) }

  // MARK: - Changing

  /// Inserts an item.
  ///
  /// See ``ArrayDataSource/insert(_:at:)``.
  public mutating func insert(_ item: Item, at path: ItemPath) throws(DataSourceError) {
    try insert(item, atPosition: try position(at: path))
  }

  /// Appends an item to the array.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  public mutating func append(_ item: Item) throws(DataSourceError) {
    try insert(item, atPosition: edit.items.count)
  }

  /// Appends items to the array.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; nothing is appended then.
  public mutating func append(contentsOf items: some Sequence<Item>) throws(DataSourceError) {
    let items = Array(items)
    try edit.items.checkThatNew(items)
    for item in items { try append(item) }
  }

  /// Removes and returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  @discardableResult
  public mutating func remove(at path: ItemPath) throws(DataSourceError) -> Item {
    let path = try existing(path)
    let row = edit.removeRow(at: path)
    settle(path.section)
    return row.item
  }

  /// Replaces the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public mutating func replace(at path: ItemPath, with item: Item) throws(DataSourceError) {
    let path = try existing(path)
    let former = edit.items.row(at: path)
    guard IdentityKey(former.id) == IdentityKey(item.id) else {
      guard !edit.items.contains(item.id) else { throw .duplicateIdentity(item.id) }
      return try reinsert(item, from: path)
    }
    let header = edit.items.index.header(ofSection: path.section)
    if let section, section(item).identity != header.identity {
      return try reinsert(item, from: path)
    }
    edit.setItem(item, at: path)
    settle(path.section)
  }

  /// Moves the item at a path to where another path points to once the item is taken out.
  ///
  /// See ``ItemMoving/move(from:to:)``.
  public mutating func move(from path: ItemPath, to target: ItemPath) throws(DataSourceError) {
    let path = try existing(path)
    var position = edit.items.position(at: path)
    if path == target { return }
    // Where the neighbours of the new place are while the item is still in its old one.
    let isDownward = target.section == path.section && target.item > path.item
    let after = ItemPath(section: target.section, item: target.item &+ (isDownward ? 1 : 0))
    let before = ItemPath(section: after.section, item: after.item &- 1)
    let own = position
    if edit.items.contains(after) {
      position = edit.items.position(at: after)
    } else if edit.items.contains(before) {
      position = edit.items.position(at: before) + 1
    } else {
      throw .noSuchPath(target)
    }
    if position > own { position -= 1 }
    let row = edit.removeRow(at: path)
    settle(path.section)
    try insert(row.item, atPosition: position)
  }

  /// Replaces the array.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; nothing has changed then.
  /// - Complexity: O(*n* log *n*) in the number of items before and after.
  public mutating func replace(with items: some Sequence<Item>) throws(DataSourceError) {
    edit.replaceAll(with: try Self.arrange(items, sectionedBy: section))
  }

  static func arrange(
    _ items: some Sequence<Item>, sectionedBy section: (@Sendable (Item) -> SourceSection)?
  ) throws(DataSourceError) -> SectionedItems<Item.ID, Item> {
    let rows = items.lazy.map { SectionedItems<Item.ID, Item>.Row(id: $0.id, item: $0) }
    if let section {
      return try SectionedItems(grouping: rows) { section($0.item) }
    }
    let only = SectionedContents.Section(header: Self.untitled, rows: Array(rows))
    return try SectionedItems(only.rows.isEmpty ? [] : [only])
  }
}

extension ArrayEdit {
  private static var untitled: SourceSection { SourceSection(identity: .null, title: "") }

  private func existing(_ path: ItemPath) throws(DataSourceError) -> ItemPath {
    guard edit.items.contains(path) else { throw .noSuchPath(path) }
    return path
  }

  /// Returns the position in the array of a path, which may be just behind the last item of a
  /// section.
  private func position(at path: ItemPath) throws(DataSourceError) -> Int {
    if edit.items.contains(path) { return edit.items.position(at: path) }
    let before = ItemPath(section: path.section, item: path.item &- 1)
    if edit.items.contains(before) { return edit.items.position(at: before) + 1 }
    guard path == ItemPath(section: edit.items.sectionCount, item: 0) else {
      throw .noSuchPath(path)
    }
    return edit.items.count
  }

  // MARK: - Keeping the sections as the array says

  private mutating func reinsert(_ item: Item, from path: ItemPath) throws(DataSourceError) {
    let position = edit.items.position(at: path)
    edit.removeRow(at: path)
    settle(path.section)
    try insert(item, atPosition: position)
  }

  private mutating func insert(_ item: Item, atPosition position: Int) throws(DataSourceError) {
    guard !edit.items.contains(item.id) else { throw .duplicateIdentity(item.id) }
    let header = section?(item) ?? Self.untitled
    let path: ItemPath
    var isFirst = false
    if let ordinal = edit.items.index.sectionOrdinal(of: header.identity) {
      path = ItemPath(section: ordinal, item: offset(ofPosition: position, inSection: ordinal))
      isFirst = path.item == 0
    } else {
      path = ItemPath(section: ordinal(ofPosition: position), item: 0)
      edit.insertSection(header, at: path.section)
    }
    try edit.insert(
      SectionedItems.Row(id: item.id, item: item), at: path,
      position: section == nil ? nil : position)
    if isFirst { settle(path.section) }
  }

  /// Removes a section that is empty, and brings any other to where its first item says.
  private mutating func settle(_ ordinal: Int) {
    guard edit.items.index.count(inSection: ordinal) > 0 else {
      return edit.removeSection(at: ordinal)
    }
    guard let section else { return }
    let first = ItemPath(section: ordinal, item: 0)
    edit.setHeader(section(edit.items.row(at: first).item), ofSection: ordinal)
    let position = edit.items.position(at: first)
    edit.moveSection(from: ordinal, to: self.ordinal(ofPosition: position, except: ordinal))
  }

  /// Returns the number of items in a section that come before a position in the array.
  private func offset(ofPosition position: Int, inSection ordinal: Int) -> Int {
    guard section != nil else { return position }
    return partition(edit.items.index.count(inSection: ordinal)) {
      edit.items.position(at: ItemPath(section: ordinal, item: $0)) >= position
    }
  }

  /// Returns the number of sections, one of them left out, that begin before a position.
  private func ordinal(ofPosition position: Int, except ordinal: Int? = nil) -> Int {
    let limit = ordinal ?? edit.items.sectionCount
    return partition(edit.items.sectionCount - (ordinal == nil ? 0 : 1)) {
      let other = ItemPath(section: $0 < limit ? $0 : $0 + 1, item: 0)
      return edit.items.position(at: other) >= position
    }
  }
}
