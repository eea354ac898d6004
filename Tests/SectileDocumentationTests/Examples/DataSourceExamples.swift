#if Macros
  import Sectile
  import SectilePresenting
  import Synchronization
  import Testing

  // example: sources-own
  final class Stopwatch: DataSource {
    let name = "laps"
    private let contents = LiveContents<Int, Duration>()
    private let laps = Mutex<[Duration]>([])

    init() { events.bind(self) }  // on whose behalf listeners are called

    var events: DataSourceEvents<Int, Duration> { contents.events }
    var snapshot: ContentsSnapshot<Int, Duration> { contents.snapshot }
    func load() { contents.load() }

    func stop(_ lap: Duration) {
      laps.withLock { laps in
        laps.append(lap)
        let rows = laps.enumerated().map { lap in
          LiveContents<Int, Duration>.Row(id: lap.offset, item: lap.element)
        }
        let header = SourceSection(identity: .null, title: "Laps")
        contents.submit([.init(header: header, rows: rows)])  // inside the lock: calls nobody
      }
      events.flush()  // outside of it: calls the listeners
    }
  }
  // example: end

  struct Note: Hashable, Identifiable, Sendable {
    let id: Int
    var text: String
  }

  @Suite struct DataSourceExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aStopwatchTellsOfItsLaps() throws {
      let stopwatch = Stopwatch()
      stopwatch.load()
      let observation = stopwatch.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      stopwatch.stop(.seconds(3))
      stopwatch.stop(.seconds(4))
      observation.cancel()
      #expect(transcript.lines == ["S+ 0 (NULL)", "R+ [0,0] #0", "R+ [0,1] #1"])
    }

    @Test func oneListIsMadeOfSeveral() throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      // example: sources-compose
      let notes = ArrayDataSource(name: "notes", items: [Note(id: 1, text: "Call Ada")])
      let list = results.map { $0.name }
        .concatenated(with: notes.map { $0.text }.flattened(title: "Notes"))
        .inserting("Security updates", at: ItemPath(section: 0, item: 1))
      list.load()
      for section in 0..<list.numberOfSections {
        let items = try (0..<list.numberOfItems(in: section)).map { try list[section, $0] }
        print("\(list.sections[section].title): \(items)")
      }
      // admin: ["apt", "Security updates"]
      // editors: ["sed"]
      // utils: ["grep"]
      // Notes: ["Call Ada"]
      // example: end
      #expect(
        transcript.lines == [
          "admin: [\"apt\", \"Security updates\"]", "editors: [\"sed\"]", "utils: [\"grep\"]",
          "Notes: [\"Call Ada\"]",
        ])
    }

    @Test func oneCommitIsOneChangeset() throws {
      let store = try Package.smallStore()
      let results = try store.results(of: FetchRequest<Package>().sort(by: \.name))
      // example: sources-halves
      let list = results.filter { $0.section == "utils" }
        .concatenated(with: results.filter { $0.section != "utils" })
      // example: end
      list.load()
      let observation = list.observe { event in
        if case .didPartiallyLoad(let changes) = event { print("\(changes)\n--") }
      }
      try store.write { try $0.execute("UPDATE package SET section = 'utils' WHERE name = 'sed'") }
      observation.cancel()
      #expect(transcript.lines.filter { $0 == "--" }.count == 1)
      #expect(transcript.lines.count == 3)
    }

    @Test func theOriginOfAnItemIsFound() throws {
      // example: sources-edit
      let notes = ArrayDataSource(
        name: "notes", items: [Note(id: 1, text: "Call Ada"), Note(id: 2, text: "Buy tea")])
      let shown = notes.filter { $0.text != "Call Ada" }
      shown.load()
      let origin = shown.origin(at: ItemPath(section: 0, item: 0))
      print("\(origin.source.name) \(origin.path)")  // notes [0,1]
      try shown.removeItem(at: ItemPath(section: 0, item: 0))
      print(notes.numberOfItems)  // 1
      // example: end
      #expect(transcript.lines == ["notes [0,1]", "1"])
    }

    @Test func aSelectionSurvivesMoves() throws {
      let store = try Package.smallStore()
      let list = try store.results(of: Package.bySection)
      try list.load()
      // example: sources-selection
      let selection = Selection(of: list, mode: .range(1...2))
      selection.toggle(2)
      try store.write { try $0.execute("UPDATE package SET section = 'utils' WHERE id = 2") }
      print(selection.ids)  // [2]
      // example: end
      #expect(transcript.lines == ["[2]"])
    }
  }
#endif
