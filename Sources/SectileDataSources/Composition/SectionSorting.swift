public import SectileCore
internal import Synchronization

/// Shows the sections of its input in the order of keys that are worked out from headers and
/// counts.
struct SectionSorting<ItemID: Hashable & Sendable, Item: Sendable, Key: Sendable>: Composition {
  let key: @Sendable (SourceSection, _ count: Int) -> Key
  let areInIncreasingOrder: @Sendable (Key, Key) -> Bool

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<ItemID, Item>
    /// The keys of the input's sections.
    let keys: [Key]
    /// The input's ordinals of the sections, in their order here.
    let order: [Int]
    /// Where the input's sections are here.
    let places: [Int]
    private let ranks = SectionRanks()

    init(input: any DataSourceSnapshot<ItemID, Item>, keys: [Key], order: [Int]) {
      (self.input, self.keys, self.order) = (input, keys, order)
      var places = [Int](repeating: 0, count: order.count)
      for (place, section) in order.enumerated() { places[section] = place }
      self.places = places
    }

    var aggregates: AggregateValues { input.aggregates }
    var numberOfSections: Int { order.count }
    var numberOfItems: Int { input.numberOfItems }
    func numberOfItems(in section: Int) -> Int { input.numberOfItems(in: order[section]) }
    func header(ofSection section: Int) -> SourceSection { input.sections[order[section]] }
    func section(withIdentity identity: StoredValue) -> Int? {
      input.section(withIdentity: identity).map { places[$0] }
    }
    func item(at path: ItemPath) throws -> Item { try input.item(at: inputPath(path)) }
    func id(at path: ItemPath) -> ItemID { input.id(at: inputPath(path)) }
    func path(of id: ItemID) -> ItemPath? { input.path(of: id).map(path) }
    func rank(of path: ItemPath) -> Int {
      ranks.starts(numberOfSections, numberOfItems(in:))[path.section] + path.item
    }
    func path(atRank rank: Int) -> ItemPath {
      let starts = ranks.starts(numberOfSections, numberOfItems(in:))
      // The last section that starts there or before; empty ones start where the next one does.
      let section = starts.partitioningIndex { $0 > rank } - 1
      return ItemPath(section: section, item: rank - starts[section])
    }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws {
      let starts = ranks.starts(numberOfSections, numberOfItems(in:))
      let inputStarts = SectionRanks().starts(numberOfSections, input.numberOfItems(in:))
      try input.scan { id, item, rank in
        let section = inputStarts.partitioningIndex { $0 > rank } - 1
        try body(id, item, starts[places[section]] + rank - inputStarts[section])
      }
    }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, inputPath(path)) }

    func origin(ofSection section: Int) -> (input: Int, section: Int?) { (0, order[section]) }
    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      (0, identity)
    }

    /// Returns where an input's path is here.
    func path(_ path: ItemPath) -> ItemPath {
      ItemPath(section: places[path.section], item: path.item)
    }

    private func inputPath(_ path: ItemPath) -> ItemPath {
      ItemPath(section: order[path.section], item: path.item)
    }
  }

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) -> Result {
    let input = inputs[0]
    let keys = input.sections.enumerated().map { key($1, input.numberOfItems(in: $0)) }
    return Result(input: input, keys: keys, order: keys.indices.sorted { isBefore($0, $1, keys) })
  }

  func follow(_ change: InputChange<ItemID, Item>, from old: Result) -> Followed<Result> {
    let sections = MovedSections(change.changes)
    let (keys, moved) = keys(of: change, from: old, sections)
    let order =
      sections.areSame
      ? reordered(old.order, moved, keys) : keys.indices.sorted { isBefore($0, $1, keys) }
    let new = Result(input: change.new, keys: keys, order: order)
    let translation = ChangesetTranslation<ItemID, Item, ItemID, Item>(
      sectionBefore: { old.places[$0] }, sectionAfter: { new.places[$0] },
      pathBefore: { old.path($0) }, pathAfter: { new.path($0) }, id: { $0 }, payload: { $0 },
      keepsOrder: false)
    return Followed(
      result: new, changes: translation(moving(moved, in: change, sections, from: old, to: new)))
  }

  /// Whether a section of the input comes before another one; of equal keys the input's first one
  /// does.
  private func isBefore(_ left: Int, _ right: Int, _ keys: [Key]) -> Bool {
    if areInIncreasingOrder(keys[left], keys[right]) { return true }
    if areInIncreasingOrder(keys[right], keys[left]) { return false }
    return left < right
  }

  /// The keys of the input's sections, and the ordinals after of those whose place may be another.
  private func keys(
    of change: InputChange<ItemID, Item>, from old: Result, _ sections: MovedSections
  ) -> (keys: [Key], moved: [Int]) {
    let input = change.new
    let touched = sections.touched(by: change.changes)
    func key(_ section: Int) -> Key {
      self.key(input.sections[section], input.numberOfItems(in: section))
    }
    func isOther(_ left: Key, _ right: Key) -> Bool {
      areInIncreasingOrder(left, right) || areInIncreasingOrder(right, left)
    }
    var moved = Set(sections.shifts.map(\.target))
    var keys = old.keys
    if sections.areSame {
      for section in touched {
        let now = key(section)
        if isOther(keys[section], now) { moved.insert(section) }
        keys[section] = now
      }
    } else {
      keys = (0..<input.numberOfSections).map { section in
        let source = sections.correspondence.source(of: section)
        if let source, !touched.contains(section) { return old.keys[source] }
        let now = key(section)
        if let source, isOther(old.keys[source], now) { moved.insert(section) }
        return now
      }
    }
    return (keys, moved.sorted())
  }

  /// Returns the order of the sections after some of them have other keys.
  private func reordered(_ order: [Int], _ moved: [Int], _ keys: [Key]) -> [Int] {
    guard !moved.isEmpty else { return order }
    let isMoved = Set(moved)
    var rest = order.filter { !isMoved.contains($0) }[...]
    var result: [Int] = []
    result.reserveCapacity(order.count)
    for section in moved.sorted(by: { isBefore($0, $1, keys) }) {
      let place = rest.partitioningIndex { isBefore(section, $0, keys) }
      result += rest[..<place]
      result.append(section)
      rest = rest[place...]
    }
    return result + rest
  }

  /// Returns a change of the input with the moves of sections that it is here, in the input's
  /// ordinals.
  private func moving(
    _ moved: [Int], in change: InputChange<ItemID, Item>, _ sections: MovedSections,
    from old: Result, to new: Result
  ) -> Changeset<ItemID, Item> {
    let changes = change.changes
    let eligible = moved.compactMap { target in
      sections.correspondence.source(of: target).map { source in
        IndexEdits.SectionShift(source: old.places[source], target: new.places[target])
      }
    }
    let here = SectionCorrespondence(
      oldCount: old.numberOfSections, newCount: new.numberOfSections,
      deleted: changes.sectionDeletes.map { old.places[$0.section] },
      inserted: changes.sectionInserts.map { new.places[$0.section] }, eligible: eligible)
    func move(_ shift: IndexEdits.SectionShift) -> SectionMove {
      SectionMove(
        source: old.order[shift.source], target: new.order[shift.target],
        header: new.header(ofSection: shift.target))
    }
    return Changeset(
      sourceVersion: changes.sourceVersion, targetVersion: changes.targetVersion,
      sectionDeletes: Array(changes.sectionDeletes), sectionInserts: changes.sectionInserts,
      sectionMoves: here.moves.map(move), sectionUpdates: Array(changes.sectionUpdates),
      deletes: Array(changes.deletes), inserts: changes.inserts, moves: Array(changes.moves),
      updates: Array(changes.updates), silentSections: here.stationary.map(move),
      silentRows: Array(changes.silentRows))
  }
}

