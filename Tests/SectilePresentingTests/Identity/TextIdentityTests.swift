import SectileCore
import SectileDataSources
import SectilePresenting
import SectileTestSupport
import Testing

/// Texts that Swift calls equal, and that SQLite stores as keys of different rows, identify
/// different items: in every source in memory, in compositions and in selections.
@Suite(.timeLimit(.minutes(60))) struct TextIdentityTests {
  struct Entry<ID: Hashable & Sendable>: Identifiable, Equatable, Sendable {
    let id: ID
    var grade: Int
  }

  struct Pair: Hashable, Sendable {
    let text: String
    let number: Int
  }

  struct Code: RawRepresentable, Hashable, Sendable {
    let rawValue: String
  }

  /// Forms of the same letters; some are too long to be kept inside of a string's own memory.
  static let texts = [
    "\u{E9}", "e\u{301}", "\u{C5}", "A\u{30A}", "\u{212B}", "a", "b",
    "as long as it takes: \u{E9}", "as long as it takes: e\u{301}",
  ]

  // MARK: - Kinds of identities

  @Test(arguments: 0..<30 as Range<UInt64>) func texts(seed: UInt64) throws {
    try RandomEntries(seed: seed, id: { $0 }, text: { $0 }).run()
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func optionalTexts(seed: UInt64) throws {
    try RandomEntries(seed: seed, id: { Optional($0) }, text: { $0 ?? "" }).run()
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func structuresWithTexts(seed: UInt64) throws {
    try RandomEntries(seed: seed, id: { Pair(text: $0, number: 1) }, text: \.text).run()
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func rawRepresentableTexts(seed: UInt64) throws {
    try RandomEntries(seed: seed, id: { Code(rawValue: $0) }, text: \.rawValue).run()
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func storedValues(seed: UInt64) throws {
    try RandomEntries(
      seed: seed, id: { StoredValue.text($0) },
      text: { if case .text(let text) = $0 { text } else { "" } }
    ).run()
  }

  /// A source that is changed at random, and what is made of it.
  final class RandomEntries<ID: Hashable & Sendable> {
    typealias Row = Entry<ID>

    var random: SeededRandom
    let id: (String) -> ID
    let text: (ID) -> String
    /// The entries by their texts, in order.
    var rows: [(text: String, grade: Int)] = []

    init(seed: UInt64, id: @escaping (String) -> ID, text: @escaping (ID) -> String) {
      random = SeededRandom(seed: seed)
      self.id = id
      self.text = text
    }

    func run() throws {
      for text in TextIdentityTests.texts where random.chance(0.7) { rows.append((text, grade())) }
      let source = ArrayDataSource<Row>(name: "entries", items: items())
      let parts = [
        source.filter { $0.grade != 0 }, source.sorted { $0.grade },
        source.sectioned {
          SourceSection(identity: .integer(Int64($0.grade)), title: "\($0.grade)")
        }, source.reversed(),
      ]
      let joined = source.filter { $0.grade != 0 }.concatenated(with: source.sorted { $0.grade })
      let recorders = parts.map { part in
        let recorder = ChangeRecorder<ID, Row>()
        part.delegate = recorder
        part.load()
        return recorder
      }
      joined.load()
      source.load()
      let selection = Selection(of: source)
      var selected: [String] = []
      for step in 0..<25 {
        try change(source)
        selected.removeAll { text in !rows.contains { Self.same($0.text, text) } }
        if random.chance(0.3) {
          selection.selectAll()
          for row in rows where !selected.contains(where: { Self.same($0, row.text) }) {
            selected.append(row.text)
          }
        } else if let row = rows.randomElement(using: &random) {
          selection.toggle(id(row.text))
          if let place = selected.firstIndex(where: { Self.same($0, row.text) }) {
            selected.remove(at: place)
          } else {
            selected.append(row.text)
          }
        }
        let words = "step \(step), \(random)"
        #expect(
          selection.ids.map { Self.spelled(text($0)) } == selected.map(Self.spelled), "\(words)")
        check(source, parts, recorders, joined, words)
      }
    }

    private func grade() -> Int { Int.random(in: 0..<3, using: &random) }

    private func items() -> [Row] { rows.map { Row(id: id($0.text), grade: $0.grade) } }

    private func change(_ source: ArrayDataSource<Row>) throws {
      let absent = TextIdentityTests.texts.filter { text in
        !rows.contains { Self.same($0.text, text) }
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        guard let text = absent.randomElement(using: &random) else { return }
        rows.insert((text, grade()), at: Int.random(in: 0...rows.count, using: &random))
        try source.replace(with: items())
      case 2:
        guard let place = rows.indices.randomElement(using: &random) else { return }
        rows.remove(at: place)
        try source.remove(at: ItemPath(section: 0, item: place))
      case 3:
        guard let place = rows.indices.randomElement(using: &random) else { return }
        // Another form of the same letters, often.
        if let text = absent.randomElement(using: &random) { rows[place].text = text }
        rows[place].grade = grade()
        try source.replace(at: ItemPath(section: 0, item: place), with: items()[place])
      default:
        rows.shuffle(using: &random)
        try source.replace(with: items())
      }
    }

    private func check(
      _ source: ArrayDataSource<Row>, _ parts: [ComposedDataSource<ID, Row>],
      _ recorders: [ChangeRecorder<ID, Row>], _ joined: ComposedDataSource<AnyItemID, Row>,
      _ words: String
    ) {
      let kept = rows.filter { $0.grade != 0 }
      let sorted = (0..<3).flatMap { grade in rows.filter { $0.grade == grade } }
      var grades: [Int] = []
      for row in rows where !grades.contains(row.grade) { grades.append(row.grade) }
      let sectioned = grades.flatMap { grade in rows.filter { $0.grade == grade } }
      let models = [kept, sorted, sectioned, rows.reversed()]
      expect(source.snapshot, shows: rows, words)
      for (number, part) in parts.enumerated() {
        expect(part.snapshot, shows: models[number], "part \(number), \(words)")
        #expect(recorders[number].violations == [], "part \(number), \(words)")
        #expect(recorders[number].verify(against: part) == [], "part \(number), \(words)")
      }
      let snapshot = joined.snapshot
      for (number, rows) in [kept, sorted].enumerated() {
        for row in rows {
          let path = snapshot.path(of: AnyItemID(id(row.text), ofSource: number))
          let found = path.flatMap { try? snapshot.item(at: $0) }.map { Self.spelled(text($0.id)) }
          #expect(found == Self.spelled(row.text), "joined, \(words)")
        }
      }
      #expect(joined.numberOfItems == kept.count + sorted.count, "joined, \(words)")
    }

    private func expect(
      _ snapshot: some DataSourceSnapshot<ID, Row>, shows rows: [(text: String, grade: Int)],
      _ words: String
    ) {
      let paths = (0..<snapshot.numberOfItems).map { snapshot.path(atRank: $0) }
      let shown = paths.map { Self.spelled(text(snapshot.id(at: $0))) }
      #expect(shown == rows.map { Self.spelled($0.text) }, "\(words)")
      for (path, row) in zip(paths, rows) {
        #expect(snapshot.path(of: id(row.text)) == path, "\(words)")
      }
    }

    private static func same(_ left: String, _ right: String) -> Bool {
      left.utf8.elementsEqual(right.utf8)
    }

    /// Returns a text scalar by scalar: as it stands, Swift would not tell it from other forms.
    private static func spelled(_ text: String) -> String {
      text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }
  }
}
