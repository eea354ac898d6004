internal import SectileCore

/// Shows its input with aggregates of its rows in the headers, and of all rows.
///
/// A change costs what its own rows cost: what they counted as is taken away, and what they count
/// as now is added. See ``ItemTallies``.
struct Aggregating<ItemID: Hashable & Sendable, Item: Sendable>: Composition {
  let terms: [AggregateValues.Term<Item>]
  let names: [String]

  init(_ terms: [AggregateValues.Term<Item>]) {
    self.terms = terms
    names = terms.map(\.name)
    precondition(Set(names).count == names.count, "two aggregates have one name: \(names)")
  }

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<ItemID, Item>
    let rule: Aggregating
    let tallies: ItemTallies<ItemID>

    var aggregates: AggregateValues { rule.values(of: tallies.all, behind: input.aggregates) }
    var numberOfSections: Int { input.numberOfSections }
    var numberOfItems: Int { input.numberOfItems }
    func numberOfItems(in section: Int) -> Int { input.numberOfItems(in: section) }
    func header(ofSection section: Int) -> SourceSection { header(input.sections[section]) }
    func section(withIdentity identity: StoredValue) -> Int? {
      input.section(withIdentity: identity)
    }
    func item(at path: ItemPath) throws -> Item { try input.item(at: path) }
    func id(at path: ItemPath) -> ItemID { input.id(at: path) }
    func path(of id: ItemID) -> ItemPath? { input.path(of: id) }
    func rank(of path: ItemPath) -> Int { input.rank(of: path) }
    func path(atRank rank: Int) -> ItemPath { input.path(atRank: rank) }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws { try input.scan(body) }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, path) }
    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      (0, identity)
    }

    /// Returns what a header of the input becomes.
    func header(_ header: SourceSection) -> SourceSection {
      let tally = tallies.tally(ofSection: header.identity)
      return header.with(rule.values(of: tally, behind: header.aggregates))
    }
  }

  func origin(of id: ItemID) -> (input: Int, id: ItemID)? { (0, id) }

  func arrange(_ inputs: [any DataSourceSnapshot<ItemID, Item>]) throws -> Result {
    Result(input: inputs[0], rule: self, tallies: try ItemTallies(of: inputs[0], by: self))
  }

  func follow(
    _ change: InputChange<ItemID, Item>, from old: Result
  ) throws -> Followed<Result> {
    let (tallies, touched) = try tallies(of: change, from: old)
    let new = Result(input: change.new, rule: self, tallies: tallies)
    // Headers that the input updates are translated with what their sections come to.
    let untold = touched.subtracting(change.changes.sectionUpdates.map(\.header.identity))
    let translation = ChangesetTranslation<ItemID, Item, ItemID, Item>(
      headerBefore: { header, _ in old.header(header) },
      headerAfter: { header, _ in new.header(header) },
      ownUpdates: updates(of: untold, from: old, to: new), id: { $0 }, payload: { $0 })
    return Followed(result: new, changes: translation(change.changes))
  }

  /// Returns what an item counts as in each aggregate; nil where it counts in none.
  func operands(of item: Item) -> [AggregateOperand]? {
    let operands = terms.map { $0.operand(item) }
    return operands.allSatisfy { $0.isNothing } ? nil : operands
  }

  /// Returns the values of a tally behind those that there are already.
  private func values(of tally: ItemTally, behind others: AggregateValues) -> AggregateValues {
    others.replacing(names, with: zip(terms, tally.sums).map { $1.value($0.kind) })
  }

  /// Returns the tallies after a change, and the identities of the sections in which something
  /// counts that did not, or the other way round.
  ///
  /// - Complexity: O(*c* log *n*) for *c* changed rows.
  private func tallies(
    of change: InputChange<ItemID, Item>, from old: Result
  ) throws -> (ItemTallies<ItemID>, touched: Set<StoredValue>) {
    let changes = change.changes
    let (before, after) = (change.old.sections, change.new.sections)
    var tallies = old.tallies
    var touched: Set<StoredValue> = []
    func remove(_ id: ItemID, from section: StoredValue) -> [AggregateOperand]? {
      guard let counted = tallies.remove(id, from: section) else { return nil }
      touched.insert(section)
      return counted
    }
    func insert(_ id: ItemID, _ counted: [AggregateOperand]?, into section: StoredValue) {
      guard let counted else { return }
      tallies.insert(id, counting: counted, into: section)
      touched.insert(section)
    }
    for row in changes.deletes { _ = remove(row.id, from: before[row.path.section].identity) }
    for row in changes.moves {
      let source = before[row.source.section].identity
      let target = after[row.target.section].identity
      if !row.isContentChanged, source == target { continue }
      let former = remove(row.id, from: source)
      let counted = try row.isContentChanged ? operands(of: row.item) : former
      insert(row.id, counted, into: target)
    }
    for row in changes.updates {
      _ = remove(row.id, from: before[row.source.section].identity)
      insert(row.id, operands(of: try row.item), into: after[row.target.section].identity)
    }
    for row in changes.inserts {
      insert(row.id, operands(of: try row.item), into: after[row.path.section].identity)
    }
    return (tallies, touched)
  }

  /// Returns the updates of those sections that are there before and after, and whose header is
  /// another one.
  private func updates(
    of identities: Set<StoredValue>, from old: Result, to new: Result
  ) -> [SectionUpdate] {
    identities.compactMap { identity in
      guard let source = old.section(withIdentity: identity),
        let target = new.section(withIdentity: identity)
      else { return nil }
      let (before, after) = (old.header(ofSection: source), new.header(ofSection: target))
      guard before != after else { return nil }
      return SectionUpdate(source: source, target: target, before: before, header: after)
    }
  }
}
