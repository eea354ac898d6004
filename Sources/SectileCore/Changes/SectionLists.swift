/// The lists of a ``Changeset`` that say what became of sections, and of the contents as a whole.
package final class SectionLists: Sendable {
  let deletes: [SectionDelete]
  let inserts: ChangeList<SectionInsert>
  let moves: [SectionMove]
  let updates: [SectionUpdate]
  let silent: [SectionMove]
  let contents: ContentsUpdate?

  init(
    deletes: [SectionDelete] = [], inserts: ChangeList<SectionInsert> = [],
    moves: [SectionMove] = [], updates: [SectionUpdate] = [], silent: [SectionMove] = [],
    contents: ContentsUpdate? = nil
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
    self.silent = silent
    self.contents = contents
  }

  /// Takes the lists of section changes.
  package convenience init(_ changes: SectionChanges, contents: ContentsUpdate? = nil) {
    self.init(
      deletes: changes.deletes, inserts: ChangeList(changes.inserts), moves: changes.moves,
      updates: changes.updates, silent: changes.silent,
      contents: contents)
  }

  /// No section changes, as in most commits.
  package static let none = SectionLists()
}
