import SectileCore
import SectileDataSources
import SectileFeed
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// Feeds without items: what they cost, what they read, and how they stand beside other shapes.
@Suite(.timeLimit(.minutes(60))) struct StructuralFeedTests {
  private typealias Client = StructuralClient<Int64>

  private static func structural<Source: DataSource>(
    _ source: Source, _ configuration: FeedConfiguration = FeedConfiguration()
  ) -> Feed<Source, Void> where Source.ItemID: Encodable {
    let shape = FeedShape<Source.ItemID, Source.Item>.structural()
    return Feed(of: source, configuration: configuration) { _ in shape }
  }

  /// Many songs in ten sections, and how often one of them is looked at.
  private static func countedSongs(
    _ count: Int64
  ) -> (ArrayDataSource<Song>, ComposedDataSource<Int64, Song>, Counter) {
    let songs = (0..<count).map { Song(id: $0, artist: "\($0 % 10)") }
    let array = ArrayDataSource(name: "songs", items: songs) { song in
      SourceSection(identity: .text(song.artist), title: song.artist)
    }
    let looks = Counter()
    let counted = array.map { song in
      looks.increment()
      return song
    }
    counted.load()
    return (array, counted, looks)
  }

  @Test func aResetHasTheSizeOfItsSections() async throws {
    let (_, counted, looks) = Self.countedSongs(100_000)
    let feed = Self.structural(counted)
    var (client, iterator) = (Client(), try await feed.events().makeAsyncIterator())
    try await client.take(&iterator, to: counted.version)
    #expect(client.kinds == [.reset, .sections, .complete])
    #expect(client.sections.count == 10)
    #expect(client.count == 100_000)
    #expect(client.difference(from: counted.snapshot) == nil)
    #expect(client.byteCount < 2_000)
    #expect(looks.value == 0)
  }

  @Test(arguments: [0, 1, 499, 500, 501, 1_000, 1_234])
  func manySectionsComeInParts(count: Int) async throws {
    let songs = (0..<count).map { Song(id: Int64($0), artist: "\($0)") }
    let array = ArrayDataSource(name: "songs", items: songs) { song in
      SourceSection(identity: .text(song.artist), title: song.artist)
    }
    array.load()
    let feed = Self.structural(array)
    var (client, iterator) = (Client(), try await feed.events().makeAsyncIterator())
    try await client.take(&iterator, to: array.version)
    #expect(client.kinds.count { $0 == .sections } == (count + 499) / 500)
    #expect(client.difference(from: array.snapshot) == nil)
  }

  /// Joining, changes, what is merged, coming back, and too late: no item is looked at.
  @Test func noItemIsLookedAt() async throws {
    let (array, counted, looks) = Self.countedSongs(1_000)
    let feed = Self.structural(counted, FeedConfiguration(keptChangesets: 8))
    var (client, iterator) = (
      Client(), try await feed.events(buffering: .coalescing(beyond: 2)).makeAsyncIterator()
    )
    try await client.take(&iterator, to: counted.version)
    let first = client.position?.handedBack
    // It follows each change: those that the feed is told of together are one changeset.
    var (fast, fastIterator) = (Client(), try await feed.events().makeAsyncIterator())
    var mostKnown = 0
    for step in 0..<30 {
      for number in 0..<(step % 4 * 4) {
        let path = ItemPath(section: number % 10, item: step)
        switch number % 3 {
        case 0: try array.remove(at: path)
        case 1:
          try array.insert(Song(id: Int64(100_000 + step * 100 + number), artist: "new"), at: path)
        default:
          try array.replace(
            at: path,
            with: Song(id: array.snapshot.id(at: path), artist: "\(number % 10)", title: "\(step)"))
        }
        try await fast.take(&fastIterator, to: counted.version)
      }
      try await client.take(&iterator, to: counted.version)
      mostKnown = max(mostKnown, client.knownCount)
      #expect(client.difference(from: counted.snapshot) == nil)
    }
    #expect(mostKnown > 4)
    #expect(client.reasons.contains("tooOld"))
    iterator = try await feed.events(after: first).makeAsyncIterator()
    client = Client()
    try await client.take(&iterator, to: counted.version)
    #expect(client.reasons == ["tooOld"])
    #expect(looks.value == 0)
    // The count would show it: the same clients with items look at some.
    let whole = Feed<_, Void>(of: counted)
    var other = SongClient()
    iterator = try await whole.events().makeAsyncIterator()
    try await other.take(&iterator, to: counted.version)
    #expect(looks.value >= 900)
  }

  /// Over SQLite: no statement reads the table for a client without items, at no time.
  @Test(arguments: [false, true]) func noStatementIsRunForIt(isOnFile: Bool) async throws {
    let folder = try TemporaryFolder()
    let recorder = StatementRecorder()
    let store =
      isOnFile
      ? try await Store.open(
        at: folder.file("store.sqlite"), configuration: recorder.configuration, migrations: .none)
      : try Store.inMemory(configuration: recorder.configuration, migrations: .none)
    try await store.write { transaction in
      try transaction.execute(Song.table)
      try transaction.insert(contentsOf: (0..<2_000).map { Song(id: $0, artist: "\($0 % 7)") })
    }
    let results = try store.results(of: Song.request)
    let (feed, whole) = (Self.structural(results), Feed<SectionedResults<Song>, Void>(of: results))
    // One that is there before the contents are gets a changeset of all rows.
    var (early, earlyIterator) = (Client(), try await feed.events().makeAsyncIterator())
    try await early.take(&earlyIterator, to: 0)
    try await results.load()
    var (client, iterator) = (Client(), try await feed.events().makeAsyncIterator())
    var activity = try await recorder.activity(of: store, on: "song") {
      try await early.take(&earlyIterator, to: results.version)
      try await client.take(&iterator, to: results.version)
    }
    #expect(early.knownCount == 2_000)
    #expect(early.difference(from: results.snapshot) == nil)
    #expect(client.difference(from: results.snapshot) == nil)
    #expect(activity.statements == [])
    #expect(activity.itemCount == 0)
    // Changes, one by one and merged.
    for count in [1, 40] {
      for number in 0..<count {
        try await store.write {
          try $0.execute("UPDATE song SET artist = 'z' WHERE id = ?", number * 7)
        }
      }
      activity = try await recorder.activity(of: store, on: "song") {
        try await client.take(&iterator, to: results.version)
      }
      #expect(client.difference(from: results.snapshot) == nil)
      #expect(activity.statements == [])
      #expect(activity.itemCount == 0)
    }
    // What would show it: a client with items.
    var (other, otherIterator) = (SongClient(), try await whole.events().makeAsyncIterator())
    activity = try await recorder.activity(of: store, on: "song") {
      try await other.take(&otherIterator, to: results.version)
    }
    #expect(!activity.statements.isEmpty)
    #expect(activity.itemCount >= 2_000)
    try await store.close()
  }

  @Test func whatIsTheSameForAllIsEncodedOnce() async throws {
    try await StorageKind.memory.withSongs(50) { store, results in
      let (structure, whole) = (
        FeedShape<Int64, Song>.structural(), FeedShape<Int64, Song>("whole")
      )
      let feed = Feed(of: results) { (wantsItems: Bool) in wantsItems ? whole : structure }
      var iterators: [FeedEvents.Iterator] = []
      for _ in 0..<20 {
        var (client, iterator) = (
          Client(), try await feed.events(for: false).makeAsyncIterator()
        )
        try await client.take(&iterator, to: results.version)
        iterators.append(iterator)
      }
      var (other, otherIterator) = (
        SongClient(), try await feed.events(for: true).makeAsyncIterator()
      )
      try await other.take(&otherIterator, to: results.version)
      try await store.write { try $0.execute("UPDATE song SET title = 'new' WHERE id < 30") }
      var charged: Set<Int> = []
      for number in iterators.indices {
        #expect(await iterators[number].next()?.kind == .changes)
        charged.insert(feed.keptBytes)
      }
      // What is kept grew when it was encoded, once.
      #expect(charged.count == 1)
      let before = feed.keptBytes
      try await other.take(&otherIterator, to: results.version)
      #expect(feed.keptBytes > before)
      #expect(try await other.contents == results.snapshot.materialized())
    }
  }

  /// A position tells that a client has no items, whatever the shapes are called.
  @Test func positionsAreNoneInOtherShapes() async throws {
    try await StorageKind.memory.withSongs(20) { store, results in
      let shapes = [
        FeedShape<Int64, Song>.structural("a"), FeedShape<Int64, Song>("a"),
        FeedShape<Int64, Song>.structural("b"), FeedShape<Int64, Song>.structural("a"),
      ]
      let feed = Feed(of: results) { (number: Int) in shapes[number] }
      var (client, iterator) = (Client(), try await feed.events(for: 0).makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      let position = try #require(client.position?.handedBack)
      for other in 1...2 {
        iterator = try await feed.events(for: other, after: position).makeAsyncIterator()
        // One that went on would be told this.
        try await store.write { try $0.execute("DELETE FROM song WHERE id = ?", other) }
        let event = try #require(await iterator.next())
        #expect(String(decoding: event.json, as: UTF8.self).contains(#""reason":"foreign""#))
      }
      // One of the same kind and name is the same to the client.
      iterator = try await feed.events(for: 3, after: position).makeAsyncIterator()
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["joined"])
      #expect(client.difference(from: results.snapshot) == nil)
    }
  }

  /// Rows that no type describes have the identities that `sectile watch` writes, with items and
  /// without.
  @Test func rowsOfPlansHaveTheIdentitiesOfTheirKeys() async throws {
    let store = try Store.inMemory()
    try await store.write { transaction in
      try transaction.execute(
        "CREATE TABLE part (name TEXT, number INTEGER, size REAL, PRIMARY KEY (name, number)) WITHOUT ROWID"
      )
      try transaction.execute("INSERT INTO part VALUES ('a', 1, 1.5), ('b', 2, 2)")
    }
    var plan = FetchPlan(
      table: "part", keyColumns: ["name", "number"], itemColumns: ["name", "size"])
    plan.section = FetchPlan.Section(identity: plan.term("name"))
    let results = try store.results(of: plan)
    try await results.load()
    let (structure, whole) = (
      FeedShape<UntypedRow.ID, UntypedRow>.structural(),
      FeedShape<UntypedRow.ID, UntypedRow>("whole")
    )
    let feed = Feed(of: results) { (wantsItems: Bool) in wantsItems ? whole : structure }
    var texts: [Bool: [String]] = [:]
    var iterators: [Bool: FeedEvents.Iterator] = [:]
    for kind in [false, true] {
      var iterator = try await feed.events(for: kind).makeAsyncIterator()
      while let event = await iterator.next() {
        texts[kind, default: []].append(String(decoding: event.json, as: UTF8.self))
        if event.kind == .complete { break }
      }
      iterators[kind] = iterator
    }
    #expect(
      texts[false]?[1] == #"{"format":2,"version":1,"sections":["#
        + #"{"section":0,"header":{"identity":"a","title":"a","indexTitle":"A"},"count":1},"#
        + #"{"section":1,"header":{"identity":"b","title":"b","indexTitle":"B"},"count":1}]}"#)
    #expect(
      texts[true]?[1].contains(#""id":["a",1],"item":{"name":"a","size":1.5,"number":1}"#) == true)
    try await store.write { transaction in
      try transaction.execute("DELETE FROM part WHERE name = 'a'")
      try transaction.execute("INSERT INTO part VALUES ('b', 9007199254740993, NULL)")
      try transaction.execute("UPDATE part SET size = 7 WHERE number = 2")
    }
    for (kind, item) in [
      (false, ""),
      (true, #","item":{"name":"b","size":null,"number":{"$integer":"9007199254740993"}}"#),
    ] {
      let event = try #require(await iterators[kind]?.next())
      let text = String(decoding: event.json, as: UTF8.self)
      #expect(text.contains(#""deletes":[{"path":{"section":0,"item":0},"id":["a",1]}]"#))
      #expect(
        text.contains(
          #"{"path":{"section":0,"item":1},"id":["b",{"$integer":"9007199254740993"}]\#(item)}"#),
        "\(text)")
      #expect(text.contains(#""id":["b",2]"#))
      #expect(text.contains(#""item":{"#) == kind)
    }
    try await store.close()
  }
}
