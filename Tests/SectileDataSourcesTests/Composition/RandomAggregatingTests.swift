import SectileCore
import SectileDataSources
import SectileTestSupport
import Testing

/// Aggregates over random compositions, under random changes: they are what the rows come to by the
/// plainest means, and what the changesets add up to.
@Suite(.timeLimit(.minutes(60))) struct RandomAggregatingTests {
  typealias Source = ArrangingLayer.Source

  @Test(arguments: SeededRandom.batches(debug: 150, release: 600))
  func valuesAreThoseOfTheRows(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      try run(&random)
    }
  }

  private func run(_ random: inout SeededRandom) throws {
    let layers = ArrangingLayer.random(&random)
    var model = ArrangedContents()
    let leaf = ContentsSource<String, ModelRow>(model.contents)
    let source = ArrangingLayer.stack(layers, over: leaf).aggregating(
      .count("odd") { $0.grade % 2 != 0 }, .count("rows"),
      .sum("grades") { $0.grade == 4 ? nil : $0.grade },
      .sum("quarters") { Double($0.grade) / 4 })
    let recorder = ChangeRecorder<String, ModelRow>()
    source.delegate = recorder
    // The judge of the staged rendering.
    let list = ListViewSimulator<String, ModelRow>()
    let token = source.observe { [weak source] event in
      guard case .didPartiallyLoad(let changes) = event, let source else { return }
      let violations = list.perform(changes.batches, expecting: source.snapshot)
      #expect(violations == [], "\(layers)")
    }
    defer { token.cancel() }
    source.load()
    try check(source, recorder, "after load, \(random): \(layers)")
    for step in 0..<20 {
      let held = (source.snapshot, try Self.values(source.snapshot))
      model.change(
        Int.random(in: 1...8, using: &random), growing: step < 12 ? 0.6 : 0.2, &random)
      leaf.set(model.contents)
      let words = "step \(step), \(random): \(layers)"
      try check(source, recorder, words)
      #expect(try Self.values(held.0) == held.1, "\(words)")
      if !recorder.violations.isEmpty { return }
    }
  }

  private func check(
    _ source: Source, _ recorder: ChangeRecorder<String, ModelRow>, _ words: String
  ) throws {
    #expect(recorder.violations == [], "\(words)")
    #expect(recorder.verify(against: source) == [], "\(words)")
    let contents = try source.snapshot.materialized()
    #expect(recorder.contents.aggregates == contents.aggregates, "\(words)")
    #expect(checkSnapshot(source.snapshot) == [], "\(words)")
    #expect(try checkScan(source.snapshot) == [], "\(words)")
    for section in contents.sections {
      let expected = Self.aggregates(of: section.rows.map(\.item), besides: section.header)
      #expect(section.header.aggregates == expected, "\(words)")
    }
    let all = contents.sections.flatMap(\.rows).map(\.item)
    for name in ["odd", "rows", "grades", "quarters"] {
      #expect(contents.aggregates[name] == Self.aggregates(of: all)[name], "\(words)")
    }
  }

  /// What rows come to, behind what a header has below.
  private static func aggregates(
    of rows: [ModelRow], besides header: SourceSection? = nil
  ) -> AggregateValues {
    let grades = rows.map(\.grade).filter { $0 != 4 }
    let quarters = rows.reduce(0.0) { $0 + Double($1.grade) / 4 }
    let own: [(String, StoredValue)] = [
      ("odd", .integer(Int64(rows.count(where: { $0.grade % 2 != 0 })))),
      ("rows", .integer(Int64(rows.count))),
      ("grades", grades.isEmpty ? .null : .integer(Int64(grades.reduce(0, +)))),
      ("quarters", rows.isEmpty ? .null : .real(quarters)),
    ]
    let others = (header?.aggregates.names ?? []).compactMap { name in
      header?.aggregates[name].map { (name, $0) }
    }.filter { other in !own.contains { $0.0 == other.0 } }
    let all = others + own
    return AggregateValues(
      AggregateValues.Storage(names: all.map(\.0), values: all.map(\.1)))
  }

  private static func values(_ snapshot: ComposedSnapshot<String, ModelRow>) throws -> [String] {
    try ["\(snapshot.aggregates)"]
      + snapshot.materialized().sections.map { section in
        "\(section.header.title) \(section.header.aggregates): \(section.rows.map(\.id))"
      }
  }
}
