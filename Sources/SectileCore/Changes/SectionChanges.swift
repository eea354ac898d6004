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
