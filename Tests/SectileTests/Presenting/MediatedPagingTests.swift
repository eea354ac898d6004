import Sectile
import SectileRemote
import Synchronization
import Testing

@testable import SectilePresenting

/// Adapters that page ahead in a list that is kept in a store.
@Suite(.timeLimit(.minutes(60))) struct MediatedPagingTests {
  struct Song: Entity, Equatable {
    var id: Int64
    var title: String

    static let schema = EntitySchema<Song>(
      "song", primaryKey: "id", attributes: .init("id", \.id), .init("title", \.title))

    init(id: Int64, title: String) {
      (self.id, self.title) = (id, title)
    }

    init(row: inout RowReader) throws {
      (id, title) = try (row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(title)
    }
  }

  struct Unreachable: Error {}

  /// Twenty songs in pages of four.
  final class Server: PageLoader {
    let firstPage = 0
    private let state = Mutex((log: [Int](), isFailing: false))

    var log: [Int] { state.withLock { $0.log } }
    func fail(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

    func loadPage(_ page: Int) async throws -> LoadedPage<Song, Int> {
      try state.withLock { state in
        state.log.append(page)
        if state.isFailing { throw Unreachable() }
        let ids = page * 4..<min(20, page * 4 + 4)
        return LoadedPage(
          items: ids.map { Song(id: Int64($0), title: "\($0)") },
          nextPage: page < 4 ? page + 1 : nil)
      }
    }
  }

  /// Shows some rows.
  final class Window: PresentationTarget {
    private struct State {
      var contents: (any PresentedContents<Int64, String>)?
      var ranks = 0..<2
      var failures = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.contents }?.numberOfItems ?? 0 }
    var failures: Int { state.withLock { $0.failures } }

    func scroll(to ranks: Range<Int>) {
      state.withLock { $0.ranks = ranks }
      draw()
    }

    func reload(_ contents: any PresentedContents<Int64, String>) {
      state.withLock { $0.contents = contents }
      draw()
    }

    func update(_ update: PresentationUpdate<Int64, String>) { reload(update.contents) }

    func didFail(with error: any Error) {
      state.withLock { $0.failures += 1 }
      draw()
    }

    private func draw() {
      let (contents, ranks) = state.withLock { ($0.contents, $0.ranks) }
      guard let contents else { return }
      for rank in ranks.clamped(to: 0..<contents.numberOfItems) {
        _ = try? contents.item(at: contents.path(atRank: rank))
      }
    }
  }

  static let presenter = CellPresenter<Song, String> { song, _ in song.title }

  static func settle(_ adapter: Adapter<Int64, Song, String>) async {
    while adapter.store.pages.isFetching { await Task.yield() }
  }

  @Test func pagesOfAMediatorAreFetchedAsTheReaderComesNear() async throws {
    let (server, window) = (Server(), Window())
    let store = try Store.inMemory(
      migrations: .inline([
        "V0001_create_song.sql": "CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"
      ]))
    let remoteList = PersistentRemoteList(
      name: "songs", store: store, loader: server, configuration: RemoteConfiguration(retry: .never)
    )
    let songs = try remoteList.source(of: FetchRequest<Song>().sort(by: \.id), pages: 1)
    let adapter = Adapter(
      source: songs.filter { $0.id != 2 }, presenter: Self.presenter, target: window)
    adapter.pageAhead(rows: 2)
    await Self.settle(adapter)
    #expect(server.log == [], "nothing before it is loaded")
    try await adapter.source.loadAndWait()
    await Self.settle(adapter)
    #expect(server.log == [0, 1], "of three rows the second has one behind it")
    #expect(window.count == 7)
    server.fail(true)
    window.scroll(to: 4..<6)
    await Self.settle(adapter)
    #expect(window.failures == 1, "the target hears of the page that failed")
    window.scroll(to: 4..<6)
    await Self.settle(adapter)
    #expect(server.log == [0, 1, 2])
    server.fail(false)
    adapter.pageAhead(rows: 2)
    await Self.settle(adapter)
    #expect(server.log == [0, 1, 2, 2])
    for start in stride(from: 6, to: 30, by: 2) {
      window.scroll(to: start..<start + 2)
      await Self.settle(adapter)
    }
    #expect(window.count == 19)
    #expect(server.log == [0, 1, 2, 2, 3, 4], "each page once, and no second crawl")
    #expect(try remoteList.state?.isComplete == true)
    #expect(window.failures == 1)
  }
}
