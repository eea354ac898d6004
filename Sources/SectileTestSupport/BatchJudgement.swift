internal import SectileCore

/// Judges one batch by the rules of ``ListViewSimulator``, and works out what it leads to.
///
/// It is written apart from ``SectileCore/SectionedContents`` on purpose: the judge shares
/// nothing with what it judges.
struct BatchJudgement<ItemID: Hashable & Sendable, Cell: Sendable> {
  typealias Contents = SectionedContents<ItemID, Cell>

  let before: Contents
  let batch: Changeset<ItemID, Cell>
  private(set) var violations: [String] = []
  /// The paths before of the rows that go or move away.
  private var leaving: Set<ItemPath> = []
  /// The sections before that are deleted, and those that move.
  private var deleted: Set<Int> = []
  private var moved: Set<Int> = []
  /// Where each section after comes from; nil where it is inserted.
  private var origins: [Int?] = []

  init(before: Contents, batch: Changeset<ItemID, Cell>) {
    self.before = before
    self.batch = batch
  }

  /// Returns the contents after the batch, or nil where it breaks a rule.
  mutating func contentsAfter() -> Contents? {
    judgeSections()
    // Rows are judged by where sections come from and go to: without that, nothing can be said.
    guard violations.isEmpty else { return nil }
    judgeRowsBefore()
    judgeSectionsOfRows()
    guard violations.isEmpty, let after = arrange() else { return nil }
    judgeUpdates(after)
    judgeIdentities(after)
    return violations.isEmpty ? replace(in: after) : nil
  }

  private mutating func expect(_ isRight: Bool, _ violation: @autoclosure () -> String) {
    if !isRight { violations.append(violation()) }
  }

  // MARK: - Sections

  private mutating func judgeSections() {
    let count = before.sections.count
    for delete in batch.sectionDeletes {
      expectSection(delete.section, "deleted", before: delete.header.identity)
      expect(deleted.insert(delete.section).inserted, "section \(delete.section) is deleted twice")
    }
    for move in batch.sectionMoves {
      expectSection(move.source, "moved", before: move.header.identity)
      expect(moved.insert(move.source).inserted, "section \(move.source) is moved twice")
      expect(
        !deleted.contains(move.source), "section \(move.source) is deleted and moved in one batch")
    }
    for update in batch.sectionUpdates {
      expectSection(update.source, "updated", before: update.header.identity)
      expect(
        !deleted.contains(update.source) && !moved.contains(update.source),
        "section \(update.source) is updated, and deleted or moved, in one batch")
    }
    guard violations.isEmpty else { return }
    let after = count - deleted.count + batch.sectionInserts.count
    var arrivals: [Int: Int?] = [:]
    let targets =
      batch.sectionInserts.map { ($0.section, Int?.none) }
      + batch.sectionMoves.map { ($0.target, Int?.some($0.source)) }
    for (section, origin) in targets {
      expect(
        (0..<after).contains(section),
        "section \(section) is inserted or moved to, but there are \(after) after the batch")
      expect(
        arrivals.updateValue(origin, forKey: section) == nil,
        "two sections are inserted at, or moved to, \(section)")
    }
    guard violations.isEmpty else { return }
    var staying = (0..<count).filter { !deleted.contains($0) && !moved.contains($0) }[...]
    for section in 0..<after { origins.append(arrivals[section] ?? staying.popFirst()) }
  }

  private mutating func expectSection(_ section: Int, _ verb: String, before identity: StoredValue)
  {
    guard before.sections.indices.contains(section) else {
      return violations.append(
        "section \(section) is \(verb), but there are \(before.sections.count) before the batch")
    }
    let found = before.sections[section].header.identity
    expect(
      found == identity,
      "section \(section) is \(verb) as \(identity.label), but it is \(found.label)")
  }

  // MARK: - Rows

  private mutating func judgeRowsBefore() {
    for delete in batch.deletes {
      expectRow(delete.path, delete.id, "deleted")
      expect(leaving.insert(delete.path).inserted, "the row at \(delete.path) is deleted twice")
    }
    for move in batch.moves {
      expectRow(move.source, move.id, "moved")
      expect(
        leaving.insert(move.source).inserted,
        "the row at \(move.source) is moved, and deleted or moved again, in one batch")
      expect(
        !deleted.contains(move.source.section),
        "the row at \(move.source) moves out of a section that is deleted")
      expect(
        !move.isContentChanged, "the row at \(move.source) is moved and updated in one batch")
    }
    var updated: Set<ItemPath> = []
    for update in batch.updates {
      expectRow(update.source, update.id, "updated")
      expect(updated.insert(update.source).inserted, "the row at \(update.source) is updated twice")
      expect(
        !leaving.contains(update.source) && !deleted.contains(update.source.section),
        "the row at \(update.source) is updated, and deleted or moved, in one batch")
    }
  }

