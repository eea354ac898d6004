public import SectileCore

/// Shows the rows of its first input in sections that are the rows of its second one.
///
/// ```text
/// first    A: a b   B: c   Z: z         second   "Bees" B, "Cees" C, "Ays" A
/// shown    "Bees": c   "Cees":   "Ays": a b
/// ```
///
/// A section of the first input belongs to the row of the second whose header has its identity, and
/// is not shown where there is none.
struct ParentSections<ChildID, Child, ParentID, Parent>: Composition
where ChildID: Hashable & Sendable, Child: Sendable, ParentID: Hashable & Sendable, Parent: Sendable
{
  typealias InputID = ChildOrParent<ChildID, ParentID>
  typealias InputItem = ChildOrParent<Child, Parent>
  typealias ItemID = ChildID
  typealias Item = Child
  typealias Input = any DataSourceSnapshot<InputID, InputItem>

  /// Returns the section that a parent is.
  let header: @Sendable (Parent) -> SourceSection

  /// Sections are there before their rows come into them.
  var loadsLastInputFirst: Bool { true }

  struct Result: Arrangement {
    let children: Input
    let parents: Input
    /// The section that each parent is.
    let headers: [IdentityKey<InputID>: SourceSection]
    /// The parents that are shown, in order: of several with one identity the first.
    private var shown: [InputID] = []
    private var ordinals: [StoredValue: Int] = [:]
    /// The children's section that each section shows, if there is one.
    private var sources: [Int?] = []
    /// Where each of the children's sections is shown, if it is.
    private var places: [Int?] = []
    /// The rank of each section's first row, and the number of rows at the end.
    private var starts = [0]

    init(
      _ children: Input, _ parents: Input, _ headers: [IdentityKey<InputID>: SourceSection]
    ) {
      (self.children, self.parents, self.headers) = (children, parents, headers)
      places = Array(repeating: nil, count: children.numberOfSections)
      for section in 0..<parents.numberOfSections {
        for item in 0..<parents.numberOfItems(in: section) {
          append(parents.id(at: ItemPath(section: section, item: item)))
        }
      }
    }

    private mutating func append(_ parent: InputID) {
      guard let identity = headers[IdentityKey(parent)]?.identity, ordinals[identity] == nil
      else { return }
      let source = children.section(withIdentity: identity)
      if let source { places[source] = shown.count }
      ordinals[identity] = shown.count
      shown.append(parent)
      sources.append(source)
      starts.append(starts[starts.count - 1] + (source.map(children.numberOfItems(in:)) ?? 0))
    }

    /// The parent whose section has an identity.
    func parent(of identity: StoredValue) -> IdentityKey<InputID>? {
      ordinals[identity].map { IdentityKey(shown[$0]) }
    }

    var numberOfSections: Int { shown.count }
    var numberOfItems: Int { starts[shown.count] }
    func numberOfItems(in section: Int) -> Int { starts[section + 1] - starts[section] }
    func header(ofSection section: Int) -> SourceSection {
      guard let header = headers[IdentityKey(shown[section])] else {
        preconditionFailure("section \(section) is shown, and its parent is not known")
      }
      return header.with(sources[section].map { children.sections[$0].aggregates } ?? .empty)
    }
    func section(withIdentity identity: StoredValue) -> Int? { ordinals[identity] }
    func item(at path: ItemPath) throws -> Child {
      guard case .child(let item) = try children.item(at: childPath(path)) else {
        preconditionFailure("the row at \(path) is no child")
      }
      return item
    }
    func id(at path: ItemPath) -> ChildID {
      guard case .child(let id) = children.id(at: childPath(path)) else {
        preconditionFailure("the row at \(path) is no child")
      }
      return id
    }
    func path(of id: ChildID) -> ItemPath? {
      guard let path = children.path(of: .child(id)), let section = places[path.section] else {
        return nil
      }
      return ItemPath(section: section, item: path.item)
    }
    func rank(of path: ItemPath) -> Int { starts[path.section] + path.item }
    func path(atRank rank: Int) -> ItemPath {
      // The last section that starts there or before; empty ones start where the next one does.
      let section = starts.partitioningIndex { $0 > rank } - 1
      return ItemPath(section: section, item: rank - starts[section])
    }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, childPath(path)) }
    func origin(ofSection section: Int) -> (input: Int, section: Int?) { (0, sources[section]) }
    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      // Where no parent is that section, its items are not shown.
      ordinals[identity] == nil ? nil : (0, identity)
    }

    private func childPath(_ path: ItemPath) -> ItemPath {
      guard let source = sources[path.section] else {
        preconditionFailure("the section of \(path) is empty")
      }
      return ItemPath(section: source, item: path.item)
    }
  }

  func origin(of id: ChildID) -> (input: Int, id: InputID)? { (0, .child(id)) }

  func arrange(_ inputs: [Input]) throws -> Result {
    var headers: [IdentityKey<InputID>: SourceSection] = [:]
    headers.reserveCapacity(inputs[1].numberOfItems)
    try inputs[1].scan { id, item, _ in headers[IdentityKey(id)] = try header(of: item) }
    return Result(inputs[0], inputs[1], headers)
  }

  private func header(of item: InputItem) throws -> SourceSection? {
    if case .parent(let parent) = item { header(parent) } else { nil }
  }

  func follow(
    _ change: InputChange<InputID, InputItem>, from old: Result
  ) throws -> Followed<Result> {
    change.input == 0 ? followChildren(change, from: old) : try followParents(change, from: old)
  }

  private func followChildren(
    _ change: InputChange<InputID, InputItem>, from old: Result
  ) -> Followed<Result> {
    let new = Result(change.new, old.parents, old.headers)
    var rows = TouchedRows<ChildID, Child>(
      change, withMovedSections: false,
      id: { id in
        guard case .child(let id) = id else { preconditionFailure("\(id) is no child") }
        return id
      },
      payload: { _, payload in
        payload.map { item in
          guard case .child(let child) = item else { preconditionFailure("a row is no child") }
          return child
        }
      })
    // Sections have aggregates of their rows; their order is the parents'.
    rows.touchSections(of: change.changes) { $0 }
    rows.movableSections = []
    return Followed(result: new, changes: rows.changes(from: old, to: new))
  }

  private func followParents(
    _ change: InputChange<InputID, InputItem>, from old: Result
  ) throws -> Followed<Result> {
    let changes = change.changes
    var headers = old.headers
    var touched = Set(changes.moves.map { IdentityKey($0.id) })
    for row in changes.deletes {
      headers[IdentityKey(row.id)] = nil
      touched.insert(IdentityKey(row.id))
    }
    func write(_ id: InputID, _ payload: ItemPayload<InputItem>) throws {
      headers[IdentityKey(id)] = try header(of: payload.item)
      touched.insert(IdentityKey(id))
    }
    for row in changes.inserts { try write(row.id, row.payload) }
    for row in changes.updates { try write(row.id, row.payload) }
    for row in changes.moves where row.isContentChanged { try write(row.id, row.payload) }
    let new = Result(old.children, change.new, headers)
    var rows = TouchedRows<ChildID, Child>()
    for id in touched {
      for header in [old.headers[id], headers[id]] {
        if let header { rows.touchedSections.insert(header.identity) }
      }
    }
    for row in changes.moves { note(row.id, of: new, &rows.movableSections) }
    // What moves with a section of the parents is not listed.
    for section in changes.sectionMoves {
      for item in 0..<change.new.numberOfItems(in: section.target) {
        let id = change.new.id(at: ItemPath(section: section.target, item: item))
        note(id, of: new, &rows.movableSections)
      }
    }
    for identity in rows.touchedSections {
      let (former, latter) = (old.parent(of: identity), new.parent(of: identity))
      // Another parent has the same identity.
      if former != latter { rows.movableSections.insert(identity) }
      guard (former == nil) != (latter == nil),
        let section = old.children.section(withIdentity: identity)
      else { continue }
      for item in 0..<old.children.numberOfItems(in: section) {
        let id = old.children.id(at: ItemPath(section: section, item: item))
        if case .child(let id) = id { rows.touch(id) }
      }
    }
    return Followed(result: new, changes: rows.changes(from: old, to: new))
  }

  private func note(_ id: InputID, of result: Result, _ identities: inout Set<StoredValue>) {
    if let header = result.headers[IdentityKey(id)] { identities.insert(header.identity) }
  }
}

