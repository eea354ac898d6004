import SectileCore
import SectileTestSupport
import Testing

@Suite struct SectionedIndexTests {
  @Test(arguments: [2, 3, 4, 8])
  func everySizeAnswersLikeArrays(blockCapacity: Int) {
    for size in 0...40 {
      var reference = IndexReference()
      for number in 0..<(size / 5 + 1) {
        let handles = (number * 5..<min(size, number * 5 + 5)).map { Int32(size - 1 - $0) }
        reference.sections.append(
          .init(header: IndexReference.header(number), order: UInt64(number), handles: handles))
      }
      expect(reference.built(blockCapacity: blockCapacity), equals: reference)
    }
  }

  @Test(arguments: [2, 3, 4], 0..<20)
  func randomEditsAnswerLikeArrays(blockCapacity: Int, seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var reference = IndexReference()
    var index = SectionedIndex(blockCapacity: blockCapacity)
    var handles = (0..<60).map { Int32($0) }
    var nextSection = 0
    for step in 0..<40 {
      let before = index
      let reference0 = reference
      let edits = randomEdits(
        of: reference, grows: step % 12 < 7, &handles, &nextSection, &random)
      index.apply(edits)
      reference.apply(edits)
      expect(index, equals: reference)
      if step % 10 == 0 { expect(before, equals: reference0) }
    }
  }

  @Test(arguments: [2, 3, 8], 0..<5)
  func movesWithinASectionAnswerLikeArrays(blockCapacity: Int, seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var reference = IndexReference()
    for (number, count) in [1, 2, 30, 7].enumerated() {
      let first = reference.handles.count
      let handles = (first..<(first + count)).map { Int32($0) }
      reference.sections.append(
        .init(header: IndexReference.header(number), order: 0, handles: handles))
    }
    var index = reference.built(blockCapacity: blockCapacity)
    for _ in 0..<100 {
      let section = Int.random(in: 0..<4, using: &random)
      let items = reference.sections[section].handles.indices
      let source = Int.random(in: items, using: &random)
      let target = Int.random(in: items, using: &random)
      index.moveRow(at: ItemPath(section: section, item: source), to: target)
      let handle = reference.sections[section].handles.remove(at: source)
      reference.sections[section].handles.insert(handle, at: target)
      expect(index, equals: reference)
    }
  }

  /// Numbers are searched for of which some occur more than once, and some cannot be asked for.
  @Test(arguments: [2, 3, 8, 256], 0..<5)
  func aPlaceIsNarrowedDownAsFarAsAnswersGo(blockCapacity: Int, seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let numbers = (0..<60).map { _ in Int.random(in: 0..<120, using: &random) }.sorted()
    let secrets = Set((0..<Int(seed) * 3).map { _ in Int32.random(in: 0..<60, using: &random) })
    var reference = IndexReference("0:")
    reference.sections[0].handles = Array(0..<60)
    let index = reference.built(blockCapacity: blockCapacity)
    for _ in 0..<300 {
      let wanted = Int.random(in: -1...120, using: &random)
      let start = Int.random(in: 0...60, using: &random)
      let ranks = start..<Int.random(in: start...60, using: &random)
      var untold: [Int32] = []
      let left = index.narrow(ranks) { handle -> PlaceSide? in
        let number = numbers[Int(handle)]
        guard number != wanted, !secrets.contains(handle) else {
          untold.append(handle)
          return nil
        }
        return wanted < number ? .before : .behind
      }
      let first = ranks.first { numbers[$0] >= wanted } ?? ranks.upperBound
      let end = ranks.first { numbers[$0] > wanted } ?? ranks.upperBound
      #expect(left.lowerBound <= first && end <= left.upperBound)
      #expect(ranks.isEmpty || ranks.lowerBound <= left.lowerBound)
      #expect(left.upperBound <= ranks.upperBound)
      // One question without an answer ends it, and nothing is left where all are answered.
      #expect(untold.count <= 1 && untold.isEmpty == left.isEmpty)
      #expect(untold.allSatisfy { left.contains(Int($0)) })
    }
  }

  @Test func emptySectionsArePassedOver() {
    let reference = IndexReference("0: | 1: 4 2 | 2: | 3: 0 | 4:")
    let index = reference.built(blockCapacity: 2)
    expect(index, equals: reference)
    #expect(index.path(of: 0) == ItemPath(section: 3, item: 0))
    #expect(index.startRank(ofSection: 2) == 2)
    #expect(index.startRank(ofSection: 5) == 3)
  }

  @Test func builderGoesOnAfterFinish() {
    var builder = SectionedIndexBuilder(blockCapacity: 4)
    builder.appendSection(IndexReference.header(0))
    for handle in 0..<5 { builder.appendRow(Int32(handle)) }
    let first = builder.finish()
    builder.appendRow(5)
    builder.appendSection(IndexReference.header(1))
    builder.appendRow(6)
    let second = builder.finish()
    first.checkInvariants()
    second.checkInvariants()
    #expect(first.count == 5 && first.sectionCount == 1)
    #expect(SectionDiagram(of: first) == "0: 0 1 2 3 4")
    #expect(SectionDiagram(of: second) == "0: 0 1 2 3 4 5 | 1: 6")
  }

