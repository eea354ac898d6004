import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// Lists with a part for each item of a source.
@Suite(.timeLimit(.minutes(60))) struct KeyedPartsTests {
  typealias Fruit = DataSourceListTests.Fruit

  struct Chat: Identifiable, Hashable, Sendable {
    let id: String
    var name = ""
  }

  typealias Shown = ComposedDataSource<PartItemID<String>, Fruit>
  typealias Recorder = ChangeRecorder<PartItemID<String>, Fruit>

  private static func chats(_ ids: String...) -> [Chat] { ids.map { Chat(id: $0, name: $0) } }

  /// Messages in the chats `a`, `b` and `c`.
  private static func messages() -> ArrayDataSource<Fruit> {
    ArrayDataSource(
      name: "messages",
      items: ["a", "b", "a", "c"].enumerated().map {
        Fruit(id: $0.offset, name: "\($0.element)\($0.offset)", kind: $0.element)
      })
  }

  private static func list(
    _ chats: ArrayDataSource<Chat>, _ messages: ArrayDataSource<Fruit>
  ) -> (Shown, Recorder) {
    let list = chats.flatMap(title: { $0.name.uppercased() }) { chat in
      messages.filter { $0.kind == chat.id }
    }
    let recorder = Recorder()
    list.delegate = recorder
    return (list, recorder)
  }

  private static func drawing(of list: Shown) throws -> SectionDiagram {
    try DataSourceListTests.drawing(of: list)
  }

  @Test func listKeepsThePromisesOfDataSource() async {
    let chats = ArrayDataSource(name: "chats", items: Self.chats("a", "b", "c"))
    #expect(await checkDataSource(Self.list(chats, Self.messages()).0) == [])
  }

  @Test(arguments: [false, true]) func partsComeGoAndMoveAsTheItemsDo(isLoaded: Bool) throws {
    let chats = ArrayDataSource(name: "chats", items: Self.chats("b", "a"))
    if isLoaded { chats.load() }
    let (list, recorder) = Self.list(chats, Self.messages())
    list.load()
    #expect(try Self.drawing(of: list) == "b(B): b1 | a(A): a0 a2")
    recorder.reset()
    try chats.insert(Chat(id: "c", name: "c"), at: ItemPath(section: 0, item: 1))
    try recorder.expect(["insert section c", "insert c/0"])
    try chats.move(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 2))
    try recorder.expect(["move section b 0 → 2"])
    try chats.replace(at: ItemPath(section: 0, item: 1), with: Chat(id: "a", name: "ada"))
    try recorder.expect(["update section a “A” → “ADA”"])
    try chats.remove(at: ItemPath(section: 0, item: 0))
    try recorder.expect(["delete section c", "delete c/0"])
    try chats.replace(with: Self.chats("c", "b", "d"))
    try recorder.check(against: list)
    #expect(try Self.drawing(of: list) == "c(C): c3 | b(B): b1")
    #expect(checkSnapshot(list.snapshot) == [])
  }

  @Test func partIsMadeOnceForAnItem() throws {
    let made = Mutex<[String]>([])
    let chats = ArrayDataSource(name: "chats", items: Self.chats("a", "b"))
    let messages = Self.messages()
    let list = chats.flatMap { chat in
      made.withLock { $0.append(chat.id) }
      return messages.filter { $0.kind == chat.id }
    }
    list.load()
    list.load()
    try chats.replace(at: ItemPath(section: 0, item: 0), with: Chat(id: "a", name: "other"))
    list.cancel()
    list.load()
    #expect(made.withLock { $0 } == ["a", "b"])
    try chats.remove(at: ItemPath(section: 0, item: 0))
    try chats.append(Chat(id: "a"))
    #expect(made.withLock { $0 } == ["a", "b", "a"])
    #expect(try Self.drawing(of: list) == "b(): b1 | a(): a0 a2")
  }

  @Test func commitOfMessagesIsOneChangeset() throws {
    let chats = ArrayDataSource(name: "chats", items: Self.chats("a", "b", "c"))
    let messages = Self.messages()
    let (list, recorder) = Self.list(chats, messages)
    list.load()
    recorder.reset()
    try messages.replace(
      at: ItemPath(section: 0, item: 0), with: Fruit(id: 0, name: "moved", kind: "c"))
    try recorder.expect(["delete a/0", "insert c/0"])
    #expect(recorder.changesets.count == 1)
    try recorder.check(against: list)
  }

  /// The items of the source are commits of it: what is composed of both tells of each once.
  @Test func commitOfTheItemsGoesUpInOneWave() throws {
    let chats = ArrayDataSource(name: "chats", items: Self.chats("a", "b", "c"))
    let (list, _) = Self.list(chats, Self.messages())
    let both = list.map(\.name).concatenated(with: chats.map(\.name))
    let recorder = ChangeRecorder<AnyItemID, String>()
    both.delegate = recorder
    both.load()
    recorder.reset()
    try chats.remove(at: ItemPath(section: 0, item: 1))
    try recorder.expect(["delete section 0/b", "delete 0/b/0", "delete 1/1"])
    #expect(recorder.changesets.count == 1)
    try recorder.check(against: both)
  }

  @Test func failuresOfTheItemsAndOfPartsAreToldTogether() throws {
    let twins = [Chat(id: "a"), Chat(id: "b")]
    let chats = ArrayDataSource(name: "chats", items: twins)
    chats.load()
    let list = chats.flatMap { chat in
      ArrayDataSource(
        name: chat.id,
        items: [Fruit(id: 1, name: "x"), Fruit(id: chat.id == "a" ? 1 : 2, name: "y")])
    }
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(error.code == .inputFailed)
    #expect(error.message.contains("source a "))
    #expect(try Self.drawing(of: list) == "b(): x y")
    try recorder.check(against: list)
  }

  @Test func itemsThatFailAreTold() throws {
    let chats = ArrayDataSource(name: "chats", items: [Chat(id: "a"), Chat(id: "a")])
    let (list, recorder) = Self.list(chats, Self.messages())
    list.load()
    #expect(!recorder.isLoading)
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(error.message.contains("chats"))
    try chats.replace(with: Self.chats("a"))
    #expect(try Self.drawing(of: list) == "a(A): a0 a2")
    try recorder.check(against: list)
  }

  struct Twin: Identifiable, Hashable, Sendable {
    struct ID: Hashable, Sendable, CustomStringConvertible {
      let number: Int
      var description: String { "same" }
    }

    let id: ID
  }

  @Test func itemsThatArePrintedAlikeAreToldAndLeftOut() throws {
    let twins = (0..<2).map { Twin(id: Twin.ID(number: $0)) }
    let source = ArrayDataSource(name: "twins", items: twins)
    let messages = Self.messages()
    let list = source.flatMap { twin in messages.filter { $0.id == twin.id.number } }
    let recorder = ChangeRecorder<PartItemID<Twin.ID>, Fruit>()
    list.delegate = recorder
    list.load()
    let error = try #require(recorder.errors.first as? DataSourceError)
    #expect(error.code == .duplicatePart)
    #expect(!recorder.isLoading)
    #expect(list.numberOfItems == 1)
    try source.remove(at: ItemPath(section: 0, item: 0))
    #expect(list.path(of: PartItemID(1, inPart: Twin.ID(number: 1))) != nil)
    try recorder.check(against: list)
  }

  @Test func itemsThatAreCancelledWhileLoadingEndTheLoad() throws {
    let chats = ContentsSource<String, Chat>(name: "chats")
    let load = OpenLoad(chats.hub)
    load.begin()
    chats.hub.flush()
    let messages = Self.messages()
    let list = chats.flatMap { chat in messages.filter { $0.kind == chat.id } }
    let recorder = Recorder()
    list.delegate = recorder
    list.load()
    #expect(recorder.isLoading)
    chats.cancel()
    #expect(!recorder.isLoading)
    #expect((recorder.errors.first as? DataSourceError)?.code == .inputCancelled)
  }

  /// Random edits of the items, against the plainest means.
  @Test(arguments: SeededRandom.batches(debug: 30, release: 200, of: 10))
  func followingEqualsReplayAndModel(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let chats = ArrayDataSource(name: "chats", items: [Chat]()) {
        SourceSection(identity: .text(String($0.name.prefix(1))), title: "")
      }
      let messages = Self.messages()
      let (list, recorder) = Self.list(chats, messages)
      if random.chance(0.5) { list.load() }
      for step in 0..<12 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          list.cancel()
          recorder.sourceWasCancelled()
        case 1: list.load()
        case 2:
          let number = Int.random(in: 0..<4, using: &random)
          let kind = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
          let fruit = Fruit(id: number, name: "\(kind)\(step)", kind: kind)
          try messages.replace(at: ItemPath(section: 0, item: number), with: fruit)
        default:
          let ids = ["a", "b", "c", "d"].filter { _ in random.chance(0.7) }
          try chats.replace(
            with: ids.shuffled(using: &random).map {
              Chat(id: $0, name: "\(["x", "y"].randomElement(using: &random) ?? "x")\($0)")
            })
        }
        #expect(recorder.violations == [], "step \(step), \(random)")
      }
      list.load()
      try recorder.check(against: list)
      let expected = try chats.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
      let rows = try messages.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
      let lines = expected.compactMap { chat -> String? in
        let own = rows.filter { $0.kind == chat.id }.map(\.name)
        return own.isEmpty ? nil : "\(chat.id) \(chat.name.uppercased()) \(own)"
      }
      let shown = try list.snapshot.materialized().sections.map {
        "\($0.header.identity.label) \($0.header.title) \($0.rows.map(\.item.name))"
      }
      #expect(shown == lines, "\(random)")
      if shown != lines { return }
    }
  }
}
