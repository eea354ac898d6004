import Sectile
import SectilePresenting
import SectileTestSupport
import Testing

/// Rows whose keys Swift calls equal and SQLite does not, over a real store.
@Suite(.timeLimit(.minutes(60))) struct TextIdentityStoreTests {
  struct Word: Entity, Equatable {
    var id: String
    var grade: Int

    static let schema = EntitySchema<Word>(
      "word", primaryKey: "id", attributes: .init("id", \.id), .init("grade", \.grade))

    init(id: String, grade: Int) {
      (self.id, self.grade) = (id, grade)
    }

    init(row: inout RowReader) throws {
      (id, grade) = try (row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(grade)
    }
  }

  /// The key of several columns.
  struct Place: Entity, Equatable {
    struct ID: EntityKey {
      var text: String
      var number: Int

      var keyValues: [StoredValue] { [.text(text), .integer(Int64(number))] }

      init(text: String, number: Int) {
        (self.text, self.number) = (text, number)
      }

      init(keyValues: [StoredValue]) throws {
        guard keyValues.count == 2, case .text(let text) = keyValues[0],
          case .integer(let number) = keyValues[1]
        else { throw StoreError(.decodingFailed, message: "no key", hint: "") }
        self.init(text: text, number: Int(number))
      }
    }

    var id: ID { ID(text: text, number: number) }
    var text: String
    var number: Int
    var grade: Int

    static let schema = EntitySchema<Place>(
      "place", primaryKey: "text", "number",
      attributes: .init("text", \.text), .init("number", \.number), .init("grade", \.grade))

    init(text: String, number: Int, grade: Int) {
      (self.text, self.number, self.grade) = (text, number, grade)
    }

    init(row: inout RowReader) throws {
      (text, number, grade) = try (row.next(), row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(text)
      try row.append(number)
      try row.append(grade)
    }
  }

  static let (composed, decomposed) = ("\u{E9}", "e\u{301}")
  static let texts = [
    composed, decomposed, "\u{C5}", "A\u{30A}", "\u{212B}", "a", "as long as it takes: \u{E9}",
    "as long as it takes: e\u{301}",
  ]

  private static func store() throws -> Store {
    let store = try Store.inMemory()
    try store.write { transaction in
      try transaction.execute("CREATE TABLE word (id TEXT PRIMARY KEY, grade INTEGER NOT NULL)")
      try transaction.execute(
        """
        CREATE TABLE place (text TEXT NOT NULL, number INTEGER NOT NULL, grade INTEGER NOT NULL,
          PRIMARY KEY (text, number))
        """)
    }
    return store
  }

  /// Returns a text scalar by scalar: as it stands, Swift would not tell it from other forms.
  private static func spelled(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }

  @Test func deletedRowLeavesCompositionAndSelection() throws {
    let store = try Self.store()
    try store.write { transaction in
      try transaction.insert(Word(id: Self.composed, grade: 1))
      try transaction.insert(Word(id: Self.decomposed, grade: 2))
    }
    let results = try store.results(of: FetchRequest<Word>().sort(by: \.grade))
    let kept = results.filter { $0.grade > 0 }
    kept.load()
    #expect(kept.numberOfItems == 2)
    let selection = Selection(of: kept)
    #expect(selection.selectAll())
    #expect(selection.count == 2)
    try store.write { _ = try $0.delete(Word.self, key: Self.composed) }
    #expect(kept.numberOfItems == 1)
    #expect(try kept.item(at: ItemPath(section: 0, item: 0)).grade == 2)
    #expect(selection.ids.map(Self.spelled) == [Self.spelled(Self.decomposed)])
  }

  @Test func keyOfSeveralColumnsIsComparedByItsBytes() throws {
    let store = try Self.store()
    try store.write { transaction in
      try transaction.insert(Place(text: Self.composed, number: 1, grade: 1))
      try transaction.insert(Place(text: Self.decomposed, number: 1, grade: 2))
    }
    let results = try store.results(of: FetchRequest<Place>().sort(by: \.grade))
    let kept = results.filter { $0.grade > 0 }
    kept.load()
    let selection = Selection(of: kept)
    #expect(selection.selectAll())
    #expect(selection.count == 2)
    try store.write { transaction in
      _ = try transaction.delete(Place.self, key: Place.ID(text: Self.composed, number: 1))
    }
    #expect(kept.numberOfItems == 1)
    #expect(selection.ids.map { Self.spelled($0.text) } == [Self.spelled(Self.decomposed)])
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func compositionsFollowRandomWrites(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let store = try Self.store()
    let results = try store.results(of: FetchRequest<Word>().sort(by: \.id))
    let compositions = [
      results.filter { $0.grade != 0 }, results.sorted { $0.grade },
      results.sectioned(
        by: {
          SourceSection(identity: .integer(Int64($0.grade)), title: "\($0.grade)")
        }, .ascending),
    ]
    let recorders = compositions.map { composition in
      let recorder = ChangeRecorder<String, Word>()
      composition.delegate = recorder
      composition.load()
      return recorder
    }
    let selection = Selection(of: compositions[0])
    for step in 0..<30 {
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let text = Self.texts[Int.random(in: 0..<Self.texts.count, using: &random)]
          if random.chance(0.4) {
            _ = try transaction.delete(Word.self, key: text)
          } else {
            try transaction.save(Word(id: text, grade: Int.random(in: 0..<3, using: &random)))
          }
        }
      }
      selection.selectAll()
      let words = try store.read { try $0.fetchAll(FetchRequest<Word>().sort(by: \.id)) }
      let models = [
        words.filter { $0.grade != 0 },
        (0..<3).flatMap { grade in words.filter { $0.grade == grade } },
        (0..<3).flatMap { grade in words.filter { $0.grade == grade } },
      ]
      for (number, composition) in compositions.enumerated() {
        let snapshot = composition.snapshot
        let shown = (0..<snapshot.numberOfItems).map {
          Self.spelled(snapshot.id(at: snapshot.path(atRank: $0)))
        }
        let note = "composition \(number), step \(step), \(random)"
        #expect(shown == models[number].map { Self.spelled($0.id) }, "\(note)")
        #expect(recorders[number].violations == [], "\(note)")
        #expect(recorders[number].verify(against: composition) == [], "\(note)")
      }
      #expect(
        Set(selection.ids.map(Self.spelled)) == Set(models[0].map { Self.spelled($0.id) }),
        "step \(step), \(random)")
    }
  }
}
