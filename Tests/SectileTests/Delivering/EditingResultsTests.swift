#if Macros
  import Sectile
  import SectilePresenting
  import SectileTestHelpers
  import SectileTestSupport
  import Synchronization
  import Testing

  @Entity("errand")
  struct Errand: Identifiable, Equatable, Sendable {
    var id: Int64
    var list: String
    var position: Int
    var text: String
  }

  /// Rows of SQLite that are edited in lists made of results.
  @Suite(.timeLimit(.minutes(60))) struct EditingResultsTests {
    private static let migrations = Migrations.inline([
      "V0001_create_errand.sql": """
      CREATE TABLE errand (
        id INTEGER PRIMARY KEY, list TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL,
        UNIQUE (list, position))
      """
    ])

    private static let request = FetchRequest<Errand>().sectioned(by: \.list)
      .reorderable(by: \.position)

    /// Rows 1 to 6, of the lists A and B in turns.
    private func withResults(_ body: (Store, SectionedResults<Errand>) throws -> Void) throws {
      let store = try Store.inMemory(migrations: Self.migrations)
      try store.write { tx in
        for id in 1...6 {
          try tx.insert(
            Errand(id: Int64(id), list: id % 2 == 1 ? "A" : "B", position: id, text: "t\(id)"))
        }
      }
      let results = try store.results(of: Self.request)
      try results.load()
      try body(store, results)
      try store.close()
    }

    private func path(_ section: Int, _ item: Int) -> ItemPath {
      ItemPath(section: section, item: item)
    }

    private func text(_ source: some DataSource<some Any, Errand>) throws -> String {
      try source.snapshot.materialized().sections.map { section in
        section.rows.map { "\($0.item.id)" }.joined(separator: " ")
      }.joined(separator: " | ")
    }

    @Test func rowsAreEditedThroughACompositionOfEachKind() throws {
      try withResults { _, results in
        let banner = ArrayDataSource(
          name: "banner", items: [Errand(id: 99, list: "", position: 0, text: "banner")])
        let filtered = results.filter { $0.id != 3 }
        let sorted = results.sorted { -$0.id }
        let some = results.reversed().prefix(3)
        let with = results.inserting(
          Errand(id: 98, list: "", position: 0, text: "tip"), at: path(0, 1))
        let joined = AnyDataSource(banner).concatenated(with: results)
        filtered.load()
        sorted.load()
        some.load()
        with.load()
        joined.load()
        let recorder = ChangeRecorder<AnyItemID, Errand>(
          contents: try joined.snapshot.materialized())
        joined.delegate = recorder

        #expect(joined.canEdit(at: path(1, 0)) && joined.canMove(at: path(1, 0)))
        #expect(with.canEdit(.replacing, at: path(0, 0)))
        // The tip is nobody's to edit.
        #expect(!with.canEdit(.removing, at: path(0, 1)))

        try filtered.moveItem(from: path(0, 0), to: path(0, 1))
        #expect(try text(results) == "3 5 1 | 2 4 6")
        try sorted.removeItem(at: path(1, 0))
        #expect(try text(results) == "3 5 1 | 2 4")
        #expect(try text(some) == "4 2 | 1")
        try some.moveItem(from: path(0, 1), to: path(0, 0))
        #expect(try text(results) == "3 5 1 | 4 2")
        try with.replaceItem(
          at: path(0, 2), with: Errand(id: 5, list: "A", position: 5_000, text: "new"))
        #expect(try text(results) == "3 1 5 | 4 2")
        try joined.moveItem(from: path(1, 0), to: path(2, 1))
        #expect(try text(results) == "1 5 | 4 3 2")
        try joined.insertItem(
          Errand(id: 7, list: "", position: 0, text: "seven"), at: path(2, 3))
        #expect(try text(results) == "1 5 | 4 3 2 7")
        #expect(try results.item(at: path(1, 3)).list == "B")
        #expect(try text(joined) == "99 | 1 5 | 4 3 2 7")
        try recorder.check(against: joined)
      }
    }

    @Test func aRowMovesIntoAnEmptyFixedSectionThroughACompositionOfItsTitles() throws {
      try withResults { store, _ in
        let board = try store.results(
          of: FetchRequest<Errand>().sectioned(by: \.list, sections: ["A", "B", "C"])
            .reorderable(by: \.position))
        try board.load()
        let titled = board.mapSections { header in
          SourceSection(identity: header.identity, title: "list \(header.title)")
        }
        titled.load()
        try titled.moveItem(from: path(0, 0), to: path(2, 0))
        #expect(try text(titled) == "3 5 | 2 4 6 | 1")
        #expect(try board.item(at: path(2, 0)).list == "C")
      }
    }

    @Test func aRowDoesNotMoveBetweenPartsThatFilterRows() throws {
      try withResults { store, _ in
        let errands = try store.results(of: FetchRequest<Errand>().reorderable(by: \.position))
        try errands.load()
        let lists = FixedDataSource(
          name: "lists",
          items: ["A", "B", "C"].enumerated().map { number, list in
            Errand(id: Int64(number), list: list, position: 0, text: "")
          })
        let board = lists.flatMap(keepsEmptyParts: true) { list in
          errands.filter { $0.list == list.list }
        }
        board.load()
        #expect(try text(board) == "1 3 5 | 2 4 6 | ")
        func rows() throws -> [[StoredValue]] {
          try store.read { try $0.query("SELECT id, list, position FROM errand ORDER BY id") }
            .map(\.values)
        }
        let before = try rows()
        for target in [path(1, 0), path(1, 3), path(2, 0)] {
          let error = #expect(throws: DataSourceError.self) {
            try board.moveItem(from: path(0, 0), to: target)
          }
          #expect(error?.code == .sectionIsWorkedOut)
        }
        #expect(try rows() == before)
      }
    }

    @Test func aMoveIsProposedAndMade() throws {
      try withResults { _, results in
        let list = results.filter { $0.id != 3 }
        list.load()
        let relocation = try #require(list.relocation(from: path(0, 1), to: path(0, 0)))
        #expect(relocation.isAsProposed)
        try relocation.perform()
        #expect(try text(results) == "5 1 3 | 2 4 6")
        #expect(list.relocation(from: path(0, 1), to: path(0, 1)) == nil)
      }
    }

    @Test func aRowDoesNotMoveIntoASectionThatIsWorkedOut() throws {
      try withResults { store, _ in
        let results = try store.results(
          of: FetchRequest<Errand>()
            .sectioned(by: { $0.list.lowercased }).reorderable(by: \.position),
          allows: { capability, _, errand in capability != .removing || errand?.id != 1 })
        try results.load()
        #expect(results.relocation(from: path(0, 0), to: path(1, 0)) == nil)
        #expect(results.relocation(from: path(0, 0), to: path(0, 1))?.isAsProposed == true)
        #expect(results.editingKind(at: path(0, 0)) == .insert)
        #expect(results.editingKind(at: path(0, 1)) == .delete)
        #expect(results.allows(.inserting, at: path(0, 3)))
      }
    }

    @Test func aCallbackEdits() throws {
      try withResults { store, results in
        let recorder = ChangeRecorder<Errand.ID, Errand>(
          contents: try results.snapshot.materialized())
        results.delegate = recorder
        let edits = Atomic(0)
        // Each changeset moves one more row, until there were forty.
        let token = results.observe { event in
          guard case .didFinishLoading = event else { return }
          let edit = edits.add(1, ordering: .relaxed).newValue
          guard edit <= 40 else { return }
          #expect(throws: Never.self) {
            try results.move(from: path(edit % 2, 0), to: path(edit % 2, 2))
          }
        }
        try results.move(from: path(0, 0), to: path(0, 2))
        token.cancel()
        #expect(recorder.changesets.count == 41)
        try recorder.check(against: results)
      }
    }

    @Test func requestsThatAreSortedOtherwiseAreInvalid() throws {
      try withResults { store, _ in
        for request in [
          Self.request.sort(by: \.text),
          FetchRequest<Errand>().sort(by: \.text).reorderable(by: \.position),
          FetchRequest<Errand>().reorderable { $0.position + 1 },
        ] {
          let error = #expect(throws: StoreError.self) { try store.results(of: request) }
          #expect(error?.code == .invalidRequest)
        }
        let unsorted = try store.results(of: Self.request.unsorted())
        try unsorted.load()
        #expect(!unsorted.allows(.moving, at: path(0, 0)))
        #expect(unsorted.allows(.removing, at: path(0, 0)))
      }
    }
  }
#endif