  @Test func builderCanNumberRowsAnew() {
    var builder = SectionedIndexBuilder(blockCapacity: 4)
    builder.appendSection(IndexReference.header(0))
    builder.appendRows(upTo: 4)
    builder.appendSection(IndexReference.header(1))
    builder.appendSection(IndexReference.header(2))
    builder.appendRows(upTo: 6)
    builder.appendRows(upTo: 6)
    builder.renumberRows([9, 3, 7, 20, 0, 1])
    let index = builder.finish()
    index.checkInvariants()
    #expect(SectionDiagram(of: index) == "0: 9 3 7 20 | 1: | 2: 0 1")
    #expect(index.path(of: 20) == ItemPath(section: 0, item: 3) && index.path(of: 2) == nil)
  }

  /// Blocks long enough to be looked through sixteen handles at a time.
  @Test func longBlocksAreLookedThroughToTheEnd() {
    for count in [1, 15, 16, 17, 33, 100] {
      var builder = SectionedIndexBuilder()
      builder.appendSection(IndexReference.header(0))
      for handle in 0..<count { builder.appendRow(Int32(handle * 3)) }
      let index = builder.finish()
      for rank in 0..<count { #expect(index.rank(of: Int32(rank * 3)) == rank) }
    }
  }

  /// So many sections that their blocks become larger, built at once and put in one by one.
  @Test func manySectionsAnswerLikeFew() {
    var random = SplitMix(seed: 7)
    var built = SectionedIndexBuilder(blockCapacity: 32)
    var grown = SectionedIndex(blockCapacity: 32)
    var order: [Int] = []
    for number in 0..<2_500 {
      built.appendSection(IndexReference.header(number))
      built.appendRow(Int32(number))
      let ordinal = Int.random(in: 0...number, using: &random)
      order.insert(number, at: ordinal)
      var edits = IndexEdits()
      edits.insertedSections = [
        IndexEdits.Section(ordinal: ordinal, header: IndexReference.header(number), order: 0)
      ]
      edits.insertedRows = [
        IndexEdits.Row(path: ItemPath(section: ordinal, item: 0), handle: Int32(number))
      ]
      grown.apply(edits)
    }
    let index = built.finish()
    index.checkInvariants()
    grown.checkInvariants()
    for number in stride(from: 0, to: 2_500, by: 7) {
      #expect(index.path(of: Int32(number)) == ItemPath(section: number, item: 0))
      #expect(grown.header(ofSection: number).title == "section \(order[number])")
    }
  }

  @Test func titleAndOrderCanBeReplaced() {
    var index = IndexReference("0: 0", order: 1).built(blockCapacity: 2)
    index.setHeader(SourceSection(identity: 0, title: "new"), ofSection: 0)
    #expect(index.header(ofSection: 0).title == "new")
    #expect(index.order(ofSection: 0) == 1)
    index.setHeader(SourceSection(identity: 0, title: "new"), order: 2, ofSection: 0)
    #expect(index.order(ofSection: 0) == 2)
  }

  @Test func unknownHandlesAndIdentitiesAreNil() {
    let index = SectionedIndex()
    #expect(index.rank(of: 3) == nil)
    #expect(index.path(of: -1) == nil)
    #expect(index.sectionOrdinal(of: "A") == nil)
    #expect(index.count == 0 && index.sectionCount == 0)
    #expect(index.handles(in: 0..<0).isEmpty)
  }

  @Test func hundredThousandRowsInManyShapes() {
    for sectionCount in [1, 200, 100_000] {
      let perSection = 100_000 / sectionCount
      var builder = SectionedIndexBuilder()
      for section in 0..<sectionCount {
        builder.appendSection(IndexReference.header(section))
        for item in 0..<perSection { builder.appendRow(Int32(section * perSection + item)) }
      }
      var index = builder.finish()
      var random = SplitMix(seed: 7)
      for _ in 0..<2_000 {
        let rank = random.number(below: index.count)
        let path = index.path(atRank: rank)
        let handle = index.handle(atRank: rank)
        #expect(index.rank(at: path) == rank && index.path(of: handle) == path)
        let target = random.number(below: index.sectionCount)
        var edits = IndexEdits()
        edits.removedRows = [path]
        edits.insertedRows = [
          .init(path: ItemPath(section: target, item: 0), handle: handle)
        ]
        index.apply(edits)
        #expect(index.path(of: handle) == ItemPath(section: target, item: 0))
      }
      #expect(index.count == 100_000)
    }
  }

  // MARK: - Helpers

  private func expect(
    _ index: SectionedIndex, equals reference: IndexReference,
    location: SourceLocation = #_sourceLocation
  ) {
    index.checkInvariants()
    let handles = reference.handles
    var isEqual = index.count == handles.count && index.sectionCount == reference.sections.count
    isEqual = isEqual && index.handles(in: 0..<index.count) == handles
    let ranks = index.ranksByHandle
    isEqual = isEqual && ranks.filter { $0 >= 0 }.count == index.count
    var rank = 0
    for (ordinal, section) in reference.sections.enumerated() where isEqual {
      isEqual = isEqual && index.count(inSection: ordinal) == section.handles.count
      isEqual = isEqual && index.header(ofSection: ordinal) == section.header
      isEqual = isEqual && index.order(ofSection: ordinal) == section.order
      isEqual = isEqual && index.startRank(ofSection: ordinal) == rank
      isEqual = isEqual && index.sectionOrdinal(of: section.header.identity) == ordinal
      isEqual = isEqual && index.handles(inSection: ordinal) == section.handles
      for (item, handle) in section.handles.enumerated() {
        let path = ItemPath(section: ordinal, item: item)
        isEqual = isEqual && index.path(of: handle) == path && index.rank(of: handle) == rank
        isEqual = isEqual && index.rank(at: path) == rank && index.path(atRank: rank) == path
        isEqual = isEqual && index.handle(at: path) == handle
        isEqual = isEqual && ranks[Int(handle)] == rank
        rank += 1
      }
    }
    #expect(
      isEqual, "\(SectionDiagram(of: index)) differs from \(reference.diagram)",
      sourceLocation: location)
  }

