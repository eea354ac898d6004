internal import HashTreeCollections
internal import SectileCore

extension PartRule {
  static func changes(
    from old: Result, to new: Result, moved: Set<Int>?
  ) -> Changeset<PartItemID<PartID>, Item> {
    let targets = Dictionary(
      uniqueKeysWithValues: new.rule.order.enumerated().map { ($0.element, $0.offset) })
    let gone = old.rule.order.indices.filter { targets[old.rule.order[$0]] == nil }
    let former = Set(old.rule.order)
    let come = new.rule.order.indices.filter { !former.contains(new.rule.order[$0]) }
    let movable = movableParts(targets, from: old, moved)
    var eligible: [IndexEdits.SectionShift] = []
    var retitled: [Int] = []
    for (position, number) in old.rule.order.enumerated() {
      guard let target = targets[number] else { continue }
      let sections = old.sections(ofPart: position)
      if movable?.contains(number) ?? true {
        eligible += zip(sections, new.sections(ofPart: target)).map {
          IndexEdits.SectionShift(source: $0, target: $1)
        }
      }
      if old.rule.parts[number]?.title != new.rule.parts[number]?.title { retitled += sections }
    }
    let sections = SectionChanges(
      SectionCorrespondence(
        oldCount: old.numberOfSections, newCount: new.numberOfSections,
        deleted: gone.flatMap { old.sections(ofPart: $0) },
        inserted: come.flatMap { new.sections(ofPart: $0) }, eligible: eligible),
      retitled: retitled,
      old: { SectionState(header: old.header(ofSection: $0)) },
      new: { SectionState(header: new.header(ofSection: $0)) })
    return Changeset(
      sourceVersion: 0, targetVersion: 1, sectionDeletes: sections.deletes,
      sectionInserts: ChangeList(sections.inserts), sectionMoves: sections.moves,
      sectionUpdates: sections.updates, deletes: deletes(of: gone, in: old),
      inserts: inserts(of: come, in: new), silentSections: sections.silent)
  }

  /// Returns the parts that may have changed places; all, where others have, since several edits
  /// come as one.
  private static func movableParts(
    _ targets: [Int: Int], from old: Result, _ moved: Set<Int>?
  ) -> Set<Int>? {
    guard let moved else { return nil }
    let others = old.rule.order.filter { !moved.contains($0) }.compactMap { targets[$0] }
    return zip(others, others.dropFirst()).allSatisfy(<) ? moved : nil
  }

  private static func deletes(
    of positions: [Int], in result: Result
  ) -> [ItemDelete<PartItemID<PartID>>] {
    positions.flatMap { position in
      (result.rankStarts[position]..<result.rankStarts[position + 1]).map { rank in
        let path = result.path(atRank: rank)
        return ItemDelete(path: path, id: result.id(at: path))
      }
    }
  }

  /// Describes the rows of parts that came, when they are looked at.
  private static func inserts(
    of positions: [Int], in result: Result
  ) -> ChangeList<ItemInsert<PartItemID<PartID>, Item>> {
    // How many rows come before those of each part.
    let starts = positions.reduce(into: [0]) { starts, position in
      let count = result.rankStarts[position + 1] - result.rankStarts[position]
      starts.append(starts[starts.count - 1] + count)
    }
    return ChangeList(count: starts[positions.count]) { number in
      let place = partition(starts.count) { starts[$0] > number } - 1
      let path = result.path(
        atRank: result.rankStarts[positions[place]] + number - starts[place])
      return ItemInsert(
        path: path, id: result.id(at: path), payload: .deferred { try result.item(at: path) })
    }
  }
}

extension RosterDraft {
  /// Inserts a part before another one, or at the end.
  ///
  /// - Throws: `duplicatePart`, `noSuchPart`.
  mutating func insert<PartID, Item>(
    _ source: InputRoster<Rule>.Source, as id: PartID, title: String?, before other: PartID?
  ) throws(DataSourceError) where Rule == PartRule<PartID, Item> {
    let part = Rule.Part(id: id, title: title)
    guard rule.number(of: id) == nil, rule.number(ofPrefix: part.prefix) == nil else {
      throw .duplicatePart(part.prefix)
    }
    let number = insert(source, at: try position(before: other))
    rule.insert(part, number: number)
    rule.order = numbers
  }

  mutating func remove<PartID, Item>(
    part id: PartID
  ) throws(DataSourceError) where Rule == PartRule<PartID, Item> {
    let position = try position(of: id)
    rule.remove(number: numbers[position])
    remove(at: position)
    rule.order = numbers
  }

  mutating func move<PartID, Item>(
    part id: PartID, before other: PartID?
  ) throws(DataSourceError) where Rule == PartRule<PartID, Item> {
    let source = try position(of: id)
    let target = try position(before: other)
    move(from: source, to: target > source ? max(source, target - 1) : target)
    rule.order = numbers
  }

  mutating func setTitle<PartID, Item>(
    _ title: String?, ofPart id: PartID
  ) throws(DataSourceError) where Rule == PartRule<PartID, Item> {
    let number = numbers[try position(of: id)]
    // By bytes, as headers are compared.
    let before = rule.parts[number]?.title.map { StoredValue.text($0) }
    guard before != title.map({ StoredValue.text($0) }) else { return }
    rule.parts[number]?.title = title
    isChanged = true
  }

  private func position<PartID, Item>(
    of id: PartID
  ) throws(DataSourceError) -> Int where Rule == PartRule<PartID, Item> {
    guard let position = rule.number(of: id).flatMap({ rule.position(of: $0) }) else {
      throw .noSuchPart(StoredValue.prefix(ofPart: id))
    }
    return position
  }

  private func position<PartID, Item>(
    before id: PartID?
  ) throws(DataSourceError) -> Int where Rule == PartRule<PartID, Item> {
    guard let id else { return numbers.count }
    return try position(of: id)
  }
}
