internal import SectileCore
internal import Synchronization

// Where rows and sections come from, below all compositions.

extension CompositionEngine {
  func origin(at path: ItemPath) -> ItemOrigin? {
    let visible = state.withLock { $0.visible }
    guard let result = visible.result, let inputs = visible.roster?.sources, path.section >= 0,
      path.section < result.numberOfSections,
      path.item >= 0, path.item < result.numberOfItems(in: path.section)
    else { return nil }
    let (number, path) = result.origin(at: path)
    // The input may have moved on: the item is looked up there by what it is.
    let id = visible.shownInputs[number].id(at: path)
    return inputs[number].path(of: id).map { inputs[number].origin(at: $0) }
  }

  func origin(ofSection section: Int?) -> SectionOrigin? {
    let visible = state.withLock { $0.visible }
    guard let result = visible.result, let inputs = visible.roster?.sources else { return nil }
    guard let section else {
      guard inputs.count == 1 else { return nil }
      return decided(inputs[0].origin(ofSection: nil), visible.roster?.rule, nil)
    }
    guard section >= 0, section < result.numberOfSections else { return nil }
    let identity = result.header(ofSection: section).identity
    let (number, inner) = result.origin(ofSection: section)
    let origin: SectionOrigin
    if let inner {
      // The input may have moved on: the section is looked up there by what it is.
      let known = visible.shownInputs[number].sections[inner].identity
      origin = inputs[number].origin(ofSectionCalled: known)
    } else if let absent = result.origin(ofAbsentSection: identity) {
      origin = inputs[absent.input].origin(ofSectionCalled: absent.identity)
    } else {
      origin = inputs[number].origin(ofSection: nil)
    }
    return decided(origin, visible.roster?.rule, identity)
  }

  func origin(ofAbsentSection identity: StoredValue) -> SectionOrigin? {
    let visible = state.withLock { $0.visible }
    guard let result = visible.result, let inputs = visible.roster?.sources,
      let (number, inner) = result.origin(ofAbsentSection: identity)
    else { return nil }
    return decided(
      inputs[number].origin(ofSectionCalled: inner), visible.roster?.rule, identity)
  }

  /// Adds what the rule decides by the items themselves, and in which order it shows them.
  private func decided(
    _ origin: SectionOrigin, _ rule: Rule?, _ identity: StoredValue?
  ) -> SectionOrigin {
    var origin = origin
    if rule?.reversesRows == true { origin.isReversed.toggle() }
    if rule?.selectsItems == true {
      origin.deciders.insert(SectionDecider(ObjectIdentifier(self)))
    }
    if rule?.assignsSections == true {
      // Of several sections none is known: that is another decision than each of them.
      origin.deciders.insert(
        SectionDecider(ObjectIdentifier(self), assigning: identity ?? .null))
    }
    return origin
  }

  func itemInSource(_ id: ItemID) -> ItemInSource? {
    let roster = state.withLock { $0.visible.roster ?? $0.roster }
    guard let (number, id) = roster.rule.origin(of: id), roster.sources.indices.contains(number)
    else { return nil }
    return roster.sources[number].itemInSource(id)
  }

  func root(of id: ItemID) -> RowRoot? {
    let roster = state.withLock { $0.visible.roster ?? $0.roster }
    guard let (number, id) = roster.rule.origin(of: id), roster.sources.indices.contains(number)
    else { return nil }
    return RowRoot(of: id, in: roster.sources[number])
  }
}
