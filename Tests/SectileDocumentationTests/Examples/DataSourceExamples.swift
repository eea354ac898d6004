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

  @Entity
  struct Todo: Identifiable, Sendable {
    var id: Int64
    var list: String
    var position: Int
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

    @Test func partsComeGoAndMove() throws {
      // example: sources-parts
      let ada = ArrayDataSource(name: "ada", items: [Note(id: 1, text: "Tea?")])
      let bob = ArrayDataSource(name: "bob", items: [Note(id: 1, text: "Hello")])
      let list = DataSourceList<String, Note>(name: "chats")
      list.load()
      let observation = list.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try list.append(ada, as: "ada", title: "Ada")
      // S+ 0 (ada)
      // R+ [0,0] #ada/1
      try list.append(bob, as: "bob", title: "Bob")
      // S+ 1 (bob)
      // R+ [1,0] #bob/1
      try list.move(part: "bob", before: "ada")
      // S> 1→0 (bob)
      try ada.append(Note(id: 2, text: "At five?"))
      // R+ [1,1] #ada/2
      try list.remove(part: "bob")
      // S- 0 (bob)
      // R- [0,0] #bob/1
      // example: end
      observation.cancel()
      #expect(
        transcript.lines == [
          "S+ 0 (ada)", "R+ [0,0] #ada/1", "S+ 1 (bob)", "R+ [1,0] #bob/1", "S> 1→0 (bob)",
          "R+ [1,1] #ada/2", "S- 0 (bob)", "R- [0,0] #bob/1",
        ])
    }

    struct Player: Hashable, Identifiable, Sendable {
      let id: String
      var points: Int
    }

    @Test func aWindowFollowsAPlayer() throws {
      let players = ArrayDataSource(
        name: "players",
        items: [
          Player(id: "eve", points: 95), Player(id: "bob", points: 80),
          Player(id: "cleo", points: 70), Player(id: "ada", points: 60),
          Player(id: "dan", points: 50),
        ])
      let path = ItemPath(section: 0, item: 3)
      // example: sources-window
      let ranking = players.sorted(by: \.points, .descending)
        .window(around: "ada", before: 1, after: 1)
      ranking.load()
      let observation = ranking.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      print("\(ranking.numberOfItemsBefore) before, \(ranking.numberOfItemsAfter) behind")
      // 2 before, 0 behind
      try players.replace(at: path, with: Player(id: "ada", points: 90))
      // R- [0,0] #cleo
      // R- [0,2] #dan
      // R+ [0,0] #eve
      // R+ [0,2] #bob
      // R~ [0,1]→[0,1] #ada
      ranking.grow(after: 1)
      // R+ [0,3] #cleo
      ranking.show(.last(2))
      // R- [0,0] #eve
      // R- [0,1] #ada
      // R- [0,2] #bob
      // R+ [0,1] #dan
      // example: end
      observation.cancel()
      #expect(
        transcript.lines == [
          "2 before, 0 behind", "R- [0,0] #cleo", "R- [0,2] #dan", "R+ [0,0] #eve",
          "R+ [0,2] #bob", "R~ [0,1]→[0,1] #ada", "R+ [0,3] #cleo", "R- [0,0] #eve",
          "R- [0,1] #ada", "R- [0,2] #bob", "R+ [0,1] #dan",
        ])
    }

    @Test func aListStandsStill() throws {
      let notes = ArrayDataSource(name: "notes", items: [Note(id: 1, text: "Tea?")])
      // example: sources-held
      let list = notes.held()
      list.load()
      let observation = list.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      list.observePending { pending in print("Show \(pending)") }
      list.hold()
      try notes.append(Note(id: 2, text: "At five?"))
      // Show 1 new
      try notes.replace(with: [Note(id: 1, text: "Tea!"), Note(id: 2, text: "At six?")])
      // Show 1 new, 1 changed
      list.release()
      // Show nothing new
      // R+ [0,1] #2
      // R~ [0,0]→[0,0] #1
      // example: end
      observation.cancel()
      #expect(
        transcript.lines == [
          "Show 1 new", "Show 1 new, 1 changed", "Show nothing new", "R+ [0,1] #2",
          "R~ [0,0]→[0,0] #1",
        ])
    }

    struct Chat: Hashable, Identifiable, Sendable {
      let id: String
      var name: String
    }

    struct Message: Hashable, Identifiable, Sendable {
      let id: Int
      var chat: String
    }

    @Test func eachItemOfASourceIsAPart() throws {
      let chats = ArrayDataSource(
        name: "chats", items: [Chat(id: "bob", name: "Bob"), Chat(id: "ada", name: "Ada")])
      let messages = ArrayDataSource(
        name: "messages", items: [Message(id: 1, chat: "ada"), Message(id: 2, chat: "bob")])
      // example: sources-parts-of-items
      let list = chats.flatMap(title: { $0.name }) { chat in
        messages.filter { $0.chat == chat.id }
      }
      list.load()
      // example: end
      #expect(list.sections.map(\.identity) == ["bob", "ada"])
      #expect(list.sections.map(\.title) == ["Bob", "Ada"])
      #expect(list.path(of: PartItemID(1, inPart: "ada")) == ItemPath(section: 1, item: 0))
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

    @Test func rowsAreMovedWhereTheyAreShown() throws {
      let store = try Store.inMemory(
        migrations: Migrations.inline([
          "V0001_create_todo.sql": """
          CREATE TABLE todo (id INTEGER PRIMARY KEY, list TEXT, position INTEGER, text TEXT);
          INSERT INTO todo VALUES (1, 'home', 1, 'Call Ada'), (2, 'home', 2, 'Buy tea'),
            (4, 'work', 1, 'Write');
          """
        ]))
      // example: sources-edit-rows
      let todo = try store.results(
        of: FetchRequest<Todo>().sectioned(by: \.list).reorderable(by: \.position))
      try todo.load()
      let hot = todo.filter { $0.text != "Buy tea" }
      hot.load()
      let observation = todo.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try hot.moveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 1))
      // R> [0,0]→[1,1] #1*
      try hot.removeItem(at: ItemPath(section: 0, item: 0))  // R- [1,0] #4
      // example: end
      observation.cancel()
      #expect(transcript.lines == ["R> [0,0]→[1,1] #1*", "R- [1,0] #4"])
    }

    @Test func aClosureDecidesWhatAnItemAllows() {
      // example: sources-allows
      let pinned = ArrayDataSource(
        name: "pinned", items: [Note(id: 1, text: "Call Ada"), Note(id: 2, text: "Buy tea")],
        allows: { capability, _, note in capability != .removing || note?.id != 1 })
      pinned.load()
      print(pinned.canEdit(.removing, at: ItemPath(section: 0, item: 0)))  // false
      print(pinned.canEdit(.removing, at: ItemPath(section: 0, item: 1)))  // true
      // example: end
      #expect(transcript.lines == ["false", "true"])
    }

    @Test func aTransactionIsUndone() throws {
      let store = try Store.inMemory(
        migrations: Migrations.inline([
          "V0001_create_todo.sql": """
          CREATE TABLE todo (id INTEGER PRIMARY KEY, list TEXT, position INTEGER, text TEXT);
          INSERT INTO todo VALUES (1, 'home', 1, 'Call Ada'), (2, 'home', 2, 'Buy tea'),
            (4, 'work', 1, 'Write');
          """
        ]))
      let todo = try store.results(of: FetchRequest<Todo>().sort(by: \.position))
      try todo.load()
      // example: sources-undo
      let (_, undo) = try store.writeUndoably { transaction in
        try transaction.execute("DELETE FROM todo WHERE list = 'home'")
      }
      print(todo.numberOfItems)  // 1
      let redo = try store.undo(undo)
      print(todo.numberOfItems)  // 3
      try store.undo(redo)
      print(todo.numberOfItems)  // 1
      // example: end
      #expect(transcript.lines == ["1", "3", "1"])
    }

    @Test func aDragIsUndone() throws {
      let store = try Store.inMemory(
        migrations: Migrations.inline([
          "V0001_create_todo.sql": """
          CREATE TABLE todo (id INTEGER PRIMARY KEY, list TEXT, position INTEGER, text TEXT);
          INSERT INTO todo VALUES (1, 'home', 1, 'Call Ada'), (2, 'home', 2, 'Buy tea'),
            (4, 'work', 1, 'Write');
          """
        ]))
      let todo = try store.results(
        of: FetchRequest<Todo>().sectioned(by: \.list).reorderable(by: \.position))
      try todo.load()
      let hot = todo.filter { $0.text != "Buy tea" }
      hot.load()
      // example: sources-undo-edits
      let undos = try hot.undoably { list in
        try list.moveItem(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 1, item: 1))
      }
      print(todo.numberOfItems(in: 1))  // 2
      try store.undo(undos)
      print(todo.numberOfItems(in: 1))  // 1
      // example: end
      #expect(transcript.lines == ["2", "1"])
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
