internal import SectileCore

/// Shows the sections of one input after those of the other.
struct Concatenation<Item: Sendable>: Composition {
  typealias ItemID = AnyItemID
  typealias InputID = AnyItemID

  struct Result: JoinedArrangement {
    let inputs: [any DataSourceSnapshot<AnyItemID, Item>]
    /// The ordinal of each input's first section, and the number of sections at the end.
    let sectionStarts: [Int]
    /// The rank of each input's first row, and the number of rows at the end.
    let rankStarts: [Int]

    init(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>]) {
      self.inputs = inputs
      sectionStarts = inputs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.numberOfSections) }
      rankStarts = inputs.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.numberOfItems) }
    }

    var numberOfSections: Int { sectionStarts[inputs.count] }
    var numberOfItems: Int { rankStarts[inputs.count] }

    func numberOfItems(in section: Int) -> Int {
      let number = input(ofSection: section)
      return inputs[number].numberOfItems(in: section - sectionStarts[number])
    }

    func header(ofSection section: Int) -> SourceSection {
      let number = input(ofSection: section)
      return inputs[number].sections[section - sectionStarts[number]].qualified(by: "\(number)")
    }

    func section(withIdentity identity: StoredValue) -> Int? {
      guard let (prefix, section) = identity.unqualified, let number = Int(prefix),
        "\(number)" == prefix, inputs.indices.contains(number)
      else { return nil }
      return inputs[number].section(withIdentity: section).map { sectionStarts[number] + $0 }
    }

    func path(of id: AnyItemID) -> ItemPath? {
      guard let number = id.source, inputs.indices.contains(number) else { return nil }
      return inputs[number].path(of: id.inSource).map { path($0, ofInput: number) }
    }

    func rank(of path: ItemPath) -> Int {
      let (number, path) = origin(at: path)
      return rankStarts[number] + inputs[number].rank(of: path)
    }

    func path(atRank rank: Int) -> ItemPath {
      let number = rankStarts.lastIndex { $0 <= rank } ?? 0
      // An input without rows starts where the next one does.
      return path(inputs[number].path(atRank: rank - rankStarts[number]), ofInput: number)
    }

    func origin(at path: ItemPath) -> (input: Int, path: ItemPath) {
      let number = input(ofSection: path.section)
      return (
        number, ItemPath(section: path.section - sectionStarts[number], item: path.item)
      )
    }

    func origin(ofSection section: Int) -> (input: Int, section: Int?) {
      let number = input(ofSection: section)
      return (number, section - sectionStarts[number])
    }

    func scan(_ body: (AnyItemID, Item, Int) throws -> Void) throws {
      for (number, input) in inputs.enumerated() {
        let start = rankStarts[number]
        try input.scan { try body(AnyItemID($0, ofSource: number), $1, start + $2) }
      }
    }

    private func input(ofSection section: Int) -> Int {
      precondition(
        section >= 0 && section < numberOfSections,
        "section \(section) is outside 0..<\(numberOfSections)")
      return sectionStarts.lastIndex { $0 <= section } ?? 0
    }

    /// Returns where an input's path is here.
    func path(_ path: ItemPath, ofInput number: Int) -> ItemPath {
      ItemPath(section: sectionStarts[number] + path.section, item: path.item)
    }
  }

  func origin(of id: AnyItemID) -> (input: Int, id: AnyItemID)? {
    id.source.map { ($0, id.inSource) }
  }

  func arrange(_ inputs: [any DataSourceSnapshot<AnyItemID, Item>]) -> Result { Result(inputs) }

  func follow(_ change: InputChange<AnyItemID, Item>, from old: Result) -> Followed<Result> {
    let new = arrange(change.after)
    let number = change.input
    // The sections of the other inputs only shift, which nobody is told of.
    let start = old.sectionStarts[number]
    let translation = ChangesetTranslation<AnyItemID, Item, AnyItemID, Item>(
      sectionBefore: { start + $0 }, sectionAfter: { start + $0 },
      pathBefore: { old.path($0, ofInput: number) }, pathAfter: { new.path($0, ofInput: number) },
      headerBefore: { header, _ in header.qualified(by: "\(number)") },
      headerAfter: { header, _ in header.qualified(by: "\(number)") },
      id: { AnyItemID($0, ofSource: number) },
      payload: { $0 })
    return Followed(result: new, changes: translation(change.changes))
  }
}
