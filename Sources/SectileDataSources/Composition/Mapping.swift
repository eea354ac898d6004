internal import SectileCore

/// Shows the rows of its input as something else, in the same places.
struct Mapping<InputID, InputItem, ItemID, Item>: Composition
where InputID: Hashable & Sendable, InputItem: Sendable, ItemID: Hashable & Sendable, Item: Sendable
{
  let id: @Sendable (InputID) -> ItemID
  let inputID: @Sendable (ItemID) -> InputID?
  let transform: @Sendable (InputItem) throws -> Item
  /// What a header becomes, given how many rows its section has.
  var header: @Sendable (SourceSection, _ count: Int) -> SourceSection = { header, _ in header }
  /// Whether that depends on how many there are.
  var seesCounts = false

  struct Result: Arrangement {
    let input: any DataSourceSnapshot<InputID, InputItem>
    let rule: Mapping

    var aggregates: AggregateValues { input.aggregates }
    var numberOfSections: Int { input.numberOfSections }
    var numberOfItems: Int { input.numberOfItems }
    func numberOfItems(in section: Int) -> Int { input.numberOfItems(in: section) }
    func header(ofSection section: Int) -> SourceSection {
      rule.header(input.sections[section], input.numberOfItems(in: section))
    }
    func section(withIdentity identity: StoredValue) -> Int? {
      input.section(withIdentity: identity)
    }
    func item(at path: ItemPath) throws -> Item { try rule.transform(input.item(at: path)) }
    func id(at path: ItemPath) -> ItemID { rule.id(input.id(at: path)) }
    func path(of id: ItemID) -> ItemPath? { rule.inputID(id).flatMap { input.path(of: $0) } }
    func rank(of path: ItemPath) -> Int { input.rank(of: path) }
    func path(atRank rank: Int) -> ItemPath { input.path(atRank: rank) }
    func scan(_ body: (ItemID, Item, Int) throws -> Void) throws {
      try input.scan { try body(rule.id($0), try rule.transform($1), $2) }
    }
    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) { (0, path) }
    func origin(ofAbsentSection identity: StoredValue) -> (input: Int, identity: StoredValue)? {
      (0, identity)
    }
  }

  func origin(of id: ItemID) -> (input: Int, id: InputID)? { inputID(id).map { (0, $0) } }

  func arrange(
    _ inputs: [any DataSourceSnapshot<InputID, InputItem>]
  ) -> Result { Result(input: inputs[0], rule: self) }

  func follow(_ change: InputChange<InputID, InputItem>, from old: Result) -> Followed<Result> {
    let new = arrange(change.after)
    let header = header
    let (before, after) = (change.old, change.new)
    let translation = ChangesetTranslation<InputID, InputItem, ItemID, Item>(
      headerBefore: { header($0, before.numberOfItems(in: $1)) },
      headerAfter: { header($0, after.numberOfItems(in: $1)) },
      ownUpdates: seesCounts ? countUpdates(change.changes, from: old, to: new) : [], id: id,
      payload: { [transform] in $0.map(transform) })
    return Followed(result: new, changes: translation(change.changes))
  }

  /// Updates of sections that the input does not update, but which have more or fewer rows.
  ///
  /// - Complexity: O(*c*) for *c* changed rows.
  private func countUpdates(
    _ changes: Changeset<InputID, InputItem>, from old: Result, to new: Result
  ) -> [SectionUpdate] {
    guard old.numberOfSections > 0 else { return [] }
    var sources = Set(changes.deletes.map(\.path.section) + changes.moves.map(\.source.section))
    let targets = Set(changes.inserts.map(\.path.section) + changes.moves.map(\.target.section))
    for target in targets {
      let identity = new.input.sections[target].identity
      if let source = old.section(withIdentity: identity) { sources.insert(source) }
    }
    return sources.subtracting(changes.sectionUpdates.map(\.source)).compactMap { source in
      let identity = old.input.sections[source].identity
      guard let target = new.section(withIdentity: identity) else { return nil }
      let (before, after) = (old.header(ofSection: source), new.header(ofSection: target))
      guard before != after else { return nil }
      return SectionUpdate(source: source, target: target, before: before, header: after)
    }
  }
}

extension ItemPayload {
  /// Returns the payload of what an item becomes, worked out when it is asked for.
  func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Item) throws -> Other
  ) -> ItemPayload<Other> {
    .deferred { try transform(item) }
  }
}
