internal import SectileCore
internal import SectileDataSources

/// What the items of a source allow that does not say so itself: what the source can do.
struct DefaultPolicy {
  let canEdit: Bool
  let canMove: Bool
  let editingKind: EditingKind

  init(of source: any DataSource) {
    func has(_ capability: EditingCapability) -> Bool { capability.isPresent(in: source) }
    canEdit = has(.removing) || has(.inserting) || has(.replacing)
    canMove = has(.moving)
    editingKind = has(.removing) ? .delete : has(.inserting) ? .insert : .none
  }
}