  /// Returns consistent edits of every kind; `handles` are the unused ones.
  private func randomEdits(
    of reference: IndexReference, grows: Bool, _ handles: inout [Int32],
    _ nextSection: inout Int, _ random: inout SplitMix
  ) -> IndexEdits {
    var edits = IndexEdits()
    var arriving: [Int32] = []
    var sections = reference.sections
    for (ordinal, section) in reference.sections.enumerated() {
      let isRemoved = random.number(below: grows ? 12 : 4) == 0
      for (item, handle) in section.handles.enumerated() {
        guard isRemoved || random.number(below: grows ? 8 : 2) == 0 else { continue }
        edits.removedRows.append(ItemPath(section: ordinal, item: item))
        if random.number(below: 2) == 0 { arriving.append(handle) } else { handles.append(handle) }
      }
      if isRemoved {
        edits.removedSections.append(ordinal)
      } else if random.number(below: 10) == 0 {
        edits.movedSections.append(.init(source: ordinal, target: 0))
      }
    }
    for path in edits.removedRows.reversed() {
      sections[path.section].handles.remove(at: path.item)
    }
    let moved = edits.movedSections.map { sections[$0.source] }
    let departures = edits.removedSections + edits.movedSections.map(\.source)
    for ordinal in departures.sorted().reversed() { sections.remove(at: ordinal) }
    place(moved, &sections, &edits, &nextSection, &random)
    for _ in 0..<(grows ? random.number(below: 8) : 0) {
      if let handle = handles.popLast() { arriving.append(handle) }
    }
    if sections.isEmpty {
      handles += arriving
      return edits
    }
    for handle in arriving {
      let section = random.number(below: sections.count)
      let item = random.number(below: sections[section].handles.count + 1)
      sections[section].handles.insert(handle, at: item)
    }
    let arrivals = Set(arriving)
    for (ordinal, section) in sections.enumerated() {
      for (item, handle) in section.handles.enumerated() where arrivals.contains(handle) {
        edits.insertedRows.append(
          .init(path: ItemPath(section: ordinal, item: item), handle: handle))
      }
    }
    return edits
  }

  /// Puts moved and new sections among the others, and writes down where they are.
  private func place(
    _ moved: [IndexReference.Section], _ sections: inout [IndexReference.Section],
    _ edits: inout IndexEdits, _ nextSection: inout Int, _ random: inout SplitMix
  ) {
    var arrivals = moved
    for _ in 0..<random.number(below: 3) {
      arrivals.append(
        .init(header: IndexReference.header(nextSection), order: random.next(), handles: []))
      nextSection += 1
    }
    for section in arrivals {
      sections.insert(section, at: random.number(below: sections.count + 1))
    }
    for (ordinal, section) in sections.enumerated() {
      let identity = section.header.identity
      if let offset = moved.firstIndex(where: { $0.header.identity == identity }) {
        edits.movedSections[offset].target = ordinal
      } else if arrivals.contains(where: { $0.header.identity == identity }) {
        edits.insertedSections.append(
          .init(ordinal: ordinal, header: section.header, order: section.order))
      } else if random.number(below: 6) == 0 {
        let header = SourceSection(identity: identity, title: "title \(random.next())")
        edits.updatedSections.append(
          .init(ordinal: ordinal, header: header, order: random.next()))
      }
    }
  }
}
