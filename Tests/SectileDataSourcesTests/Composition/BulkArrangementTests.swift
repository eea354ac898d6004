import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// What is made of all rows at once is what edits lead to, one after another; and edits lead on
/// from it.
@Suite(.timeLimit(.minutes(60))) struct BulkArrangementTests {
  typealias Source = ArrangingLayer.Source

  @Test(arguments: SeededRandom.batches(debug: 150, release: 600))
  func bulkEqualsEditsAndIsEditedAlike(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      try run(&random)
    }
  }

  private func run(_ random: inout SeededRandom) throws {
    let layers = ArrangingLayer.random(&random)
    var model = ArrangedContents()
    let leaf = ContentsSource<String, ModelRow>(model.contents)
    let edited = ArrangingLayer.stack(layers, over: leaf)
    edited.load()
    for _ in 0..<Int.random(in: 1...25, using: &random) {
      model.change(Int.random(in: 1...12, using: &random), growing: 0.7, &random)
      leaf.set(model.contents)
    }
    let bulk = ArrangingLayer.stack(layers, over: leaf)
    let recorder = ChangeRecorder<String, ModelRow>()
    bulk.delegate = recorder
    bulk.load()
    let words = "\(random): \(layers)"
    #expect(try Self.lines(bulk) == Self.lines(edited), "\(words)")
    #expect(recorder.verify(against: bulk) == [], "\(words)")
    #expect(checkSnapshot(bulk.snapshot) == [], "\(words)")
    #expect(try checkScan(bulk.snapshot) == [], "\(words)")

    let other = ChangeRecorder<String, ModelRow>(contents: try edited.snapshot.materialized())
    edited.delegate = other
    for step in 0..<12 {
      let held = (bulk.snapshot, try Self.lines(bulk))
      recorder.reset()
      other.reset()
      model.change(
        Int.random(in: 1...8, using: &random), growing: step < 6 ? 0.2 : 0.6, &random)
      leaf.set(model.contents)
      let words = "step \(step), \(random): \(layers)"
      #expect(
        recorder.changesets.map(Self.unversioned) == other.changesets.map(Self.unversioned),
        "\(words)")
      #expect(recorder.violations + other.violations == [], "\(words)")
      #expect(recorder.verify(against: bulk) == [], "\(words)")
      let fresh = ArrangingLayer.stack(layers, over: leaf)
      fresh.load()
      let shown = try Self.lines(bulk)
      #expect(shown == (try Self.lines(fresh)), "\(words)")
      #expect(shown == (try Self.lines(edited)), "\(words)")
      #expect(checkSnapshot(bulk.snapshot) == [], "\(words)")
      #expect(try checkScan(bulk.snapshot) == [], "\(words)")
      #expect(try Self.lines(held.0) == held.1, "\(words)")
      if !recorder.violations.isEmpty { return }
    }
  }

  private static func unversioned(
    _ changes: Changeset<String, ModelRow>
  ) -> Changeset<String, ModelRow> { changes.leading(from: 0, to: 1) }

  private static func lines(_ source: Source) throws -> [String] { try lines(source.snapshot) }

  private static func lines(_ snapshot: ComposedSnapshot<String, ModelRow>) throws -> [String] {
    let contents = try snapshot.materialized()
    let sections = contents.sections.map { section in
      let rows = section.rows.map { "\($0.id)=\($0.item.number).\($0.item.grade)" }
      let header = section.header
      return "\(header.identity) \(header.title) \(header.aggregates): "
        + rows.joined(separator: " ")
    }
    return ["\(contents.aggregates)"] + sections
  }

  // MARK: - Over an array

  struct Entry: Identifiable, Hashable, Sendable {
    let id: String
    var rank: Int
  }

  /// Rows whose numbers in the array are not in the order of the array, and identities that Swift
  /// finds equal.
  @Test func scatteredArrayIsArrangedAsItsRowsStand() throws {
    var random = SeededRandom(seed: 7)
    let source = ArrayDataSource(
      name: "entries", items: (0..<700).map { Entry(id: "\($0)", rank: $0 % 5) })
    source.load()
    for number in 700..<1_200 {
      let count = source.numberOfItems
      try source.remove(at: ItemPath(section: 0, item: Int.random(in: 0..<count, using: &random)))
      let place = ItemPath(section: 0, item: Int.random(in: 0..<count, using: &random))
      try source.insert(Entry(id: "\(number)", rank: number % 5), at: place)
    }
    try source.append(Entry(id: "e\u{301}", rank: 2))
    try source.insert(Entry(id: "\u{E9}", rank: 2), at: ItemPath(section: 0, item: 0))
    #expect(try checkScan(source.snapshot) == [])

    let items = try source.snapshot.materialized().sections[0].rows.map(\.item)
    let list = source.filter { $0.rank != 1 }.sorted(by: { $0.rank }, .descending)
    list.load()
    let expected = (0..<5).reversed().flatMap { rank in
      rank == 1 ? [] : items.filter { $0.rank == rank }
    }
    let shown = try list.snapshot.materialized().sections[0].rows.map(\.item)
    #expect(shown.map(\.id.utf8.count) == expected.map(\.id.utf8.count))
    #expect(shown == expected)
    #expect(list.path(of: "e\u{301}") != list.path(of: "\u{E9}"))
    for id in ["e\u{301}", "\u{E9}"] {
      let path = try #require(list.path(of: id))
      #expect(try Array(list.item(at: path).id.utf8) == Array(id.utf8))
    }
  }

  @Test func errorOfAReadEndsTheLoadAndTheNextOneIsWhole() throws {
    struct Unreadable: Error {}
    let source = ArrayDataSource(
      name: "entries", items: (0..<100).map { Entry(id: "\($0)", rank: $0) })
    let mapped = source.map { entry in
      if entry.rank == 70 { throw Unreadable() }
      return entry
    }
    let sorted = mapped.sorted(by: { -$0.rank })
    let recorder = ChangeRecorder<String, Entry>()
    recorder.allowFailures()
    sorted.delegate = recorder
    sorted.load()
    #expect(recorder.errors.count == 1)
    #expect(recorder.errors.first is Unreadable)
    #expect(sorted.numberOfItems == 0)
    try source.remove(at: ItemPath(section: 0, item: 70))
    #expect(sorted.numberOfItems == 99)
    #expect(try sorted.item(at: ItemPath(section: 0, item: 0)).rank == 99)
    #expect(recorder.verify(against: sorted) == [])
  }
}
