/// The lists of a ``Changeset`` that say what became of sections.
package final class SectionLists: Sendable {
  let deletes: [SectionDelete]
  let inserts: ChangeList<SectionInsert>
  let moves: [SectionMove]
  let updates: [SectionUpdate]
  let silent: [SectionMove]

  init(
    deletes: [SectionDelete] = [], inserts: ChangeList<SectionInsert> = [],
    moves: [SectionMove] = [], updates: [SectionUpdate] = [], silent: [SectionMove] = []
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
    self.silent = silent
  }

  /// Takes the lists of section changes.
  package convenience init(_ changes: SectionChanges) {
    self.init(
      deletes: changes.deletes, inserts: ChangeList(changes.inserts), moves: changes.moves,
      updates: changes.updates, silent: changes.silent)
  }

  /// No section changes, as in most commits.
  package static let none = SectionLists()
}
