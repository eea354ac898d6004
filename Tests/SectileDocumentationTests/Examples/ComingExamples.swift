#if Macros
  import GRDB
  import Sectile
  import SectileTestHelpers
  import Synchronization
  import Testing

  /// Stands in for a list view that takes one batch after the other.
  final class ListView: Sendable {
    let batches = Mutex<[String]>([])

    func perform(_ batch: Changeset<Int64, Package>) {
      batches.withLock { $0.append("\(batch)") }
    }

    func show(_ error: any Error) {}
  }

  // example: coming-delegate
  final class ListController: DataSourceDelegate {
    private let view: ListView

    init(view: ListView) { self.view = view }

    func dataSource(
      _ source: any DataSource<Int64, Package>,
      didPartiallyLoad changes: Changeset<Int64, Package>
    ) {
      for batch in changes.staged { view.perform(batch) }
    }

    func dataSource(_ source: any DataSource<Int64, Package>, didFailWith error: any Error) {
      view.show(error)  // what is shown stays, and stays readable
    }
  }
  // example: end

  @Suite(.timeLimit(.minutes(10))) struct ComingExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aDelegateUpdatesAListView() throws {
      let store = try Package.smallStore()
      let view = ListView()
      // example: coming-controller
      let results = try store.results(
        of: Sectile.FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let controller = ListController(view: view)
      results.delegate = controller  // held weakly, as there
      try results.load()
      // example: end
      try store.write { try $0.execute("DELETE FROM package WHERE id = 1") }
      #expect(view.batches.withLock { $0.last } == "S- 0 (admin)\nR- [0,0] #1")
      withExtendedLifetime(controller) {}
    }

    @Test func anObservedRequestIsALoadedResult() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      try await Store.open(at: path, migrations: Package.migrations).close()
      // example: coming-adopt
      let pool = try DatabasePool(path: path)  // the one your program has
      let store = try Store(adopting: pool)
      let results = try store.results(of: Sectile.FetchRequest<Package>().sort(by: \.name))
      try await results.load()
      let (snapshot, changesets) = results.follow()
      print(snapshot.numberOfItems)  // 0
      try await pool.write { db in
        try db.execute(sql: "INSERT INTO package VALUES (1, 'sed', 'editors')")
      }
      for await changes in changesets {
        print(changes)
        break
      }
      // S+ 0 (NULL)
      // R+ [0,0] #1
      // example: end
      #expect(transcript.lines.last == "R+ [0,0] #1")
    }
  }
#endif
