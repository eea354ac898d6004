import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

/// What the items of sections come to, behind compositions.
@Suite(.timeLimit(.minutes(60))) struct AggregatingTests {
  struct Mail: Identifiable, Hashable, Sendable {
    let id: Int
    var folder: String
    var isRead = false
    var size = 0
  }

  private static let three = [
    Mail(id: 1, folder: "inbox", size: 10), Mail(id: 2, folder: "inbox", isRead: true, size: 20),
    Mail(id: 3, folder: "sent", size: 5),
  ]

  private static func source(_ mails: [Mail] = three) -> ArrayDataSource<Mail> {
    ArrayDataSource(name: "mails", items: mails) {
      SourceSection(identity: .text($0.folder), title: $0.folder)
    }
  }

  private static func counted(
    _ source: some DataSource<Int, Mail>
  ) -> ComposedDataSource<Int, Mail> {
    source.aggregating(.count("unread") { !$0.isRead }, .sum("bytes") { $0.size })
  }

  private static func headers(_ source: some DataSource<Int, Mail>) -> [String] {
    source.sections.map { "\($0.title): \($0.aggregates)" }
  }

  private func place(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  @Test func itKeepsThePromisesOfDataSource() async {
    #expect(await checkDataSource(Self.counted(Self.source())) == [])
    #expect(await checkDataSource(Self.counted(Self.source()).filter { !$0.isRead }) == [])
  }

  @Test func headersAndContentsTellWhatItemsComeTo() {
    let list = Self.counted(Self.source())
    list.load()
    #expect(Self.headers(list) == ["inbox: unread 1, bytes 30", "sent: unread 1, bytes 5"])
    #expect(list.aggregates == ["unread": 2, "bytes": 35])
    #expect(list.snapshot.aggregates["bytes"] == 35)
  }

  @Test func changedValuesAreInTheChangesetOfTheItems() throws {
    let source = Self.source()
    let list = Self.counted(source)
    let recorder = ChangeRecorder<Int, Mail>()
    list.delegate = recorder
    list.load()
    recorder.reset()

    try source.replace(
      at: place(0, 0), with: Mail(id: 1, folder: "inbox", isRead: true, size: 10))
    #expect(recorder.changesets.count == 1)
    try recorder.expect([
      "update contents unread 2→1", "update section inbox unread 1→0", "update inbox/0",
    ])
    // What changes no value tells of none.
    try source.insert(Mail(id: 4, folder: "inbox", isRead: true), at: place(0, 0))
    try recorder.expect(["insert inbox/0"])
    try source.remove(at: place(0, 2))
    try recorder.expect([
      "update contents bytes 35→15", "update section inbox bytes 30→10", "delete inbox/2",
    ])
    // A section that goes is not updated.
    try source.remove(at: place(1, 0))
    try recorder.expect([
      "update contents unread 1→0, bytes 15→10", "delete section sent", "delete sent/0",
    ])
    #expect(Self.headers(list) == ["inbox: unread 0, bytes 10"])
    #expect(recorder.verify(against: list) == [])
    #expect(recorder.contents.aggregates == list.aggregates)
  }

  @Test func itemsTakeWhatTheyCountAsToAnotherSection() throws {
    let source = Self.source()
    let list = Self.counted(source)
    let recorder = ChangeRecorder<Int, Mail>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    try source.replace(with: [
      Self.three[1], Mail(id: 1, folder: "sent", size: 10), Self.three[2],
    ])
    #expect(recorder.changesets.count == 1)
    // What all items come to is what it was.
    #expect(recorder.changesets.first?.contentsUpdate == nil)
    #expect(Self.headers(list) == ["inbox: unread 0, bytes 20", "sent: unread 2, bytes 15"])
    #expect(recorder.verify(against: list) == [])
  }

  @Test func itemsAreLookedAtWhenTheyAreWritten() throws {
    let source = Self.source((0..<1000).map { Mail(id: $0, folder: "inbox", size: $0) })
    let asked = Mutex(0)
    let list = source.aggregating(
      .sum("bytes") { (mail: Mail) -> Int? in
        asked.withLock { $0 += 1 }
        return mail.size
      })
    list.load()
    #expect(asked.withLock { $0 } == 1000)
    try source.replace(at: place(0, 500), with: Mail(id: 500, folder: "inbox", size: 0))
    #expect(asked.withLock { $0 } == 1001)
    try source.remove(at: place(0, 0))
    try source.move(from: place(0, 0), to: place(0, 700))
    #expect(asked.withLock { $0 } == 1001)
    #expect(list.aggregates["bytes"] == .integer(499_500 - 500))
    #expect(list.sections[0].aggregates["bytes"] == .integer(499_500 - 500))
  }

  // MARK: - Before and behind other compositions

  @Test func valuesAreOfTheItemsThatAreThere() {
    let source = Self.source()
    let unread = Self.counted(source.filter { !$0.isRead })
    unread.load()
    #expect(Self.headers(unread) == ["inbox: unread 1, bytes 10", "sent: unread 1, bytes 5"])
    #expect(unread.aggregates == ["unread": 2, "bytes": 15])
    let bySize = Self.counted(
      source.sectioned(by: { $0.size < 10 ? "small" : "large" }, .ascending))
    bySize.load()
    #expect(Self.headers(bySize) == ["large: unread 1, bytes 30", "small: unread 1, bytes 5"])
  }

  @Test func filterHandsOnWhatItsSourceComesTo() throws {
    let source = Self.source()
    let unread = source.aggregating(.count()).filter { !$0.isRead }
    let both = unread.aggregating(.count("shown"))
    let replaced = unread.aggregating(.count())
    both.load()
    replaced.load()
    #expect(Self.headers(unread) == ["inbox: count 2", "sent: count 1"])
    #expect(unread.aggregates == ["count": 3])
    #expect(Self.headers(both) == ["inbox: count 2, shown 1", "sent: count 1, shown 1"])
    #expect(both.aggregates == ["count": 3, "shown": 2])
    #expect(Self.headers(replaced) == ["inbox: count 1", "sent: count 1"])
    #expect(replaced.aggregates == ["count": 2])

    // A row that is not shown changes what is handed on, and nothing else.
    let recorder = ChangeRecorder<Int, Mail>(contents: try both.snapshot.materialized())
    both.delegate = recorder
    try source.append(Mail(id: 9, folder: "inbox", isRead: true))
    try recorder.expect(["update contents count 3→4", "update section inbox count 2→3"])
  }

  @Test func compositionsOfOneSourceHandContentsOn() throws {
    let source = Self.source()
    let list = Self.counted(source)
    let compositions: [ComposedDataSource<Int, Mail>] = [
      list.map { $0 }, list.mapSections { header in header }, list.reversed(), list.flattened(),
      list.sorted(by: { $0.size }), list.sortedSections(by: { header, _ in header.title }),
      list.prefix(1), list.sectioned(by: { $0.folder }),
    ]
    for composition in compositions {
      let recorder = ChangeRecorder<Int, Mail>()
      composition.delegate = recorder
      composition.load()
      #expect(composition.aggregates == list.aggregates)
      try source.append(Mail(id: 10, folder: "sent", size: 100))
      #expect(composition.aggregates == list.aggregates)
      #expect(composition.aggregates["bytes"] == 135)
      try source.remove(id: 10, ifStill: nil)
      #expect(recorder.contents.aggregates == ["unread": 2, "bytes": 35])
      #expect(recorder.violations == [])
    }
    let joined = list.concatenated(with: list.reversed())
    joined.load()
    #expect(joined.aggregates.isEmpty)
    #expect(
      joined.sections.map { "\($0.aggregates)" }
        == ["unread 1, bytes 30", "unread 1, bytes 5", "unread 1, bytes 5", "unread 1, bytes 30"])
  }

  @Test func heldListTellsWhatItsItemsComeTo() throws {
    let source = Self.source()
    let list = Self.counted(source).held()
    let recorder = ChangeRecorder<Int, Mail>()
    list.delegate = recorder
    list.load()
    recorder.reset()
    list.hold()
    try source.append(Mail(id: 4, folder: "sent", size: 7))
    #expect(list.aggregates == ["unread": 2, "bytes": 35])
    #expect(recorder.events.isEmpty)
    list.release()
    #expect(list.aggregates == ["unread": 3, "bytes": 42])
    try recorder.expect([
      "update contents unread 2→3, bytes 35→42",
      "update section sent unread 1→2, bytes 5→12", "insert sent/1",
    ])
  }

  /// What no items come to is told before there is one, and is nothing to hold.
  @Test func heldListTellsOfItsFirstItems() throws {
    let source = Self.source([])
    let list = Self.counted(source).held()
    list.hold()
    list.load()
    #expect(list.aggregates == ["unread": 0, "bytes": .null])
    try source.append(Self.three[0])
    #expect(list.numberOfItems == 1)
    #expect(list.aggregates == ["unread": 1, "bytes": 10])
    try source.append(Self.three[2])
    #expect(list.numberOfItems == 1)
    list.release()
    #expect(list.numberOfItems == 2)
    #expect(list.aggregates == ["unread": 2, "bytes": 15])
  }

  // MARK: - Sums

  struct Amount: Identifiable, Hashable, Sendable {
    let id: Int
    var number: UInt64?
    var real: Double?
  }

  @Test func sumOfNothingIsNull() {
    let source = ArrayDataSource(name: "amounts", items: [Amount(id: 1)])
    let list = source.aggregating(.sum("numbers") { $0.number }, .sum("reals") { $0.real })
    list.load()
    #expect(list.aggregates == ["numbers": .null, "reals": .null])
  }

  @Test func sumThatDoesNotFitIsNullUntilItDoes() throws {
    let large = UInt64(Int64.max)
    let source = ArrayDataSource(
      name: "amounts",
      items: [Amount(id: 1, number: large), Amount(id: 2, number: .max), Amount(id: 3, number: 1)])
    let list = source.aggregating(.sum("numbers") { $0.number })
    list.load()
    #expect(list.aggregates == ["numbers": .null])
    try source.remove(at: place(0, 1))
    #expect(list.aggregates == ["numbers": .null])
    try source.remove(at: place(0, 1))
    #expect(list.aggregates == ["numbers": .integer(.max)])
  }

  @Test func sumsOfRealNumbersAreExact() throws {
    let source = ArrayDataSource(
      name: "amounts",
      items: [1e308, 0.1, 1e308, -1e308, .nan].enumerated().map {
        Amount(id: $0.offset, real: $0.element)
      })
    let list = source.aggregating(.sum("reals") { $0.real })
    list.load()
    #expect(list.aggregates == ["reals": 1e308])
    try source.remove(at: place(0, 0))
    #expect(list.aggregates == ["reals": 0.1])
    try source.append(Amount(id: 8, real: .infinity))
    #expect(list.aggregates == ["reals": .real(.infinity)])
    try source.append(Amount(id: 9, real: -.infinity))
    #expect(list.aggregates == ["reals": .null])
  }
}
