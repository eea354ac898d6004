/// What a changeset says of its sections.
package struct SectionChanges: Sendable {
  package let deletes: [SectionDelete]
  package let inserts: [SectionInsert]
  package let moves: [SectionMove]
  package let updates: [SectionUpdate]
  /// Sections that stayed although what decides their place changed.
  package let silent: [SectionMove]

  /// Whether there is nothing to tell of.
  package var isSilent: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Whether there is nothing to tell of, nor to remember.
  package var isEmpty: Bool { isSilent && silent.isEmpty }

  /// A section that stays, or is new, under another header.
  package struct HeaderChange {
    /// The ordinal before; nil for a new section.
    let source: Int?
    let target: Int
    let before: SourceSection?
    let after: SourceSection

    package init(source: Int?, target: Int, before: SourceSection?, after: SourceSection) {
      self.source = source
      self.target = target
      self.before = before
      self.after = after
    }
  }

  /// Returns the changes with other headers after them.
  package func settingHeaders(_ headers: [HeaderChange]) -> SectionChanges {
    let changed = headers.compactMap { header -> SectionUpdate? in
      guard let source = header.source, let before = header.before, before != header.after else {
        return nil
      }
      return SectionUpdate(
        source: source, target: header.target, before: before, header: header.after)
    }
    guard !inserts.isEmpty || !updates.isEmpty else {
      // Most changes are of one row, and its section stays.
      return SectionChanges(
        deletes: deletes, inserts: [], moves: moves, updates: changed, silent: silent)
    }
    let after = Dictionary(headers.map { ($0.target, $0.after) }) { first, _ in first }
    let known = Set(headers.compactMap(\.source))
    return SectionChanges(
      deletes: deletes,
      inserts: inserts.map {
        SectionInsert(section: $0.section, header: after[$0.section] ?? $0.header, order: $0.order)
      },
      moves: moves,
      updates: (updates.filter { !known.contains($0.source) } + changed)
        .sorted { $0.source < $1.source },
      silent: silent)
  }

  private init(
    deletes: [SectionDelete], inserts: [SectionInsert], moves: [SectionMove],
    updates: [SectionUpdate], silent: [SectionMove]
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
    self.silent = silent
  }

  /// No section changes.
  package static let none = SectionChanges(
    .unchanged, retitled: [], old: { _ in preconditionFailure("there is no section to describe") },
    new: { _ in preconditionFailure("there is no section to describe") })

  /// Describes the sections of a change.
  ///
  /// - Parameters:
  ///   - sections: Which section is which.
  ///   - retitled: The ordinals before of surviving sections whose header may have changed.
  ///   - old: Returns a section by its ordinal before.
  ///   - new: Returns a section by its ordinal after.
  package init(
    _ sections: SectionCorrespondence, retitled: [Int], old: (Int) -> SectionState,
    new: (Int) -> SectionState
  ) {
    func move(_ shift: IndexEdits.SectionShift) -> SectionMove {
      SectionMove(
        source: shift.source, target: shift.target, header: new(shift.target).header,
        orderBefore: old(shift.source).order, orderAfter: new(shift.target).order)
    }
    deletes = sections.deleted.map {
      SectionDelete(section: $0, header: old($0).header, order: old($0).order)
    }
    inserts = sections.inserted.map {
      SectionInsert(section: $0, header: new($0).header, order: new($0).order)
    }
    moves = sections.moves.map(move)
    updates = retitled.sorted().compactMap { source in
      guard let target = sections.target(of: source) else { return nil }
      let before = old(source).header
      let header = new(target).header
      return before == header
        ? nil : SectionUpdate(source: source, target: target, before: before, header: header)
    }
    silent = sections.stationary.map(move).filter { $0.orderBefore != $0.orderAfter }
  }
}