  private mutating func expectRow(_ path: ItemPath, _ id: ItemID, _ verb: String) {
    guard before.sections.indices.contains(path.section),
      before.sections[path.section].rows.indices.contains(path.item)
    else {
      return violations.append("the row at \(path) is \(verb), but is not there before the batch")
    }
    let found = before[path].id
    expect(
      IdentityKey(found) == IdentityKey(id),
      "the row at \(path) is \(verb) as \(id), but it is \(found)")
  }

  private mutating func judgeSectionsOfRows() {
    let targets =
      batch.inserts.map { ($0.path, false) } + batch.moves.map { ($0.target, true) }
    for (path, isMove) in targets {
      guard origins.indices.contains(path.section) else {
        violations.append("a row comes to \(path), but there is no such section after the batch")
        continue
      }
      let origin = origins[path.section]
      expect(!isMove || origin != nil, "a row moves to \(path), into a section that is inserted")
      expect(
        origin.map { !moved.contains($0) } ?? true,
        "a row comes to \(path), inside of a section that moves")
    }
    let sources = leaving.union(batch.updates.map(\.source))
    for path in sources.sorted() where moved.contains(path.section) {
      violations.append("the row at \(path) changes inside of a section that moves")
    }
  }

  // MARK: - Arranging

  /// Returns the contents after, each row with the cell it had, or nil where counts do not add up.
  private mutating func arrange() -> Contents? {
    var arrivals: [ItemPath: Contents.Row] = [:]
    do {
      for insert in batch.inserts {
        let row = Contents.Row(id: insert.id, item: try insert.item)
        expect(
          arrivals.updateValue(row, forKey: insert.path) == nil,
          "two rows come to \(insert.path)")
      }
    } catch {
      violations.append("a cell cannot be made: \(error)")
    }
    for move in batch.moves {
      expect(
        arrivals.updateValue(before[move.source], forKey: move.target) == nil,
        "two rows come to \(move.target)")
    }
    let inserted = Dictionary(batch.sectionInserts.map { ($0.section, $0.header) }) { $1 }
    var sections: [Contents.Section] = []
    let coming = Dictionary(grouping: arrivals.keys) { $0.section }
    for (ordinal, origin) in origins.enumerated() {
      var staying: [Contents.Row] = []
      if let origin {
        staying = before.sections[origin].rows.enumerated().filter { item, _ in
          !leaving.contains(ItemPath(section: origin, item: item))
        }.map(\.element)
      }
      let header = origin.map { before.sections[$0].header } ?? inserted[ordinal]
      let total = staying.count + coming[ordinal, default: []].count
      var rest = staying[...]
      var rows: [Contents.Row] = []
      for item in 0..<total {
        let path = ItemPath(section: ordinal, item: item)
        if let row = arrivals.removeValue(forKey: path) ?? rest.popFirst() { rows.append(row) }
      }
      if let header { sections.append(Contents.Section(header: header, rows: rows)) }
    }
    for path in arrivals.keys.sorted() {
      violations.append("a row comes to \(path), but its section is shorter after the batch")
    }
    return violations.isEmpty ? Contents(version: before.version, sections: sections) : nil
  }

  private mutating func judgeUpdates(_ after: Contents) {
    for update in batch.updates {
      let isThere =
        after.sections.indices.contains(update.target.section)
        && after.sections[update.target.section].rows.indices.contains(update.target.item)
        && IdentityKey(after[update.target].id) == IdentityKey(update.id)
      expect(
        isThere,
        "the row \(IdentityText.text(of: update.id)) is updated at \(update.target), but is not there"
      )
    }
    for update in batch.sectionUpdates {
      let isThere =
        origins.indices.contains(update.target) && origins[update.target] == update.source
      expect(isThere, "section \(update.source) is updated at \(update.target), but is not there")
    }
  }

  private mutating func judgeIdentities(_ after: Contents) {
    var ids: Set<IdentityKey<ItemID>> = []
    for row in after.sections.map(\.rows).joined() {
      expect(
        ids.insert(IdentityKey(row.id)).inserted,
        "the row \(IdentityText.text(of: row.id)) is shown twice after the batch"
      )
    }
    var identities: Set<StoredValue> = []
    for identity in after.sections.map(\.header.identity) {
      expect(
        identities.insert(identity).inserted,
        "the section \(identity.label) is shown twice after the batch")
    }
  }

  private mutating func replace(in after: Contents) -> Contents? {
    var after = after
    do {
      for update in batch.updates {
        after.sections[update.target.section].rows[update.target.item].item = try update.item
      }
    } catch {
      violations.append("a cell cannot be made: \(error)")
      return nil
    }
    for update in batch.sectionUpdates { after.sections[update.target].header = update.header }
    return after
  }
}
