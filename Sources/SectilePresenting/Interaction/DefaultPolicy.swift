internal import SectileCore

/// What an item allows whose source has no policy: what the source can do, and allows there.
struct DefaultPolicy {
  let canEdit: Bool
  let canMove: Bool
  let editingKind: EditingKind

  init(of source: any DataSource, at path: ItemPath) {
    func has(_ capability: EditingCapability) -> Bool { capability.isPresent(in: source, at: path) }
    canEdit = has(.removing) || has(.inserting) || has(.replacing)
    canMove = has(.moving)
    editingKind = has(.removing) ? .delete : has(.inserting) ? .insert : .none
  }
}
