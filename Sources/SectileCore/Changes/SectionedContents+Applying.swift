extension SectionedContents {
  /// Returns the contents that a changeset leads to.
  ///
  /// See ``apply(_:)-(Changeset<ItemID,Item>)`` for more information.
  public func applying(_ changeset: Changeset<ItemID, Item>) throws -> Self {
    var contents = self
    try contents.apply(changeset)
    return contents
  }

  /// Applies a changeset.
  ///
  /// Rows that are gone or move out are removed, then sections that are gone or move; sections that
  /// are new or move are inserted, then rows that are new or move in; updated rows are replaced.
  ///
  /// - Throws: ``ChangesetError`` with `versionMismatch` where the changeset does not lead from the
  ///   contents' version, and with `inconsistentChanges` where a position does not exist; and what
  ///   reading a row of a first load throws. The contents are then as they were.
  /// - Complexity: O(*n* + *c* log *c*) for *n* rows in the sections that change.
  public mutating func apply(_ changeset: Changeset<ItemID, Item>) throws {
    guard changeset.sourceVersion == version else {
      throw ChangesetError(
        code: .versionMismatch,
        message: "The changeset leads from version \(changeset.sourceVersion) to "
          + "\(changeset.targetVersion), but the contents are at version \(version).",
        hint: "Apply every changeset once, in order, or start again from a snapshot.")
    }
    var sections = sections
    try Self.removeRows(changeset, from: &sections)
    try Self.rearrange(&sections, by: changeset)
    try Self.insertRows(changeset, into: &sections)
    try Self.replaceRows(changeset, in: &sections)
    self.sections = sections
    if let update = changeset.contentsUpdate { aggregates = update.after }
    version = changeset.targetVersion
  }

  private static func removeRows(
    _ changeset: Changeset<ItemID, Item>, from sections: inout [Section]
  ) throws {
    var paths = changeset.deletes.map { (path: $0.path, id: $0.id) }
    paths += changeset.moves.map { (path: $0.source, id: $0.id) }
    paths.sort { $0.path < $1.path }
    var next = 0
    while next < paths.count {
      let section = paths[next].path.section
      guard sections.indices.contains(section) else { throw missing(paths[next].path) }
      var kept: [Row] = []
      kept.reserveCapacity(sections[section].rows.count)
      for (offset, row) in sections[section].rows.enumerated() {
        if next < paths.count, paths[next].path == ItemPath(section: section, item: offset) {
          guard IdentityKey(paths[next].id) == IdentityKey(row.id) else {
            throw missing(paths[next].path)
          }
          next += 1
        } else {
          kept.append(row)
        }
      }
      if next < paths.count, paths[next].path.section == section { throw missing(paths[next].path) }
      sections[section].rows = kept
    }
  }

  private static func rearrange(
    _ sections: inout [Section], by changeset: Changeset<ItemID, Item>
  ) throws {
    if changeset.sectionDeletes.isEmpty, changeset.sectionInserts.isEmpty,
      changeset.sectionMoves.isEmpty
    {
      return try retitle(&sections, by: changeset)
    }
    var arrivals: [Int: Section] = [:]
    var departures: Set<Int> = []
    for move in changeset.sectionMoves {
      guard sections.indices.contains(move.source) else { throw missing(section: move.source) }
      arrivals[move.target] = Section(header: move.header, rows: sections[move.source].rows)
      departures.insert(move.source)
    }
    for delete in changeset.sectionDeletes {
      // Each of its rows is told of: one that is left is unknown to the changeset.
      guard sections.indices.contains(delete.section), sections[delete.section].rows.isEmpty else {
        throw missing(section: delete.section)
      }
      departures.insert(delete.section)
    }
    for insert in changeset.sectionInserts {
      arrivals[insert.section] = Section(header: insert.header)
    }
    var staying = sections.indices.filter { !departures.contains($0) }[...]
    var arranged: [Section] = []
    let total = staying.count + arrivals.count
    arranged.reserveCapacity(total)
    for ordinal in 0..<total {
      if let arrival = arrivals[ordinal] {
        arranged.append(arrival)
      } else if let next = staying.popFirst() {
        arranged.append(sections[next])
      } else {
        throw missing(section: ordinal)
      }
    }
    guard staying.isEmpty else { throw missing(section: total) }
    sections = arranged
    try retitle(&sections, by: changeset)
  }

  private static func retitle(
    _ sections: inout [Section], by changeset: Changeset<ItemID, Item>
  ) throws {
    for update in changeset.sectionUpdates {
      guard sections.indices.contains(update.target) else { throw missing(section: update.target) }
      sections[update.target].header = update.header
    }
  }

  private static func insertRows(
    _ changeset: Changeset<ItemID, Item>, into sections: inout [Section]
  ) throws {
    var arrivals: [(path: ItemPath, row: Row)] = []
    arrivals.reserveCapacity(changeset.inserts.count + changeset.moves.count)
    for insert in changeset.inserts {
      arrivals.append((insert.path, Row(id: insert.id, item: try insert.item)))
    }
    for move in changeset.moves {
      arrivals.append((move.target, Row(id: move.id, item: try move.item)))
    }
    arrivals.sort { $0.path < $1.path }
    var next = 0
    while next < arrivals.count {
      let section = arrivals[next].path.section
      guard sections.indices.contains(section) else { throw missing(arrivals[next].path) }
      var rows: [Row] = []
      var staying = sections[section].rows[...]
      while next < arrivals.count, arrivals[next].path.section == section {
        let room = arrivals[next].path.item - rows.count
        guard room >= 0, room <= staying.count else { throw missing(arrivals[next].path) }
        rows += staying.prefix(room)
        staying = staying.dropFirst(room)
        rows.append(arrivals[next].row)
        next += 1
      }
      sections[section].rows = rows + staying
    }
  }

  private static func replaceRows(
    _ changeset: Changeset<ItemID, Item>, in sections: inout [Section]
  ) throws {
    for update in changeset.updates {
      let path = update.target
      guard sections.indices.contains(path.section),
        sections[path.section].rows.indices.contains(path.item),
        IdentityKey(sections[path.section].rows[path.item].id) == IdentityKey(update.id)
      else { throw missing(path) }
      sections[path.section].rows[path.item].item = try update.item
    }
  }

  private static func missing(_ path: ItemPath) -> ChangesetError {
    ChangesetError(
      code: .inconsistentChanges,
      message: "The changeset names a row at \(path), where the contents have another or none.",
      hint: "Start again from a snapshot of the source.")
  }

  private static func missing(section: Int) -> ChangesetError {
    ChangesetError(
      code: .inconsistentChanges,
      message: "The changeset does not account for the section at \(section).",
      hint: "Start again from a snapshot of the source.")
  }
}
