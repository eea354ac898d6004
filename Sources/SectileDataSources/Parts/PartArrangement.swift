internal import SectileCore

/// What a ``PartRule`` shows.
///
/// ```text
/// parts            ada        bob (empty, kept)   eve
/// sections         0  1       2                   3  4  5
/// sectionStarts    0          2                   3         6
/// ```
struct PartArrangement<PartID: Hashable & Sendable, Item: Sendable>: Arrangement {
  typealias ItemID = PartItemID<PartID>
  typealias Input = any DataSourceSnapshot<AnyItemID, Item>

  let rule: PartRule<PartID, Item>
  private(set) var inputs: [Input]
  /// The ordinal of each part's first section, and the number of sections at the end.
  private(set) var sectionStarts: [Int]
  /// The rank of each part's first row, and the number of rows at the end.
  private(set) var rankStarts: [Int]

  init(_ rule: PartRule<PartID, Item>, _ inputs: [Input]) {
    self.rule = rule
    self.inputs = inputs
    sectionStarts = [0]
    rankStarts = [0]
    sectionStarts.reserveCapacity(inputs.count + 1)
    rankStarts.reserveCapacity(inputs.count + 1)
    for (position, input) in inputs.enumerated() {
      sectionStarts.append(sectionStarts[position] + sectionCount(of: input))
      rankStarts.append(rankStarts[position] + input.numberOfItems)
    }
  }

  /// Returns the arrangement with another version of a part.
  ///
  /// - Complexity: O(*p*) for *p* parts, of which one is asked.
  func replacing(_ position: Int, with input: Input) -> PartArrangement {
    var result = self
    result.inputs[position] = input
    let sections =
      sectionCount(of: input) - (sectionStarts[position + 1] - sectionStarts[position])
    let rows = input.numberOfItems - (rankStarts[position + 1] - rankStarts[position])
    if sections != 0 {
      for next in position + 1...inputs.count { result.sectionStarts[next] += sections }
    }
    if rows != 0 {
      for next in position + 1...inputs.count { result.rankStarts[next] += rows }
    }
    return result
  }

  private func sectionCount(of input: Input) -> Int {
    max(input.numberOfSections, rule.keepsEmptyParts ? 1 : 0)
  }

  /// Returns the ordinals of the sections of a part.
  func sections(ofPart position: Int) -> Range<Int> {
    sectionStarts[position]..<sectionStarts[position + 1]
  }

  /// Returns the part that a section belongs to.
  func part(ofSection section: Int) -> Int {
    precondition(
      section >= 0 && section < numberOfSections,
      "section \(section) is outside 0..<\(numberOfSections)")
    return partition(sectionStarts.count) { sectionStarts[$0] > section } - 1
  }

  // MARK: - Reading

  var numberOfSections: Int { sectionStarts[inputs.count] }
  var numberOfItems: Int { rankStarts[inputs.count] }

  func numberOfItems(in section: Int) -> Int {
    let position = part(ofSection: section)
    return inputs[position].numberOfItems(in: section - sectionStarts[position])
  }

  func header(ofSection section: Int) -> SourceSection {
    let position = part(ofSection: section)
    let (part, input) = (rule.part(at: position), inputs[position])
    guard input.numberOfSections > 0 else { return part.headerWhenEmpty }
    return part.header(for: input.sections[section - sectionStarts[position]])
  }

  func section(withIdentity identity: StoredValue) -> Int? {
    guard let (prefix, section) = identity.unqualified,
      let position = rule.number(ofPrefix: prefix).flatMap({ rule.position(of: $0) })
    else { return nil }
    let start = sectionStarts[position]
    if inputs[position].numberOfSections == 0 {
      return rule.keepsEmptyParts && section == .null ? start : nil
    }
    return inputs[position].section(withIdentity: section).map { start + $0 }
  }

  func item(at path: ItemPath) throws -> Item {
    let (position, path) = origin(at: path)
    return try inputs[position].item(at: path)
  }

  func id(at path: ItemPath) -> PartItemID<PartID> {
    let (position, path) = origin(at: path)
    return PartItemID(inputs[position].id(at: path), inPart: rule.part(at: position).id)
  }

  func path(of id: PartItemID<PartID>) -> ItemPath? {
    guard let (position, id) = rule.origin(of: id) else { return nil }
    return inputs[position].path(of: id).map { path($0, ofPart: position) }
  }

  func rank(of path: ItemPath) -> Int {
    let (position, path) = origin(at: path)
    let input = inputs[position]
    // The section of an empty part is not known there.
    return rankStarts[position] + (input.numberOfSections == 0 ? 0 : input.rank(of: path))
  }

  func path(atRank rank: Int) -> ItemPath {
    // A part without rows starts where the next one does.
    let position = partition(rankStarts.count) { rankStarts[$0] > rank } - 1
    return path(
      inputs[position].path(atRank: rank - rankStarts[position]), ofPart: position)
  }

  func scan(_ body: (PartItemID<PartID>, Item, Int) throws -> Void) throws {
    for (position, input) in inputs.enumerated() {
      let (part, start) = (rule.part(at: position).id, rankStarts[position])
      try input.scan { try body(PartItemID($0, inPart: part), $1, start + $2) }
    }
  }

  func origin(at path: ItemPath) -> (input: Int, path: ItemPath) {
    let position = part(ofSection: path.section)
    return (
      position, ItemPath(section: path.section - sectionStarts[position], item: path.item)
    )
  }

  func origin(ofSection section: Int) -> (input: Int, section: Int?) {
    let position = part(ofSection: section)
    // The section of an empty part is not known there.
    let isThere = inputs[position].numberOfSections > 0
    return (position, isThere ? section - sectionStarts[position] : nil)
  }

  private func path(_ path: ItemPath, ofPart position: Int) -> ItemPath {
    ItemPath(section: sectionStarts[position] + path.section, item: path.item)
  }
}
