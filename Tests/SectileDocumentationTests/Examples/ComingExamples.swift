#if Macros
  import Sectile
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
      for batch in changes.batches { view.perform(batch) }
    }

    func dataSource(_ source: any DataSource<Int64, Package>, didFailWith error: any Error) {
      view.show(error)  // what is shown stays, and stays readable
    }
  }
  // example: end

  @Suite struct ComingExamples {
    @Test func aDelegateUpdatesAListView() throws {
      let store = try Package.smallStore()
      let view = ListView()
      // example: coming-controller
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let controller = ListController(view: view)
      results.delegate = controller  // held weakly, as there
      try results.load()
      // example: end
      try store.write { try $0.execute("DELETE FROM package WHERE id = 1") }
      #expect(view.batches.withLock { $0.last } == "S- 0 (admin)\nR- [0,0] #1")
      withExtendedLifetime(controller) {}
    }
  }
#endif
