#if Macros
  import Foundation
  import Sectile
  import SectilePresenting
  import SectileRemote
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  @Suite(.timeLimit(.minutes(60))) struct RecipeExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func openAndMigrate() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      // example: recipe-open
      let store = try Store.open(
        at: path,
        migrations: .inline([
          "V0001_create_package.sql": """
          CREATE TABLE package (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, section TEXT NOT NULL);
          CREATE INDEX package_on_section_name ON package (section, name);
          """
        ]))
      // example: end
      try store.write { try $0.insert(Package(id: 1, name: "sed", section: "editors")) }
      #expect(try store.read { try $0.fetchOne(Package.self, key: 1)?.name } == "sed")
      try store.close()
    }

    @Test func listWithSections() throws {
      let store = try Package.smallStore()
      // example: recipe-sections
      let results = try store.results(
        of: FetchRequest<Package>()
          .filter { $0.section != "libs" }
          .sectioned(by: \.section)
          .sort(by: \.name, collation: .nocase))
      try results.load()
      for (section, header) in results.sections.enumerated() {
        print("\(header.title) (\(results.numberOfItems(in: section)))")
        for item in 0..<results.numberOfItems(in: section) {
          print("  \(try results[section, item].name)")
        }
      }
      // example: end
      #expect(
        transcript.lines == [
          "admin (1)", "  apt", "editors (1)", "  sed", "utils (1)", "  grep",
        ])
    }

    @Test func listsThatDifferInOneValue() throws {
      let store = try Package.smallStore()
      // example: recipe-family
      let family = try store.family(of: FetchRequest<Package>().sort(by: \.name), by: \.section)
      let editors = try family.results(for: "editors")
      let admin = try family.results(for: "admin")
      for member in [editors, admin] { try member.load() }
      try store.write { try $0.execute("UPDATE package SET section = 'admin' WHERE name = 'sed'") }
      print("\(editors.numberOfItems) and \(admin.numberOfItems)")
      // 0 and 2
      // example: end
      #expect(transcript.lines == ["0 and 2"])
    }

    @Test func searchAsSomebodyTypes() throws {
      let store = try Package.smallStore()
      // example: recipe-search
      try store.write { tx in
        try tx.execute(
          """
          CREATE VIRTUAL TABLE package_text USING fts5(
            name, section, content='package', content_rowid='id', prefix='2 3');
          CREATE TRIGGER package_new AFTER INSERT ON package BEGIN
            INSERT INTO package_text(rowid, name, section) VALUES (new.id, new.name, new.section);
          END;
          INSERT INTO package_text(package_text) VALUES ('rebuild');
          """)
      }
      let all = FetchRequest<Package>().sort(by: \.name)
      let results = try store.results(of: all)
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try results.load()
      for typed in ["e", "ed", "edi", "editors s"] {
        try results.update(to: all.searching(typed, in: "package_text"))  // delivers the difference
      }
      try store.write { try $0.insert(Package(id: 4, name: "splitter", section: "editors")) }
      // example: end
      observation.cancel()
      #expect(transcript.lines.last == "R+ [0,1] #4")
      #expect(results.numberOfItems == 2)
    }

    @Test func pushDiffs() async throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try await results.load()
      let socket = Client()
      // example: recipe-push
      let changesets = results.changesets  // nothing is missed from here on
      let pushing = Task {
        for await changes in changesets {
          try await socket.send(JSONEncoder().encode(changes))
        }
      }
      // example: end
      try await store.write { try $0.insert(Package(id: 4, name: "awk", section: "utils")) }
      var messages = socket.messages.makeAsyncIterator()
      let message = try #require(await messages.next())
      let changes = try JSONDecoder().decode(Changeset<Int64, Package>.self, from: message)
      #expect("\(changes)" == "R+ [2,0] #4")
      try await store.close()
      try await pushing.value
    }

    @Test func joinLate() async throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try await results.load()
      // example: recipe-join
      let (contents, changesets) = try await results.followContents()
      var shown = contents
      let following = Task {
        for await changes in changesets { try shown.apply(changes) }
        return shown
      }
      // example: end
      try await store.write { try $0.insert(Package(id: 4, name: "awk", section: "utils")) }
      let now = try await results.contents()
      try await store.close()  // ends the sequence
      #expect(try await following.value == now)
    }

    @Test func importManyRows() throws {
      let store = try Package.store()
      let lines = ["1,apt,admin", "2,sed,editors", "2,sed,utils"]
      // example: recipe-import
      let packages = lines.lazy.map { line in
        let fields = line.split(separator: ",")
        return Package(
          id: Int64(fields[0]) ?? 0, name: String(fields[1]), section: String(fields[2]))
      }
      let count = try store.write { tx in
        try tx.insert(contentsOf: packages, onConflict: .update, progressInterval: 10_000) {
          taken in
          print("\(taken) rows")
        }
      }
      // example: end
      #expect(count == 3)
      #expect(try store.read { try $0.fetchCount(FetchRequest<Package>()) } == 2)
    }

    @Test func severalProcesses() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      try Store.open(at: path, migrations: Package.migrations).close()
      // example: recipe-processes
      var configuration = StoreConfiguration()
      configuration.isReadOnly = true  // this process only looks
      configuration.externalChangePolling = .milliseconds(100)
      let store = try Store.open(at: path, configuration: configuration)
      let results = try store.results(of: FetchRequest<Package>().sort(by: \.name))
      let observation = results.observe { event in
        if case .didPartiallyLoad(let changes) = event { print(changes) }
      }
      try results.load()
      // example: end
      let other = try Store.open(at: path)
      try other.write { try $0.insert(Package(id: 1, name: "sed", section: "editors")) }
      try store.checkForExternalChanges()
      // The store may have noticed by itself just then, and tells on a thread of its own.
      #expect(waitedUntil { !transcript.lines.isEmpty })
      observation.cancel()
      #expect(transcript.lines == ["S+ 0 (NULL)", "R+ [0,0] #1"])
    }

    @Test func testDiffs() throws {
      let store = try Package.smallStore()
      // example: recipe-test
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      let recorder = ChangeRecorder<Int64, Package>()
      results.delegate = recorder
      try results.load()
      recorder.reset()
      try store.write { try $0.delete(Package.self, key: 1) }
      try recorder.expect(["delete section admin", "delete admin/0"])
      try expect(results, shows: "editors: sed | utils: grep") { $0.name }
      // example: end
    }

    @Test func backUpAndClose() async throws {
      let folder = try TemporaryFolder()
      let store = try await Store.open(
        at: folder.file("packages.sqlite"), migrations: Package.migrations)
      let copy = folder.file("copy.sqlite")
      // example: recipe-backup
      let report = try await store.backup(to: copy, replacing: true)
      print("\(report.size) bytes")
      try await store.close()
      if let outcome = store.closeOutcome, !outcome.isComplete { print(outcome) }
      // example: end
      #expect(transcript.lines.count == 1)
      #expect(FileManager.default.fileExists(atPath: copy))
    }

    @Test func pageARemoteList() async throws {
      let service: @Sendable (Int) async throws -> [Package] = { page in
        page > 2 ? [] : [Package(id: Int64(page), name: "p\(page)", section: "utils")]
      }
      // example: recipe-pages
      let loader = PageOperation(firstPage: 1) { page in
        let packages = try await service(page)
        return LoadedPage(items: packages, nextPage: packages.isEmpty ? nil : page + 1)
      }
      let list = PaginatedDataSource(name: "packages", loader: loader)
      try await list.loadAndWait()
      while list.hasMore {
        let paths = try await list.fetchMore()
        print("\(paths.count) more")
      }
      // example: end
      #expect(list.numberOfItems == 2)
      #expect(transcript.lines == ["1 more", "0 more"])
    }

    @Test func pageAheadOfTheReader() async throws {
      let loader = PageOperation(firstPage: 1) { page in
        LoadedPage(
          items: [Package(id: Int64(page), name: "p\(page)", section: "utils")],
          nextPage: page < 3 ? page + 1 : nil)
      }
      let list = PaginatedDataSource(name: "packages", loader: loader)
      let presenter = CellPresenter<Package, TextRow> { package, _ in [TextCell(package.name)] }
      let table = TerminalTable<Int64> { _ in }
      // example: recipe-page-ahead
      let adapter = Adapter(
        source: list.filter { $0.section == "utils" }, presenter: presenter, target: table)
      adapter.pageAhead(rows: 20)  // the next page comes as soon as its last rows are shown
      // example: end
      try adapter.source.load()
      while list.hasMore { await Task.yield() }
      #expect(list.numberOfItems == 3)
    }

    @Test func keepARemoteList() async throws {
      let store = try Package.store()
      let loader = PageOperation(firstPage: 1) { page in
        LoadedPage(
          items: [Package(id: 1, name: "sed", section: "utils")], nextPage: Int?.none)
      }
      // example: recipe-mediator
      let remoteList = PersistentRemoteList(name: "packages", store: store, loader: loader)
      let stored = try remoteList.source(of: FetchRequest<Package>().sort(by: \.name))
      try await stored.loadAndWait()  // what was stored at once, then what the service has
      // example: end
      #expect(stored.numberOfItems == 1)
    }
  }
#endif
