#if HTTP
  import Sectile
  import SectileHTTP
  import SectilePresenting
  import SectileRemote

  /// A list of a SQLite database, an array and a service with pages.
  ///
  /// There is a banner in between and a selection of one or two rows; a table follows every change.
  /// To run it: `swift run --traits HTTP LiveList`.
  @main struct LiveList {
    static func main() async throws {
      let service = try HeadlineService()
      let address = try await service.start()
      try await show(headlinesAt: address)
      await service.stop()
    }

    private static func show(headlinesAt address: String) async throws {
      // Three sources of three kinds.
      let store = try await store()
      let packages = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let notes = ArrayDataSource(name: "notes", items: [Note(id: 1, text: "Buy milk")])
      let headlines = PaginatedDataSource(
        name: "headlines",
        loader: RemoteService(
          transport: try HTTPTransport(serviceURL: address), parser: JSONPageParser<Headline>(),
          style: .number(parameter: "page")))

      // One list of them.
      let list = AnyDataSource<ListRow>.concatenating([
        AnyDataSource(packages.map { .package($0) }),
        AnyDataSource(notes.map { .note($0) }.flattened(title: "Notes")),
        AnyDataSource(headlines.map { .headline($0) }.flattened(title: "Headlines")),
      ]).inserting(.banner("Security updates"), at: ItemPath(section: 0, item: 1))
      let selection = Selection(of: list, mode: .range(1...2))

      // A table that follows it.
      let table = TerminalTable<AnyItemID> { print($0) }
      let adapter = Adapter(source: list, presenter: presenter(selection), target: table)
      let token = selection.observe { adapter.refresh($0.selected + $0.deselected) }
      adapter.onSelect = { _, _, path in selection.select(at: path) }

      // What happens to it.
      title("Loading shows what is there, then the first page of the service")
      try await list.loadAndWait()
      title("A package is upgraded, by a transaction")
      try await store.write {
        try $0.update(Package(id: 2, name: "bash", version: "5.3", section: "shells"))
      }
      title("A note is added to the array")
      try notes.insert(Note(id: 2, text: "Call Ada"), at: ItemPath(section: 0, item: 1))
      title("The next page of the service")
      try await headlines.fetchMore()
      title("Two rows are chosen; then a third, and the oldest choice goes")
      try adapter.select(at: ItemPath(section: 0, item: 0))
      try adapter.select(at: ItemPath(section: 1, item: 0))
      try adapter.select(at: ItemPath(section: 2, item: 0))
      title("A row is removed through the list: its own source removes it")
      try list.removeItem(at: ItemPath(section: 2, item: 0))
      token.cancel()
    }

    /// Returns what makes rows of a table, with a mark before those that are selected.
    private static func presenter(
      _ selection: Selection<AnyItemID, ListRow>
    ) -> CellPresenter<ListRow, TextRow> {
      var presenter = CellPresenter<ListRow, TextRow>.choosingKind { row, _ in row.kind }
      presenter.register("banner") { row, _ in TextRow(row.columns.map { TextCell($0) }) }
      presenter.register("row") { row, _ in
        let mark = try selection.items.contains(row) ? "[x]" : "[ ]"
        var columns = row.columns
        columns[0] = "\(mark) \(columns[0])"
        return TextRow(columns.map { TextCell($0) })
      }
      return presenter
    }

    private static func store() async throws -> Store {
      let table = """
        CREATE TABLE package (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, section TEXT NOT NULL)
        """
      let store = try Store.inMemory(migrations: .inline(["V0001_create_package.sql": table]))
      try await store.write { transaction in
        try transaction.insert(Package(id: 1, name: "apt", version: "3.0", section: "admin"))
        try transaction.insert(Package(id: 2, name: "bash", version: "5.2", section: "shells"))
        try transaction.insert(Package(id: 3, name: "dash", version: "0.5", section: "shells"))
        try transaction.insert(Package(id: 4, name: "sudo", version: "1.9", section: "admin"))
      }
      return store
    }

    private static func title(_ text: String) {
      print("=== \(text)\n")
    }
  }
#else
  @main struct LiveList {
    static func main() {
      print("Build the example with its trait: swift run --traits HTTP LiveList")
    }
  }
#endif
