import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// Random compositions of random sources, which stand in several places of them, under random
/// changes.
///
/// What the changesets add up to is what the composition shows, and that is what the plainest means
/// give. One change of a source is one changeset, or none.
@Suite(.timeLimit(.minutes(60))) struct RandomCompositionTests {
  typealias Leaf = SectionedContents<Int, ModelRow>

  @Test(arguments: SeededRandom.batches())
  func followingEqualsReplayAndModel(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      try run(depth: 3, &random)
    }
  }

  private func run(depth: Int, _ random: inout SeededRandom) throws {
    // With one leaf, all branches come from it.
    let count = Int.random(in: 1...2, using: &random)
    var contents = (0..<count).map { _ in Self.randomContents(&random) }
    let leaves = contents.map { ContentsSource(name: "contents", $0) }
    if random.chance(0.3) { leaves[0].load() }
    let model = CompositionModel.random(depth: depth, leaves: count, &random)
    let source = model.source(over: leaves)
    let recorder = ChangeRecorder<AnyItemID, ModelRow>()
    source.delegate = recorder
    // The judge of the staged rendering.
    let list = ListViewSimulator<AnyItemID, ModelRow>()
    let token = source.observe { [weak source] event in
      guard case .didPartiallyLoad(let changes) = event, let source else { return }
      let violations = list.perform(changes.batches, expecting: source.snapshot)
      #expect(violations == [], "\(model)")
    }
    defer { token.cancel() }
    source.load()
    check(source, recorder, model, contents, "after load, \(random)")
    for step in 0..<8 {
      let isCancelled = random.chance(0.1)
      if isCancelled {
        source.cancel()
        recorder.sourceWasCancelled()
      }
      let number = Int.random(in: 0..<count, using: &random)
      let before = (Self.lines(model, over: contents), recorder.changesets.count)
      contents[number] = Self.changed(contents[number], &random)
      leaves[number].set(contents[number])
      if !isCancelled {
        let made = recorder.changesets.count - before.1
        let isChanged = Self.lines(model, over: contents) != before.0
        #expect(made == (isChanged ? 1 : 0), "step \(step), \(random): \(model)")
      }
      if isCancelled || random.chance(0.2) { source.load() }
      check(source, recorder, model, contents, "step \(step), \(random)")
      if !recorder.violations.isEmpty { return }
    }
  }

  private func check(
    _ source: AnyDataSource<ModelRow>, _ recorder: ChangeRecorder<AnyItemID, ModelRow>,
    _ model: CompositionModel, _ contents: [Leaf], _ occasion: String
  ) {
    let words = "\(occasion): \(model)"
    #expect(recorder.errors.isEmpty, "\(words)")
    #expect(recorder.violations == [], "\(words)")
    #expect(!recorder.isLoading, "\(words)")
    #expect(recorder.verify(against: source) == [], "\(words)")
    let shown = (try? source.snapshot.materialized().sections) ?? []
    let lines = Self.lines(shown, source.snapshot.aggregates)
    #expect(lines == Self.lines(model, over: contents), "\(words)")
    #expect(recorder.contents.aggregates == source.snapshot.aggregates, "\(words)")
    #expect(checkSnapshot(source.snapshot) == [], "\(words)")
    #expect((try? checkScan(source.snapshot)) == [], "\(words)")
  }

  private static func lines(_ model: CompositionModel, over contents: [Leaf]) -> [String] {
    lines(model.sections(over: contents), model.aggregates(over: contents))
  }

  private static func lines(
    _ sections: [CompositionModel.Section], _ aggregates: AggregateValues
  ) -> [String] {
    ["\(aggregates)"]
      + sections.map { section in
        let rows = section.rows.map { "\($0.id)=\($0.item.number).\($0.item.grade)" }
        let header = section.header
        return "\(header.title)|\(header.footer ?? "")|\(header.aggregates) "
          + rows.joined(separator: " ")
      }
  }

  // MARK: - Random contents

  private static func randomContents(_ random: inout SeededRandom) -> Leaf {
    changed(changed(Leaf(), &random), &random)
  }

  /// Returns contents with some rows gone, new, changed, moved, and the same for sections.
  static func changed(_ contents: Leaf, _ random: inout SeededRandom) -> Leaf {
    var sections = contents.sections
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where !sections.isEmpty:
        sections.remove(at: Int.random(in: sections.indices, using: &random))
      case 1, 2:
        let identity = Int64.random(in: 0..<5, using: &random)
        guard !sections.contains(where: { $0.header.identity == .integer(identity) }) else {
          continue
        }
        let header = SourceSection(identity: .integer(identity), title: "section \(identity)")
        let place = Int.random(in: 0...sections.count, using: &random)
        sections.insert(Leaf.Section(header: header), at: place)
      case 3 where sections.count > 1:
        let section = sections.remove(at: Int.random(in: sections.indices, using: &random))
        sections.insert(section, at: Int.random(in: 0...sections.count, using: &random))
      case 4 where !sections.isEmpty:
        let number = Int.random(in: sections.indices, using: &random)
        let header = sections[number].header
        sections[number].header = SourceSection(
          identity: header.identity, title: "title \(Int.random(in: 0..<9, using: &random))")
      default:
        changeRows(&sections, &random)
      }
    }
    return Leaf(sections: sections)
  }

  private static func changeRows(_ sections: inout [Leaf.Section], _ random: inout SeededRandom) {
    guard !sections.isEmpty else { return }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let id = Int.random(in: 0..<14, using: &random)
      var former: Leaf.Row?
      for number in sections.indices {
        if let place = sections[number].rows.firstIndex(where: { $0.id == id }) {
          former = sections[number].rows[place]
          if random.chance(0.3) {
            sections[number].rows[place].item.grade = Int.random(in: 0..<9, using: &random)
            former = nil
          } else {
            sections[number].rows.remove(at: place)
          }
          break
        }
      }
      let isThere = sections.contains { $0.rows.contains { $0.id == id } }
      guard !isThere, random.chance(0.8) else { continue }
      let grade = Int.random(in: 0..<9, using: &random)
      let row = former ?? Leaf.Row(id: id, item: ModelRow(number: id, grade: grade))
      let number = Int.random(in: sections.indices, using: &random)
      let place = Int.random(in: 0...sections[number].rows.count, using: &random)
      sections[number].rows.insert(row, at: place)
    }
  }
}
