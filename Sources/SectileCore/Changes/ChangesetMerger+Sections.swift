extension ChangesetMerger {
  /// What became of a section that a changeset mentions.
  struct SectionTransition {
    var source: Int?
    var target: Int?
    var before: SectionState?
    var after: SectionState?
    /// Whether its place was decided anew.
    var isOrderTouched = false

    /// Whether it may be called a mover.
    var isEligible: Bool {
      guard isOrderTouched else { return false }
      guard let before = before?.order, let after = after?.order else { return true }
      return before != after
    }
  }

  /// Returns what became of every section that either changeset mentions, unless it came and went.
  func mergedSections() throws(ChangesetError) -> [SectionTransition] {
    let earlier = Self.sections(of: first)
    var later = Self.sections(of: second)
    var merged: [SectionTransition] = []
    for (identity, section) in earlier {
      if let next = later.removeValue(forKey: identity) {
        guard section.target == next.source else {
          throw Self.inconsistent(
            "a section is not where the first one left it", about: "\(identity)")
        }
        if section.source == nil && next.target == nil { continue }
        merged.append(Self.joined(section, next))
      } else {
        merged.append(try carriedOn(section, identity))
      }
    }
    for (identity, section) in later { merged.append(try tracedBack(section, identity)) }
    return merged
  }

  private static func joined(
    _ earlier: SectionTransition, _ later: SectionTransition
  ) -> SectionTransition {
    var section = later
    section.source = earlier.source
    section.isOrderTouched = earlier.isOrderTouched || later.isOrderTouched
    section.before = earlier.before
    // An event that says nothing of the order leaves the one that the other event knows.
    if !earlier.isOrderTouched { section.before?.order = later.before?.order }
    if !later.isOrderTouched { section.after?.order = earlier.after?.order }
    return section
  }

  private func carriedOn(
    _ section: SectionTransition, _ identity: StoredValue
  ) throws(ChangesetError) -> SectionTransition {
    guard let between = section.target else { return section }
    var section = section
    section.target = secondPositions.target(ofSection: between)
    guard section.target != nil else {
      throw Self.inconsistent(
        "the section at \(between) is replaced by another", about: "\(identity)")
    }
    return section
  }

  private func tracedBack(
    _ section: SectionTransition, _ identity: StoredValue
  ) throws(ChangesetError) -> SectionTransition {
    guard let between = section.source else { return section }
    var section = section
    section.source = firstPositions.source(ofSection: between)
    guard section.source != nil else {
      throw Self.inconsistent("the section at \(between) was another", about: "\(identity)")
    }
    return section
  }

  /// Returns which section before is which one after.
  func correspondence(of sections: [SectionTransition]) -> SectionCorrespondence {
    var deleted: [Int] = []
    var inserted: [Int] = []
    var eligible: [IndexEdits.SectionShift] = []
    var fixed: [IndexEdits.SectionShift] = []
    for section in sections {
      switch (section.source, section.target) {
      case (let source?, let target?):
        let shift = IndexEdits.SectionShift(source: source, target: target)
        if section.isEligible { eligible.append(shift) } else { fixed.append(shift) }
      case (let source?, nil): deleted.append(source)
      case (nil, let target?): inserted.append(target)
      case (nil, nil): break
      }
    }
    let shift = ListShift(
      removed: deleted + eligible.map(\.source), inserted: inserted + eligible.map(\.target))
    let isInOrder = fixed.allSatisfy { shift.target(of: $0.source) == $0.target }
    return SectionCorrespondence(
      deleted: deleted, inserted: inserted, eligible: isInOrder ? eligible : eligible + fixed)
  }

  /// Returns the sections that a changeset mentions, by identity.
  private static func sections(
    of changeset: Changeset<ItemID, Item>
  ) -> [StoredValue: SectionTransition] {
    var sections: [StoredValue: SectionTransition] = [:]
    for delete in changeset.sectionDeletes {
      sections[delete.header.identity] = SectionTransition(
        source: delete.section, before: SectionState(header: delete.header, order: delete.order),
        isOrderTouched: true)
    }
    for insert in changeset.sectionInserts {
      sections[insert.header.identity] = SectionTransition(
        target: insert.section, after: SectionState(header: insert.header, order: insert.order),
        isOrderTouched: true)
    }
    for move in changeset.sectionMoves + changeset.silentSections {
      sections[move.header.identity] = SectionTransition(
        source: move.source, target: move.target,
        before: SectionState(header: move.header, order: move.orderBefore),
        after: SectionState(header: move.header, order: move.orderAfter), isOrderTouched: true)
    }
    for update in changeset.sectionUpdates {
      var section =
        sections[update.header.identity]
        ?? SectionTransition(
          source: update.source, target: update.target,
          before: SectionState(header: update.before), after: SectionState(header: update.header))
      section.before?.header = update.before
      section.after?.header = update.header
      sections[update.header.identity] = section
    }
    return sections
  }
}
