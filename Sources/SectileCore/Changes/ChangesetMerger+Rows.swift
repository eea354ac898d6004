extension ChangesetMerger {
  /// Returns what became of every row that either changeset mentions, unless nothing did.
  func mergedRows() throws(ChangesetError) -> [Transition] {
    let later = Self.transitions(of: second)
    let earlier = Self.transitions(of: first)
    var offsets: [IdentityKey<ItemID>: Int] = [:]
    offsets.reserveCapacity(later.count)
    for (offset, row) in later.enumerated() { offsets[IdentityKey(row.id)] = offset }
    var merged: [Transition] = []
    merged.reserveCapacity(later.count + earlier.count)
    var isJoined = [Bool](repeating: false, count: later.count)
    for row in earlier {
      if let offset = offsets[IdentityKey(row.id)] {
        isJoined[offset] = true
        if let joined = try Self.joined(row, later[offset]) { merged.append(joined) }
      } else {
        merged.append(try carriedOn(row))
      }
    }
    for (offset, row) in later.enumerated() where !isJoined[offset] {
      merged.append(try tracedBack(row))
    }
    return merged
  }

  /// Returns a row that both mention; nil where it came and went.
  private static func joined(
    _ earlier: Transition, _ later: Transition
  ) throws(ChangesetError) -> Transition? {
    guard earlier.target == later.source else {
      throw inconsistent(
        "a row is left at \(earlier.target?.description ?? "no path") and found at "
          + (later.source?.description ?? "no path"), about: IdentityText.text(of: earlier.id))
    }
    if earlier.source == nil && later.target == nil { return nil }
    var row = later
    row.source = earlier.source
    row.before = earlier.before
    if let before = row.before, let after = row.after {
      row.isContentChanged = before.content != after.content
    } else {
      row.isContentChanged = earlier.isContentChanged || later.isContentChanged
    }
    return row
  }

  /// Returns a row that only the first changeset mentions.
  private func carriedOn(_ row: Transition) throws(ChangesetError) -> Transition {
    guard let between = row.target else { return row }
    guard let target = secondPositions.target(of: between) else {
      throw Self.inconsistent(
        "the row at \(between) is replaced by another", about: IdentityText.text(of: row.id))
    }
    var row = row
    row.target = target
    return row
  }

  /// Returns a row that only the second changeset mentions.
  private func tracedBack(_ row: Transition) throws(ChangesetError) -> Transition {
    guard let between = row.source else { return row }
    guard let source = firstPositions.source(of: between) else {
      throw Self.inconsistent(
        "the row at \(between) was another", about: IdentityText.text(of: row.id))
    }
    var row = row
    row.source = source
    return row
  }

  /// Returns the rows without those that are as they were, and where they were among the others.
  func movable(_ rows: [Transition], _ sections: SectionCorrespondence) -> [Transition] {
    var fixed: [Int: [Transition]] = [:]
    var changed: [Transition] = []
    var removed: [Int: [Int]] = [:]
    var inserted: [Int: [Int]] = [:]
    for row in rows {
      let section = row.source.flatMap { sections.target(of: $0.section) }
      if let target = row.target, section == target.section, let before = row.before,
        before == row.after
      {
        fixed[target.section, default: []].append(row)
        continue
      }
      changed.append(row)
      if let section, let source = row.source { removed[section, default: []].append(source.item) }
      if let target = row.target { inserted[target.section, default: []].append(target.item) }
    }
    for (section, members) in fixed {
      let shift = ListShift(
        removed: removed[section, default: []], inserted: inserted[section, default: []])
      let isInOrder = members.allSatisfy { row in
        row.source.flatMap { shift.target(of: $0.item) } == row.target?.item
      }
      if !isInOrder { changed += members }
    }
    return changed
  }

  private static func transitions(of changeset: Changeset<ItemID, Item>) -> [Transition] {
    var rows: [Transition] = []
    rows.reserveCapacity(
      changeset.deletes.count + changeset.inserts.count + changeset.moves.count
        + changeset.updates.count + changeset.silentRows.count)
    for delete in changeset.deletes {
      rows.append(
        Transition(
          id: delete.id, source: delete.path, target: nil, isContentChanged: true,
          before: delete.before))
    }
    for insert in changeset.inserts {
      rows.append(
        Transition(
          id: insert.id, source: nil, target: insert.path, isContentChanged: true,
          after: insert.after, payload: insert.payload))
    }
    for move in changeset.moves {
      rows.append(
        Transition(
          id: move.id, source: move.source, target: move.target,
          isContentChanged: move.isContentChanged, before: move.before, after: move.after,
          payload: move.payload))
    }
    rows += changeset.updates.map { transition($0, isContentChanged: true) }
    rows += changeset.silentRows.map { transition($0, isContentChanged: false) }
    return rows
  }

  private static func transition(
    _ update: ItemUpdate<ItemID, Item>, isContentChanged: Bool
  ) -> Transition {
    Transition(
      id: update.id, source: update.source, target: update.target,
      isContentChanged: isContentChanged, before: update.before, after: update.after,
      payload: update.payload)
  }
}