/// What a changeset does to the sections of the input.
private struct MovedSections {
  /// The sections that moved or might have, where they were and where they are.
  let shifts: [IndexEdits.SectionShift]
  let correspondence: SectionCorrespondence
  /// Whether each section has the ordinal that it had.
  let areSame: Bool

  init<ItemID, Item>(_ changes: Changeset<ItemID, Item>) {
    shifts = (changes.sectionMoves + changes.silentSections).map {
      IndexEdits.SectionShift(source: $0.source, target: $0.target)
    }
    areSame =
      changes.sectionDeletes.isEmpty && changes.sectionInserts.isEmpty
      && changes.sectionMoves.isEmpty
    correspondence = SectionCorrespondence(
      deleted: changes.sectionDeletes.map(\.section),
      inserted: changes.sectionInserts.map(\.section), eligible: shifts)
  }

  /// The ordinals after of the sections whose header or count may be another.
  func touched<ItemID, Item>(by changes: Changeset<ItemID, Item>) -> Set<Int> {
    var touched = Set(changes.sectionUpdates.map(\.target))
    touched.formUnion(changes.inserts.map(\.path.section))
    touched.formUnion(changes.moves.map(\.target.section))
    let left = Set(changes.deletes.map(\.path.section) + changes.moves.map(\.source.section))
    touched.formUnion(left.compactMap { correspondence.target(of: $0) })
    return touched
  }
}

/// How many rows come before each section, counted when somebody asks.
private final class SectionRanks: Sendable {
  private let known = Mutex<[Int]?>(nil)

  func starts(_ sectionCount: Int, _ count: (Int) -> Int) -> [Int] {
    known.withLock { known in
      if let known { return known }
      var starts: [Int] = []
      starts.reserveCapacity(sectionCount + 1)
      var start = 0
      for section in 0..<sectionCount {
        starts.append(start)
        start += count(section)
      }
      starts.append(start)
      known = starts
      return starts
    }
  }
}

extension DataSource {
  /// Returns a source whose sections stand in the order of what is worked out from each: the
  /// fullest first, say.
  ///
  /// A section whose key becomes another one moves, in the changeset of the items or aggregates
  /// that changed it; as few sections move as can. Sections of equal keys stand as in this source.
  ///
  /// ```swift
  /// let size = Aggregate.sum(\Package.installedSize)
  /// let results = try store.results(of: request.sectioned(by: \.section).aggregating(size))
  /// let largest = results.sortedSections(
  ///   by: { section, _ in section.aggregates[size] ?? 0 }, .descending)
  /// let fullest = results.sortedSections(by: { _, count in count }, .descending)
  /// ```
  ///
  /// - Parameters:
  ///   - key: Returns what a section is sorted by, given its header and the number of its items;
  ///     always the same for equal arguments.
  ///   - direction: Which keys come first.
  /// - Returns: The source; it is empty until it is loaded.
  /// - Complexity: O(*s* log *s*) for *s* sections to load, and where sections come or go; else
  ///   O(*s* + *c*) for a change of *c* items.
  public func sortedSections<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (SourceSection, _ count: Int) -> Key,
    _ direction: SortDirection = .ascending
  ) -> ComposedDataSource<ItemID, Item> {
    let isDescending = direction == .descending
    return ComposedDataSource(
      SectionSorting(
        key: key, areInIncreasingOrder: { isDescending ? $1 < $0 : $0 < $1 }),
      of: [self])
  }
}
