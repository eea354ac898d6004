internal import HashTreeCollections
internal import SectileCore

/// Sections and the items in them, as a value whose copies share what neither has changed since.
///
/// ```text
/// index        sections, and in them handles in order    path ↔ handle
/// rows         handle → identity and item
/// handles      identity → handle
/// sequence     the handles in the order of an array, where the sections are made of one
/// ```
///
/// Every question of position is answered, and every item inserted, removed or replaced, in
/// O(log *n*); the first change of a copy copies some kilobytes, whatever the number of items.
/// Identities are hashed and compared by all that finds or changes an item by identity, so none of
/// it may be done under a lock.
struct SectionedItems<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Row = SectionedContents<ItemID, Item>.Row
  typealias Section = SectionedContents<ItemID, Item>.Section

  private(set) var index = SectionedIndex()
  /// All rows in the order of the array that the sections are made of; nil where the sections say
  /// it all.
  private(set) var sequence: SectionedIndex?
  private var rows = SlotTable<Row>()
  private var handles = TreeDictionary<IdentityKey<ItemID>, Int32>()

  /// Creates empty contents.
  init() {}

  /// Creates contents of sections and rows.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  /// - Complexity: O(*n*).
  init(_ sections: some Sequence<Section>) throws(DataSourceError) {
    var builder = SectionedIndexBuilder()
    for section in sections {
      builder.appendSection(section.header)
      for row in section.rows { builder.appendRow(try register(row)) }
    }
    index = builder.finish()
  }

  /// Creates contents of an array, whose items a closure puts into sections.
  ///
  /// The sections stand in the order in which their first items stand in the array.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  /// - Complexity: O(*n*).
  init(
    grouping rows: some Sequence<Row>, by section: (Row) -> SourceSection
  ) throws(DataSourceError) {
    var headers: [SourceSection] = []
    var members: [[Int32]] = []
    var ordinals: [StoredValue: Int] = [:]
    var array = SectionedIndexBuilder()
    array.appendSection(SourceSection(identity: .null, title: ""))
    for row in rows {
      let handle = try register(row)
      array.appendRow(handle)
      let header = section(row)
      let ordinal = ordinals[header.identity] ?? headers.count
      if ordinal == headers.count {
        ordinals[header.identity] = ordinal
        headers.append(header)
        members.append([])
      }
      members[ordinal].append(handle)
    }
    var builder = SectionedIndexBuilder()
    for (header, handles) in zip(headers, members) {
      builder.appendSection(header)
      for handle in handles { builder.appendRow(handle) }
    }
    sequence = array.finish()
    index = builder.finish()
  }

  // MARK: - Reading

  var count: Int { index.count }
  var sectionCount: Int { index.sectionCount }
  var isEmpty: Bool { index.count == 0 && index.sectionCount == 0 }

  func contains(_ path: ItemPath) -> Bool {
    index.contains(path)
  }

  /// Returns the number of rows in a section; zero where there is no such section.
  func count(inSection section: Int) -> Int {
    section >= 0 && section < sectionCount ? index.count(inSection: section) : 0
  }

  func contains(_ id: ItemID) -> Bool { handles[IdentityKey(id)] != nil }

  /// Returns the row at a path.
  ///
  /// - Precondition: `path` exists.
  func row(at path: ItemPath) -> Row { rows[index.handle(at: path)] }

  /// Returns the row at a rank.
  ///
  /// - Precondition: `rank` is in `0..<count`.
  func row(atRank rank: Int) -> Row { rows[index.handle(atRank: rank)] }

  func path(of id: ItemID) -> ItemPath? {
    handles[IdentityKey(id)].flatMap { index.path(of: $0) }
  }

  func rank(of id: ItemID) -> Int? {
    handles[IdentityKey(id)].flatMap { index.rank(of: $0) }
  }

  /// Returns the position in the array of the row at a path.
  ///
  /// - Precondition: `path` exists.
  func position(at path: ItemPath) -> Int {
    guard let sequence else { return index.rank(at: path) }
    let handle = index.handle(at: path)
    guard let position = sequence.rank(of: handle) else {
      preconditionFailure("the row at \(path) is not in the array")
    }
    return position
  }

  func item(of id: ItemID) -> Item? { handles[IdentityKey(id)].map { rows[$0].item } }

  /// Returns all rows of a section, in order.
  func rows(inSection section: Int) -> [Row] { index.handles(inSection: section).map { rows[$0] } }

  /// Calls a closure once for each row, with its rank, by where they are in memory.
  ///
  /// - Complexity: O(*n*).
  func scan(_ body: (ItemID, Item, Int) throws -> Void) rethrows {
    let ranks = index.ranksByHandle
    try rows.forEach { handle, row in try body(row.id, row.item, Int(ranks[Int(handle)])) }
  }

  /// Returns everything, as a plain value.
  ///
  /// - Complexity: O(*n*).
  func contents(version: Int) -> SectionedContents<ItemID, Item> {
    SectionedContents(
      version: version,
      sections: (0..<sectionCount).map {
        Section(header: index.header(ofSection: $0), rows: rows(inSection: $0))
      })
  }

  // MARK: - Changing rows

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - path: A path that exists, or is just behind the last row of a section.
  ///   - position: The row's position in the array, if the sections are made of one.
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  mutating func insert(
    _ row: Row, at path: ItemPath, position: Int? = nil
  ) throws(DataSourceError) {
    let handle = try register(row)
    if let position {
      var edits = IndexEdits()
      let place = ItemPath(section: 0, item: position)
      edits.insertedRows = [IndexEdits.Row(path: place, handle: handle)]
      sequence?.apply(edits)
    }
    var edits = IndexEdits()
    edits.insertedRows = [IndexEdits.Row(path: path, handle: handle)]
    index.apply(edits)
  }

  /// Removes and returns the row at a path.
  ///
  /// - Precondition: `path` exists.
  @discardableResult
  mutating func removeRow(at path: ItemPath) -> Row {
    let handle = index.handle(at: path)
    let row = rows[handle]
    if let position = sequence?.rank(of: handle) {
      var edits = IndexEdits()
      edits.removedRows = [ItemPath(section: 0, item: position)]
      sequence?.apply(edits)
    }
    var edits = IndexEdits()
    edits.removedRows = [path]
    index.apply(edits)
    handles[IdentityKey(row.id)] = nil
    rows.remove(handle)
    return row
  }

  /// Replaces the item at a path by another one of the same identity.
  ///
  /// - Precondition: `path` exists.
  mutating func setItem(_ item: Item, at path: ItemPath) {
    rows[index.handle(at: path)].item = item
  }

  private mutating func register(_ row: Row) throws(DataSourceError) -> Int32 {
    let handle = rows.insert(row)
    guard let former = handles.updateValue(handle, forKey: IdentityKey(row.id)) else {
      return handle
    }
    handles[IdentityKey(row.id)] = former
    rows.remove(handle)
    throw DataSourceError.duplicateIdentity(row.id)
  }

  // MARK: - Changing sections

  /// Inserts a section without rows.
  mutating func insertSection(_ header: SourceSection, at ordinal: Int) {
    var edits = IndexEdits()
    edits.insertedSections = [IndexEdits.Section(ordinal: ordinal, header: header)]
    index.apply(edits)
  }

  /// Removes a section.
  ///
  /// - Precondition: The section has no rows.
  mutating func removeSection(at ordinal: Int) {
    precondition(
      index.count(inSection: ordinal) == 0, "section \(ordinal) still has rows")
    var edits = IndexEdits()
    edits.removedSections = [ordinal]
    index.apply(edits)
  }

  /// Moves a section with its rows to where it is once it was taken out.
  mutating func moveSection(from source: Int, to target: Int) {
    guard source != target else { return }
    var edits = IndexEdits()
    edits.movedSections = [IndexEdits.SectionShift(source: source, target: target)]
    index.apply(edits)
  }

  /// Replaces a section's header by another one of the same identity.
  mutating func setHeader(_ header: SourceSection, ofSection ordinal: Int) {
    index.setHeader(header, ofSection: ordinal)
  }
}

extension SectionedItems where Item: Identifiable, Item.ID == ItemID {
  /// Throws where an item is there already, or twice among those that are to come.
  func checkThatNew(_ items: [Item]) throws(DataSourceError) {
    var seen: Set<IdentityKey<ItemID>> = []
    for item in items
    where contains(item.id) || !seen.insert(IdentityKey(item.id)).inserted {
      throw .duplicateIdentity(item.id)
    }
  }
}
