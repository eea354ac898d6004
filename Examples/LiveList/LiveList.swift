#if HTTP && Server
  import Sectile
  import SectileHTTP
  import SectilePresenting
  import SectileRemote

  /// A list of a SQLite database, an array and a service with pages.
  ///
  /// Titles tell totals, rows of the database are dragged and searched, there is a banner in
  /// between and a selection of one or two rows; a table follows every change. To run it:
  /// `swift run --traits HTTP,Server LiveList`.
  @main struct LiveList {
    static func main() async throws {
      let service = HeadlineService()
      try await show(headlinesAt: try await service.address())
      service.stop()
    }

    private static func show(headlinesAt address: String) async throws {
      // Three sources of three kinds.
      let store = try await store()
      let size = Aggregate.sum(\Package.size)
      let all = FetchRequest<Package>()
        .sectioned(by: \.section).reorderable(by: \.position).aggregating(size)
      let packages = try store.results(of: all)
      let totalled = packages.mapSections { section, count in
        SourceSection(
          identity: section.identity,
          title: "\(section.title): \(count) of \(section.aggregates[size] ?? 0) KB")
      }
      let notes = ArrayDataSource(name: "notes", items: [Note(id: 1, text: "Buy milk")])
      let headlines = PaginatedDataSource(
        name: "headlines",
        loader: RemoteService(
          transport: try HTTPTransport(serviceURL: address), parser: JSONPageParser<Headline>(),
          style: .number(parameter: "page")))

      // One list of them.
      let list = AnyDataSource<ListRow>.concatenating([
        AnyDataSource(totalled.map { .package($0) }),
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
        try $0.execute("UPDATE package SET version = '5.3', size = 7390 WHERE name = 'bash'")
      }
      title("A package is dragged to another section: one move, and two totals")
      try list.moveItem(from: ItemPath(section: 0, item: 2), to: ItemPath(section: 1, item: 1))
      title("Somebody types a search, then leaves it")
      try await packages.update(to: all.searching("da", in: "package_text"))
      try await packages.update(to: all)
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
      let schema = """
        CREATE TABLE package (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, section TEXT NOT NULL,
          size INTEGER NOT NULL, position INTEGER NOT NULL);
        CREATE VIRTUAL TABLE package_text USING fts5(
          name, content='package', content_rowid='id', prefix='2 3');
        CREATE TRIGGER package_is_new AFTER INSERT ON package BEGIN
          INSERT INTO package_text(rowid, name) VALUES (new.id, new.name);
        END;
        """
      let store = try Store.inMemory(migrations: .inline(["V0001_create_package.sql": schema]))
      try await store.write { transaction in
        try transaction.insert(Package(1, "apt", "3.0", in: "admin", size: 4_330))
        try transaction.insert(Package(2, "bash", "5.2", in: "shells", size: 7_200))
        try transaction.insert(Package(3, "dash", "0.5", in: "shells", size: 190))
        try transaction.insert(Package(4, "sudo", "1.9", in: "admin", size: 6_120))
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
      print("Build the example with its traits: swift run --traits HTTP,Server LiveList")
    }
  }
#endif