/// A row of one of two inputs, or its identity.
enum ChildOrParent<Child, Parent> {
  case child(Child)
  case parent(Parent)
}

extension ChildOrParent: Sendable where Child: Sendable, Parent: Sendable {}
extension ChildOrParent: Equatable where Child: Equatable, Parent: Equatable {}
extension ChildOrParent: Hashable where Child: Hashable, Parent: Hashable {}

extension DataSource {
  /// Returns a source with a section for each item of another source, also where no item of this
  /// one is in it.
  ///
  /// The sections stand in the order of the other source's items; they come, go, move and are
  /// renamed with these. A section shows the items of this source's section of the same identity.
  ///
  /// ```swift
  /// let columns = try store.results(of: FetchRequest<Column>().sort(by: \.position))
  /// let cards = try store.results(
  ///   of: FetchRequest<Card>().sectioned(by: \.columnID).sort(by: \.position))
  /// let board = cards.sectioned(
  ///   by: { SourceSection(identity: .integer($0.id), title: $0.name) }, of: columns)
  /// ```
  /// ```text
  /// To do     Buy paint, Ask Ada
  /// Doing
  /// Done      Measure the wall
  /// ```
  ///
  /// Items whose section is none of the other source's are not shown. A commit that changes both
  /// sources is one changeset. Where this source is results of a store, sectioned by a column and
  /// reorderable, items can be moved and inserted into sections without items, too.
  ///
  /// - Parameters:
  ///   - header: Returns the section that an item of the other source is: its identity is that of a
  ///     section of this source. Of several items with one identity the first counts. The section's
  ///     aggregates are those of this source's.
  ///   - parents: The source whose items are the sections.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: O(*p* + *s*) for each change, of *p* sections and *s* of this source, and O(log
  ///   *n*) for each changed item.
  public func sectioned<Parents: DataSource>(
    by header: @escaping @Sendable (Parents.Item) -> SourceSection, of parents: Parents
  ) -> ComposedDataSource<ItemID, Item> {
    typealias Rule = ParentSections<ItemID, Item, Parents.ItemID, Parents.Item>
    let rows = ComposedDataSource(
      Mapping<ItemID, Item, Rule.InputID, Rule.InputItem>(
        id: { .child($0) }, inputID: { if case .child(let id) = $0 { id } else { nil } },
        transform: { .child($0) }),
      of: [self])
    let sections = ComposedDataSource(
      Mapping<Parents.ItemID, Parents.Item, Rule.InputID, Rule.InputItem>(
        id: { .parent($0) }, inputID: { if case .parent(let id) = $0 { id } else { nil } },
        transform: { .parent($0) }),
      of: [parents])
    return ComposedDataSource(Rule(header: header), of: [rows, sections], name: name)
  }
}
