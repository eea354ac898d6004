public import SectileCore

// What an item allows is asked of the source it comes from, through any composition. Whether that
// source can do it at all is another question: see `canEdit(_:at:)`.

extension DataSource {
  /// Returns whether the item at a path can be edited, as the source says that it comes from.
  ///
  /// - Returns: False also where there is no item at the path. See ``ItemPolicy`` for what a source
  ///   allows that does not say.
  public func canEdit(at path: ItemPath) -> Bool {
    guard let origin = existingOrigin(at: path) else { return false }
    return origin.policy?.canEditItem(at: origin.path) ?? origin.defaultPolicy.canEdit
  }

  /// Returns whether the item at a path can move, as the source says that it comes from.
  ///
  /// - Returns: False also where there is no item at the path. See ``ItemPolicy`` for what a source
  ///   allows that does not say.
  public func canMove(at path: ItemPath) -> Bool {
    guard let origin = existingOrigin(at: path) else { return false }
    return origin.policy?.canMoveItem(at: origin.path) ?? origin.defaultPolicy.canMove
  }

  /// Returns what editing the item at a path offers, as the source says that it comes from.
  ///
  /// - Returns: ``EditingKind/none`` for an item that cannot be edited, and where there is no item.
  public func editingKind(at path: ItemPath) -> EditingKind {
    guard let origin = existingOrigin(at: path) else { return .none }
    guard let policy = origin.policy else { return origin.defaultPolicy.editingKind }
    return policy.canEditItem(at: origin.path) ? policy.editingKindOfItem(at: origin.path) : .none
  }

  /// Returns what becomes of a proposal to move an item, in the terms of the source that the item
  /// comes from.
  ///
  /// The place is found as ``/Sectile/DataSource/moveItem(from:to:)`` finds it; then the source
  /// decides where the item lands: its policy, and what
  /// ``/Sectile/ItemMoving/destination(forMovingItemAt:to:)`` answers. A proposal to put it among
  /// the items of another source is refused, unless that takes it, as results of a store take rows
  /// of their table, and allows inserting there; then, and in an empty section that its source does
  /// not show, it lands as proposed.
  ///
  /// - Parameters:
  ///   - source: Where the item is.
  ///   - proposal: Where it is to be once it was taken out.
  /// - Returns: The move; nil where the item cannot move, would stay where it is, or is not there.
  public func relocation(from source: ItemPath, to proposal: ItemPath) -> ItemRelocation? {
    guard canMove(at: source), let origin = existingOrigin(at: source),
      let goal = goal(of: origin, from: source, proposal: proposal)
    else { return nil }
    guard goal.source === origin.source, case .path(let place) = goal.place else {
      let relocation = ItemRelocation(of: origin, to: goal)
      if goal.source === origin.source { return relocation }
      // To the other source the item is a new one.
      let target = goal.source as? any ItemEditing
      return target?.allows(.inserting, at: relocation.to) == true ? relocation : nil
    }
    let target = origin.policy?.targetOfMove(from: origin.path, proposal: place) ?? place
    if target == origin.path { return nil }
    let landing =
      (origin.source as? any ItemMoving).map {
        $0.destination(forMovingItemAt: origin.path, to: target)
      } ?? target
    // A source that groups its items may leave one where it is, wherever it is put.
    guard let landing, landing != origin.path else { return nil }
    return ItemRelocation(
      source: origin.source, from: origin.path, to: target, isAsProposed: landing == place)
  }

  private func existingOrigin(at path: ItemPath) -> ItemOrigin? {
    snapshot.contains(path) ? origin(at: path) : nil
  }

  /// Returns the place in the sources that a proposal here stands for.
  private func goal(
    of origin: ItemOrigin, from source: ItemPath, proposal: ItemPath
  ) -> ItemGoal? {
    let snapshot = snapshot
    guard proposal.section >= 0, proposal.section < snapshot.numberOfSections else { return nil }
    let count = snapshot.numberOfItems(in: proposal.section)
    let room = proposal.section == source.section ? count - 1 : count
    guard proposal.item >= 0, proposal.item <= room else { return nil }
    if origin.source === self || proposal == source {
      let path = origin.source === self ? proposal : origin.path
      return ItemGoal(source: origin.source, place: .path(path))
    }
    return try? goal(for: origin, from: source, to: proposal)
  }
}

extension ItemOrigin {
  /// The source as one that says what its items allow, if it does.
  fileprivate var policy: (any ItemPolicy)? { source as? any ItemPolicy }
  fileprivate var defaultPolicy: DefaultPolicy { DefaultPolicy(of: source, at: path) }
}
