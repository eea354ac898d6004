// Where a place in a list is in the sources that its items come from: found by the items beside it,
// and in a section without items by what that section is there.

extension DataSource {
  /// Returns where an item goes in the sources below all compositions.
  ///
  /// - Parameters:
  ///   - origin: The item.
  ///   - path: Where it is here.
  ///   - target: Where it is to be here, once it is taken out.
  /// - Returns: The place, of a source that can take the item.
  /// - Throws: ``DataSourceError`` with `noSuchPath`, `differentSources`, `sectionIsWorkedOut`.
  package func goal(
    for origin: ItemOrigin, from path: ItemPath, to target: ItemPath
  ) throws(DataSourceError) -> ItemGoal {
    let goal: ItemGoal
    if let end = try goalInEmptySection(for: origin, to: target) {
      goal = end
    } else {
      goal = try goalBesideNeighbours(for: origin, from: path, to: target)
    }
    if goal.source !== origin.source || goal.place.isEmptySection {
      let taker = goal.source as? any PlaceTaking
      guard taker?.canTake(from: origin.source, to: goal.place) == true else {
        if goal.source === origin.source { throw .sectionIsWorkedOut(target, in: self) }
        throw .differentSources(origin.source, goal.source)
      }
    }
    let staysInSection =
      if case .path(let place) = goal.place, goal.source === origin.source {
        place.section == origin.path.section
      } else {
        false
      }
    try checkSections(
      from: path, to: target, of: origin.source, in: goal.source, staysInSection: staysInSection)
    return goal
  }

  /// Checks that moving an item from section to section brings it there.
  ///
  /// - Parameters:
  ///   - path: Where the item is here.
  ///   - target: Where it is to be.
  ///   - source: The item's own source.
  ///   - goal: The source that it is to be in.
  ///   - staysInSection: Whether it stays in one section of its own source.
  /// - Throws: ``DataSourceError`` with `sectionIsWorkedOut`.
  func checkSections(
    from path: ItemPath, to target: ItemPath, of source: any DataSource, in goal: any DataSource,
    staysInSection: Bool
  ) throws(DataSourceError) {
    guard target.section != path.section else { return }
    // Moving changes the item's place, and the section of its source. Another decision stays as it
    // is.
    let (former, latter) = (
      origin(ofSection: path.section), origin(ofSection: target.section)
    )
    guard former.source === source, latter.source === goal, former.deciders != latter.deciders
    else { return }
    // From source to source nothing but the closures there decides.
    let isDecided = source === goal && (staysInSection || former.isWorkedOut)
    if isDecided || latter.isWorkedOut {
      throw .sectionIsWorkedOut(target, in: self)
    }
  }

  /// Returns where a section without items is; nil where there are items, or no such section.
  private func goalInEmptySection(
    for origin: ItemOrigin, to target: ItemPath
  ) throws(DataSourceError) -> ItemGoal? {
    guard target.item == 0, isEmptySection(target.section) else { return nil }
    let section = self.origin(ofSection: target.section)
    if let goal = end(of: section, without: origin) { return goal }
    if section.source === origin.source { throw .sectionIsWorkedOut(target, in: self) }
    throw .differentSources(origin.source, section.source)
  }

  func isEmptySection(_ section: Int) -> Bool {
    let snapshot = snapshot
    return section >= 0 && section < snapshot.numberOfSections
      && snapshot.numberOfItems(in: section) == 0
  }

  /// Returns the place behind the last item of a section below all compositions; nil where it is
  /// not known which section that is.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - origin: An item that is taken out of it, where it is there; nil for none.
  /// - Returns: The place.
  func end(of section: SectionOrigin, without origin: ItemOrigin?) -> ItemGoal? {
    let source = section.source
    if let number = section.section {
      let isTakenOut = origin.map { $0.source === source && $0.path.section == number } ?? false
      let end = source.numberOfItems(in: number) - (isTakenOut ? 1 : 0)
      return ItemGoal(
        source: source, place: .path(ItemPath(section: number, item: end)))
    }
    if let identity = section.absentIdentity {
      return ItemGoal(source: source, place: .emptySection(identity))
    }
    // A source of its own that shows nothing yet, as a part of a list: no closure is in between.
    guard source !== self, section.deciders.isEmpty, source.numberOfSections == 0 else {
      return nil
    }
    return ItemGoal(source: source, place: .path(ItemPath(section: 0, item: 0)))
  }

  private func goalBesideNeighbours(
    for origin: ItemOrigin, from path: ItemPath, to target: ItemPath
  ) throws(DataSourceError) -> ItemGoal {
    // Where the neighbours of the new place are while the item is still in its old one.
    let isSameSection = target.section == path.section
    let isDownward = isSameSection && target.item > path.item
    let after = isDownward ? target.shifted(by: 1) : target
    let neighbours = [
      (path: after.shifted(by: -1), step: 1), (path: after, step: 0),
    ].filter { snapshot.contains($0.path) }
    guard !neighbours.isEmpty else { throw .noSuchPath(target) }
    var stranger: ItemGoal?
    for neighbour in isDownward ? neighbours : neighbours.reversed() {
      let other = self.origin(at: neighbour.path)
      guard other.source === origin.source else {
        let step = isReversed(at: neighbour.path, other) ? 1 - neighbour.step : neighbour.step
        stranger =
          stranger
          ?? ItemGoal(source: other.source, place: .path(other.path.shifted(by: step)))
        continue
      }
      let isBehind =
        other.path.section == origin.path.section && other.path.item > origin.path.item
      // Where the items stand the other way round in their source, behind means in front there.
      let isOpposite =
        isSameSection && other.path.section == origin.path.section
        ? (neighbour.path > path) != (other.path > origin.path)
        : isReversed(at: neighbour.path, other)
      let step = isOpposite ? 1 - neighbour.step : neighbour.step
      return ItemGoal(
        source: origin.source,
        place: .path(other.path.shifted(by: step - (isBehind ? 1 : 0))))
    }
    guard let stranger else { throw .differentSources(origin.source, origin.source) }
    return stranger
  }

  /// Returns whether the items around a path stand the other way round in their source.
  ///
  /// Neighbours in the section tell, of the same section there; where there is none, the
  /// compositions on the way. Sections are no guide: they may stand in any order.
  func isReversed(at path: ItemPath, _ origin: ItemOrigin) -> Bool {
    for neighbour in [path.shifted(by: -1), path.shifted(by: 1)] where snapshot.contains(neighbour)
    {
      let other = self.origin(at: neighbour)
      guard other.source === origin.source, other.path.section == origin.path.section else {
        continue
      }
      return (neighbour > path) != (other.path > origin.path)
    }
    return self.origin(ofSection: path.section).isReversed
  }
}

extension ItemGoal.Place {
  fileprivate var isEmptySection: Bool {
    if case .emptySection = self { true } else { false }
  }
}

extension ItemPath {
  /// A path that a client sent may be at the end of all numbers: then the result is as little
  /// there.
  func shifted(by distance: Int) -> ItemPath {
    ItemPath(section: section, item: item &+ distance)
  }
}
