internal import HashTreeCollections
internal import SectileCore

/// Shows the sections of parts one after the other; which parts there are changes while it runs.
///
/// The parts are known by the numbers that their inputs have in the ``InputRoster``.
struct PartRule<PartID: Hashable & Sendable, Item: Sendable>: EditableComposition {
  typealias InputID = AnyItemID
  typealias InputItem = Item
  typealias ItemID = PartItemID<PartID>
  typealias Result = PartArrangement<PartID, Item>

  struct Part: Sendable {
    let id: PartID
    /// What the identities of its sections begin with.
    let prefix: String
    /// What stands above its section without an identity; nil for what the part says.
    var title: String?
  }

  /// Whether a part without sections has an empty one.
  let keepsEmptyParts: Bool
  /// The numbers of the parts, in order.
  var order: [Int] = []
  var parts = TreeDictionary<Int, Part>()
  private var numbersByID = TreeDictionary<IdentityKey<PartID>, Int>()
  private var numbersByPrefix = TreeDictionary<IdentityKey<String>, Int>()

  init(keepsEmptyParts: Bool) {
    self.keepsEmptyParts = keepsEmptyParts
  }

  // MARK: - Parts

  var ids: [PartID] { order.compactMap { parts[$0]?.id } }

  func number(of id: PartID) -> Int? { numbersByID[IdentityKey(id)] }

  func number(ofPrefix prefix: String) -> Int? { numbersByPrefix[IdentityKey(prefix)] }

  func position(of number: Int) -> Int? {
    if order.indices.contains(number), order[number] == number { return number }
    return order.firstIndex(of: number)
  }

  func part(at position: Int) -> Part {
    guard let part = parts[order[position]] else {
      preconditionFailure("part \(order[position]) is not known")
    }
    return part
  }

  mutating func insert(_ part: Part, number: Int) {
    parts[number] = part
    numbersByID[IdentityKey(part.id)] = number
    numbersByPrefix[IdentityKey(part.prefix)] = number
  }

  mutating func remove(number: Int) {
    guard let part = parts.removeValue(forKey: number) else { return }
    numbersByID[IdentityKey(part.id)] = nil
    numbersByPrefix[IdentityKey(part.prefix)] = nil
  }

  // MARK: - Composing

  func name(ofInput input: Int) -> String? { part(at: input).prefix }

  func origin(of id: PartItemID<PartID>) -> (input: Int, id: AnyItemID)? {
    number(of: id.part).flatMap { position(of: $0) }.map { ($0, id.item) }
  }

  func arrange(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>]) -> Result {
    PartArrangement(self, inputs)
  }

  func follow(_ change: InputChange<AnyItemID, Item>, from old: Result) -> Followed<Result> {
    let (position, part) = (change.input, part(at: change.input))
    let new = old.replacing(position, with: change.new)
    // The sections of the other parts only shift, which nobody is told of.
    let start = old.sectionStarts[position]
    let translation = ChangesetTranslation<AnyItemID, Item, PartItemID<PartID>, Item>(
      sectionBefore: { start + $0 }, sectionAfter: { start + $0 },
      pathBefore: { ItemPath(section: start + $0.section, item: $0.item) },
      pathAfter: { ItemPath(section: start + $0.section, item: $0.item) },
      headerBefore: { header, _ in part.header(for: header) },
      headerAfter: { header, _ in part.header(for: header) },
      id: { PartItemID($0, inPart: part.id) },
      payload: { $0 })
    return Followed(
      result: new,
      changes: keepingSection(of: change, at: start, in: part, translation(change.changes)))
  }

  /// Puts the section of an empty part in place of sections that go, and takes it away for those
  /// that come.
  private func keepingSection(
    of change: InputChange<AnyItemID, Item>, at start: Int, in part: Part,
    _ changes: Changeset<ItemID, Item>
  ) -> Changeset<ItemID, Item> {
    let (wasEmpty, isEmpty) = (
      change.old.numberOfSections == 0, change.new.numberOfSections == 0
    )
    guard keepsEmptyParts, wasEmpty != isEmpty else { return changes }
    let kept = part.headerWhenEmpty
    var (deletes, inserts) = (Array(changes.sectionDeletes), Array(changes.sectionInserts))
    var updates: [SectionUpdate] = []
    if wasEmpty {
      if let own = change.new.section(withIdentity: .null) {
        let header = part.header(for: change.new.sections[own])
        inserts.removeAll { $0.section == start + own }
        updates = [
          SectionUpdate(source: start, target: start + own, before: kept, header: header)
        ]
      } else {
        deletes = [SectionDelete(section: start, header: kept)]
      }
    } else if let own = change.old.section(withIdentity: .null) {
      let header = part.header(for: change.old.sections[own])
      deletes.removeAll { $0.section == start + own }
      updates = [
        SectionUpdate(source: start + own, target: start, before: header, header: kept)
      ]
    } else {
      inserts = [SectionInsert(section: start, header: kept)]
    }
    return Changeset(
      sourceVersion: changes.sourceVersion, targetVersion: changes.targetVersion,
      contentsUpdate: changes.contentsUpdate, sectionDeletes: deletes,
      sectionInserts: ChangeList(inserts), sectionMoves: Array(changes.sectionMoves),
      sectionUpdates: updates.filter { $0.before != $0.header }, deletes: Array(changes.deletes),
      inserts: changes.inserts, moves: Array(changes.moves), updates: Array(changes.updates),
      silentSections: changes.silentSections, silentRows: changes.silentRows)
  }
}

extension PartRule.Part {
  init(id: PartID, title: String?) {
    self.init(id: id, prefix: StoredValue.prefix(ofPart: id), title: title)
  }

  /// The section that the part has while it is empty.
  var headerWhenEmpty: SourceSection {
    SourceSection(identity: StoredValue.null.qualified(by: prefix), title: title ?? "")
  }

  /// Returns the header that a section of the part has in the list.
  func header(for section: SourceSection) -> SourceSection {
    SourceSection(
      identity: section.identity.qualified(by: prefix),
      title: section.identity == .null ? title ?? section.title : section.title,
      indexTitle: section.indexTitle, footer: section.footer, aggregates: section.aggregates)
  }
}
