public import SectileCore

extension DataSource {
  /// Returns whether the item at a path can be edited, as the source says that it comes from.
  ///
  /// Nothing can be edited in a source that is no ``ItemPolicy``.
  ///
  /// - Precondition: `path` exists in the current version.
  public func canEdit(at path: ItemPath) -> Bool {
    let origin = origin(at: path)
    return origin.policy?.canEditItem(at: origin.path) ?? false
  }

  /// Returns whether the item at a path can move, as the source says that it comes from.
  ///
  /// Nothing moves in a source that is no ``ItemPolicy``.
  ///
  /// - Precondition: `path` exists in the current version.
  public func canMove(at path: ItemPath) -> Bool {
    let origin = origin(at: path)
    return origin.policy?.canMoveItem(at: origin.path) ?? false
  }

  /// Returns what editing the item at a path offers, as the source says that it comes from.
  ///
  /// It is ``EditingKind/none`` for an item that cannot be edited.
  ///
  /// - Precondition: `path` exists in the current version.
  public func editingKind(at path: ItemPath) -> EditingKind {
    let origin = origin(at: path)
    guard let policy = origin.policy, policy.canEditItem(at: origin.path) else { return .none }
    return policy.editingKindOfItem(at: origin.path)
  }

  /// Returns what becomes of a proposal to move an item, in the terms of the source that the item
  /// comes from.
  ///
  /// An item stays in its source: a proposal to put it among the items of another one is refused.
  ///
  /// - Parameters:
  ///   - source: Where the item is.
  ///   - proposal: Where it is to be once it was taken out; the path of an item, or the one just
  ///     behind a section's last.
  /// - Returns: The move; nil where the item cannot move, or stays where it is.
  /// - Precondition: `source` exists in the current version.
  public func relocation(from source: ItemPath, to proposal: ItemPath) -> ItemRelocation? {
    let item = origin(at: source)
    guard let policy = item.policy, policy.canMoveItem(at: item.path),
      let landing = origin(ofGap: proposal), landing.source === item.source
    else { return nil }
    let target = policy.targetOfMove(from: item.path, proposal: landing.path)
    if target == item.path { return nil }
    return ItemRelocation(
      source: item.source, from: item.path, to: target, isAsProposed: target == landing.path)
  }

  /// Returns the origin of a path, also of the one just behind a section's last item.
  private func origin(ofGap path: ItemPath) -> ItemOrigin? {
    guard path.section >= 0, path.section < numberOfSections, path.item >= 0 else { return nil }
    let count = numberOfItems(in: path.section)
    if path.item < count { return origin(at: path) }
    guard path.item == count, count > 0 else { return nil }
    let last = origin(at: ItemPath(section: path.section, item: count - 1))
    return ItemOrigin(
      source: last.source, path: ItemPath(section: last.path.section, item: last.path.item + 1))
  }
}

extension ItemOrigin {
  /// The source as one that says what its items allow, if it does.
  fileprivate var policy: (any ItemPolicy)? { source as? any ItemPolicy }
}
