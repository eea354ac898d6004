import SectileCore
import SectileDataSources
import SectileRemote
import SectileTestSupport
import Testing

/// Which reading of placeholders, through what, loads their pages.
@Suite(.timeLimit(.minutes(60))) struct PlaceholderReadingTests {
  typealias World = PlaceholderDataSourceTests.World
  typealias Source = PlaceholderDataSourceTests.Source
  typealias Row = RemoteListRow<Song>

  /// What a source with placeholders can be composed to; all show its rows 3, 4 and 5.
  enum Chain: CaseIterable, Sendable {
    case mapped
    case filtered
    case sorted
    case sectioned
    case concatenated
    case reversed
    case inDepth

    func list(of source: Source) -> any DataSource {
      switch self {
      case .mapped: return source.map { $0.item?.id ?? -1 }
      case .filtered: return source.filter { row in row.item.map { $0.id > 0 } ?? true }
      case .sorted: return source.sorted(by: { $0.item?.id ?? 0 })
      case .sectioned:
        let section: @Sendable (Row) -> SourceSection = { row in
          SourceSection(identity: .integer(row.isPlaceholder ? 0 : 1), title: "")
        }
        return source.sectioned(by: section)
      case .concatenated:
        let other = ArrayDataSource<Song>(name: "others", items: [Song(id: -5)])
        return other.map { Row.item($0) }.concatenated(with: source)
      case .reversed: return source.reversed()
      case .inDepth: return source.map { $0 }.filter { _ in true }.reversed().map { "\($0.id)" }
      }
    }
  }

  /// Returns the path in a list of the row that comes from a row of the source.
  private static func path(
    _ list: any DataSource, ofRank rank: Int, in source: Source
  ) -> ItemPath? {
    let snapshot = list.snapshot
    return (0..<snapshot.numberOfItems).map { snapshot.path(atRank: $0) }.first { path in
      let origin = list.origin(at: path)
      return origin.source === source && origin.path.item == rank
    }
  }

  @Test(arguments: Chain.allCases)
  func whatIsReadOfACompositionIsLoaded(_ chain: Chain) throws {
    let world = World(12, loadsOnRead: true)
    let list = chain.list(of: world.source)
    try list.load()
    world.answerAll()
    #expect(world.server.log == [.number(1)], "a rule that reads every row loads none")
    let path = try #require(Self.path(list, ofRank: 4, in: world.source))
    _ = try list.item(at: path)
    world.answerAll()
    #expect(world.server.log == [.number(1), .number(2)])
    #expect(world.rows == "0 10 20 30 40 50 … … … … … …")
    // What is loaded is not loaded again.
    for rank in 0..<6 {
      let path = Self.path(list, ofRank: rank, in: world.source)
      if let path { _ = try list.item(at: path) }
    }
    world.answerAll()
    #expect(world.server.log.count == 2)
  }

  @Test(arguments: Chain.allCases)
  func snapshotLoadsWhatItIsToldIsWanted(_ chain: Chain) throws {
    let world = World(12, loadsOnRead: true)
    let list = chain.list(of: world.source)
    try list.load()
    world.answerAll()
    let path = try #require(Self.path(list, ofRank: 10, in: world.source))
    list.snapshot.prefetchItem(at: path)
    world.answerAll()
    #expect(world.server.log == [.number(1), .number(4)])
    #expect(world.rows == "0 10 20 … … … … … … 90 100 110")
  }

  @Test(arguments: Chain.allCases)
  func whoReadsEveryRowLoadsNothing(_ chain: Chain) throws {
    let world = World(12, loadsOnRead: true)
    let list = chain.list(of: world.source)
    try list.load()
    world.answerAll()
    try Self.readAll(list)
    // Also where a change lets the rules read again.
    world.server.change { $0[0].grade = 3 }
    try list.load()
    world.answerAll()
    try Self.readAll(list)
    world.answerAll()
    #expect(world.server.log == [.number(1), .number(1)])
  }

  private static func readAll(_ list: some DataSource) throws {
    let snapshot = list.snapshot
    for rank in 0..<snapshot.numberOfItems {
      _ = try snapshot.item(at: snapshot.path(atRank: rank))
    }
    _ = try snapshot.materialized()
    _ = list.snapshot.changes(since: snapshot)
  }

  @Test(arguments: Chain.allCases)
  func sourceThatLoadsNothingOnReadIsLeftAlone(_ chain: Chain) throws {
    let world = World(12)
    let list = chain.list(of: world.source)
    try list.load()
    world.answerAll()
    let path = try #require(Self.path(list, ofRank: 4, in: world.source))
    _ = try list.item(at: path)
    list.snapshot.prefetchItem(at: path)
    #expect(!world.source.isLoading)
  }

  @Test func partOfAListIsLoadedToo() throws {
    let world = World(12, loadsOnRead: true)
    let list = DataSourceList<String, Row>(name: "lists")
    try list.insert(world.source, as: "songs", before: nil)
    list.load()
    world.answerAll()
    _ = try list.item(at: ItemPath(section: 0, item: 4))
    world.answerAll()
    #expect(world.server.log == [.number(1), .number(2)])
  }

  @Test func outdatedSnapshotLoadsNothingThatIsThere() throws {
    let world = World(12, loadsOnRead: true)
    world.load()
    let old = world.source.map { $0 }
    old.load()
    let (first, composed) = (world.source.snapshot, old.snapshot)
    world.fetch(4)
    world.server.change { $0.removeLast(6) }
    world.source.load()
    world.answerAll()
    let count = world.server.log.count
    for rank in [4, 5, 9, 11, 12, -1] {
      first.prefetchItem(at: ItemPath(section: 0, item: rank))
      composed.prefetchItem(at: ItemPath(section: 0, item: rank))
    }
    world.answerAll()
    #expect(world.server.log.count == count, "the rows are loaded, or there are none any more")
  }

  @Test func snapshotOfASourceThatIsGoneLoadsNothing() {
    let (server, executor, snapshot) = {
      let world = World(12, loadsOnRead: true)
      world.load()
      return (world.server, world.executor, world.source.snapshot)
    }()
    snapshot.prefetchItem(at: ItemPath(section: 0, item: 7))
    executor.runUntilIdle()
    #expect(snapshot.numberOfItems == 12)
    #expect(server.log == [.number(1)])
  }

  @Test func onlyTheLastPagesOfManyThatAreReadAreLoaded() throws {
    let world = World(99, loadsOnRead: true)
    let list = world.source.filter { _ in true }
    list.load()
    world.answerAll()
    for rank in 0..<list.numberOfItems {
      _ = try list.item(at: ItemPath(section: 0, item: rank))
    }
    world.answerAll()
    #expect(world.server.log.dropFirst().compactMap(\.number) == [2] + Array(26...33))
  }
}
