internal import SectileCore

/// The rows and sections of an arrangement whose places a change may have decided anew, and what
/// the change says of each.
///
/// Where they were and where they are is looked up in the arrangements; from that follows what is
/// deleted, inserted, moved or updated (see ``SectileCore/ChangesetBuilder``).
struct TouchedRows<ItemID: Hashable & Sendable, Item: Sendable> {
  /// What is known of a touched row.
  struct Touch {
    var isContentChanged = false
    /// Whether the input's changeset lists the row, and not only what it is in.
    var isListed = false
    var payload: ItemPayload<Item>?
    var before: RowFingerprint?
    var after: RowFingerprint?
  }

  private(set) var rows: [IdentityKey<ItemID>: Touch] = [:]
  /// The identities of sections whose place among the others may be another one.
  var movableSections: Set<StoredValue> = []
  /// The identities of sections that may have come, gone, or changed their header.
  var touchedSections: Set<StoredValue> = []

  /// Notes a row that may have come, gone, or changed places, with the contents it had, unless more
  /// is known of it.
  mutating func touch(_ id: ItemID) {
    let key = IdentityKey(id)
    if rows[key] == nil { rows[key] = Touch() }
  }

  /// Notes a row that was written.
  mutating func touch(_ id: ItemID, _ touch: Touch) {
    var touch = touch
    touch.isListed = true
    rows[IdentityKey(id)] = touch
  }

  /// Returns whether a row was listed by the input's changeset.
  func isListed(_ id: ItemID) -> Bool { rows[IdentityKey(id)]?.isListed ?? false }

  /// Notes the sections of an input's changeset.
  ///
  /// - Parameters:
  ///   - changes: The changes of an input whose sections the composition keeps.
  ///   - identity: Returns the identity of an input's section in the composition.
  mutating func touchSections<InputID, InputItem>(
    of changes: Changeset<InputID, InputItem>, _ identity: (StoredValue) -> StoredValue
  ) {
    for section in changes.sectionDeletes {
      touchedSections.insert(identity(section.header.identity))
    }
    for section in changes.sectionInserts {
      touchedSections.insert(identity(section.header.identity))
    }
    for section in changes.sectionUpdates {
      touchedSections.insert(identity(section.header.identity))
    }
    for section in changes.sectionMoves + changes.silentSections {
      movableSections.insert(identity(section.header.identity))
    }
  }

  /// Returns whether a row was noted.
  func contains(_ id: ItemID) -> Bool { rows[IdentityKey(id)] != nil }

  /// Returns the difference between two arrangements.
  ///
  /// - Complexity: O(*c* log *n*) for *c* touched rows and sections.
  func changes<Old: Arrangement<ItemID, Item>>(
    from old: Old, to new: Old
  ) -> Changeset<ItemID, Item> {
    var identities = touchedSections.union(movableSections)
    var transitions: [RowTransition<ItemID, Item>] = []
    transitions.reserveCapacity(rows.count)
    var (oldOrdinals, newOrdinals): (Set<Int>, Set<Int>) = ([], [])
    for (key, touch) in rows {
      let id = key.id
      let (source, target) = (old.path(of: id), new.path(of: id))
      guard source != nil || target != nil else { continue }
      if let source { oldOrdinals.insert(source.section) }
      if let target { newOrdinals.insert(target.section) }
      let payload = target.map { path in touch.payload ?? .deferred { try new.item(at: path) } }
      transitions.append(
        RowTransition(
          id: id, source: source, target: target, isContentChanged: touch.isContentChanged,
          before: touch.before, after: touch.after, payload: payload))
    }
    for ordinal in oldOrdinals { identities.insert(old.header(ofSection: ordinal).identity) }
    for ordinal in newOrdinals { identities.insert(new.header(ofSection: ordinal).identity) }
    return build(transitions, identities, old, new)
  }

  private func build<Old: Arrangement<ItemID, Item>>(
    _ transitions: [RowTransition<ItemID, Item>], _ identities: Set<StoredValue>, _ old: Old,
    _ new: Old
  ) -> Changeset<ItemID, Item> {
    var (deleted, inserted, survivors): ([Int], [Int], [Int]) = ([], [], [])
    var eligible: [IndexEdits.SectionShift] = []
    for identity in identities {
      switch (old.section(withIdentity: identity), new.section(withIdentity: identity)) {
      case (let source?, let target?):
        survivors.append(source)
        if movableSections.contains(identity) {
          eligible.append(IndexEdits.SectionShift(source: source, target: target))
        }
      case (let source?, nil): deleted.append(source)
      case (nil, let target?): inserted.append(target)
      case (nil, nil): break
      }
    }
    var builder = ChangesetBuilder<ItemID, Item>(
      sourceVersion: 0, targetVersion: 1,
      sections: SectionCorrespondence(
        oldCount: old.numberOfSections, newCount: new.numberOfSections, deleted: deleted,
        inserted: inserted, eligible: eligible))
    builder.retitledSections = survivors
    builder.rows = transitions
    return builder.build(
      old: { SectionState(header: old.header(ofSection: $0)) },
      new: { SectionState(header: new.header(ofSection: $0)) })
  }
}

extension TouchedRows {
  /// Notes all rows of the changeset of an input whose rows are shown as they are.
  ///
  /// See ``init(_:withMovedSections:id:payload:)`` for more information.
  init(_ change: InputChange<ItemID, Item>, withMovedSections: Bool) {
    self.init(
      change, withMovedSections: withMovedSections, id: { $0 }, payload: { _, payload in payload })
  }

  /// Notes all rows of an input's changeset, and all that its moved sections brought along where
  /// that is wanted.
  ///
  /// - Parameters:
  ///   - change: The change of the input.
  ///   - withMovedSections: Whether rows of moved sections are touched: where the composition does
  ///     not keep the input's sections, such rows change places one by one.
  ///   - id: Returns the identity of an input's row in the composition.
  ///   - payload: Returns the item of the composition for one of the input.
  init<InputID, InputItem>(
    _ change: InputChange<InputID, InputItem>, withMovedSections: Bool,
    id: (InputID) -> ItemID,
    payload: (InputID, ItemPayload<InputItem>) throws -> ItemPayload<Item>?
  ) rethrows {
    let changes = change.changes
    for row in changes.deletes { touch(id(row.id), Touch(before: row.before)) }
    for row in changes.inserts {
      let payload = try payload(row.id, row.payload)
      touch(id(row.id), Touch(isContentChanged: true, payload: payload, after: row.after))
    }
    for row in changes.moves {
      let payload = try payload(row.id, row.payload)
      touch(
        id(row.id),
        Touch(
          isContentChanged: row.isContentChanged, payload: payload, before: row.before,
          after: row.after))
    }
    for row in changes.updates {
      let payload = try payload(row.id, row.payload)
      touch(
        id(row.id),
        Touch(isContentChanged: true, payload: payload, before: row.before, after: row.after))
    }
    if withMovedSections {
      for section in changes.sectionMoves {
        for item in 0..<change.new.numberOfItems(in: section.target) {
          touch(id(change.new.id(at: ItemPath(section: section.target, item: item))))
        }
      }
    }
  }
}
