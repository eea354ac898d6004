#if Macros
  import Sectile
  import SectilePresenting
  import SectileTestHelpers
  import SectileTestSupport
  import Synchronization
  import Testing

  /// A column of a board of errands: the list of its name.
  @Entity("board_column")
  struct BoardColumn: Identifiable, Equatable, Sendable {
    var id: Int64
    var name: String
    var place: Int
  }

  /// Rows that are dragged across a board: into columns without rows, between parts, by their keys.
  @Suite(.timeLimit(.minutes(60))) struct BoardTests {
    private static let migrations = Migrations.inline([
      "V0001_create_errand.sql": """
      CREATE TABLE errand (
        id INTEGER PRIMARY KEY, list TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL,
        UNIQUE (list, position));
      CREATE TABLE board_column (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER NOT NULL);
      """
    ])

    typealias Board = ComposedDataSource<Errand.ID, Errand>

    /// Rows 1 to 6, of the lists A and B in turns, and columns in the order of their names.
    private func withStore(
      columns: [String] = ["A", "B", "C"], _ body: (Store) throws -> Void
    ) throws {
      let store = try Store.inMemory(migrations: Self.migrations)
      try store.write { tx in
        for id in 1...6 {
          try tx.insert(
            Errand(id: Int64(id), list: id % 2 == 1 ? "A" : "B", position: id, text: "t\(id)"))
        }
        for (place, name) in columns.enumerated() {
          try tx.insert(BoardColumn(id: Int64(place + 1), name: name, place: place))
        }
      }
      try body(store)
      try store.close()
    }

    private func columns(in store: Store) throws -> SectionedResults<BoardColumn> {
      try store.results(of: FetchRequest<BoardColumn>().sort(by: \.place))
    }

    private func board(
      in store: Store,
      sectionLimit: (@Sendable (StoredValue, StoreReadTransaction) throws -> Int?)? = nil
    ) throws -> Board {
      let cards = try store.results(
        of: FetchRequest<Errand>().sectioned(by: \.list).reorderable(by: \.position),
        sectionLimit: sectionLimit)
      return cards.sectioned(
        by: { SourceSection(identity: .text($0.name), title: $0.name) },
        of: try columns(in: store))
    }

    private func path(_ section: Int, _ item: Int) -> ItemPath {
      ItemPath(section: section, item: item)
    }

    private func text(_ source: some DataSource<some Any, Errand>) throws -> String {
      try source.snapshot.materialized().sections.map { section in
        section.rows.map { "\($0.item.id)" }.joined(separator: " ")
      }.joined(separator: " | ")
    }

    private func list(of id: Int64, in store: Store) throws -> String? {
      try store.read { try $0.fetchOne(Errand.self, key: id) }?.list
    }

    private func code(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "none"
      } catch let error as StoreError {
        return "\(error.code)"
      } catch let error as DataSourceError {
        return "\(error.code)"
      } catch {
        return "\(error)"
      }
    }

    // MARK: - Columns without rows

    @Test func aRowGoesIntoAnEmptyColumn() throws {
      try withStore { store in
        let board = try board(in: store)
        let recorder = ChangeRecorder<Errand.ID, Errand>()
        board.delegate = recorder
        board.load()
        #expect(try text(board) == "1 3 5 | 2 4 6 | ")
        recorder.reset()
        try board.moveItem(from: path(0, 0), to: path(2, 0))
        #expect(try text(board) == "3 5 | 2 4 6 | 1")
        #expect(try list(of: 1, in: store) == "C")
        #expect(recorder.changesets.map(\.moves.count) == [1])
        // And out of the column that it leaves empty.
        try board.moveItem(from: path(2, 0), to: path(0, 1))
        #expect(try text(board) == "3 1 5 | 2 4 6 | ")
        try board.insertItem(Errand(id: 7, list: "", position: 0, text: "new"), at: path(2, 0))
        #expect(try text(board) == "3 1 5 | 2 4 6 | 7")
        #expect(try list(of: 7, in: store) == "C")
        try recorder.check(against: board)
      }
    }

    typealias Composed = @Sendable (Board) -> any DataSource

    static let compositions: [Composed] = [
      { $0.filter(keepsEmptySections: true) { $0.id != 6 } },
      { $0.mapSections { SourceSection(identity: $0.identity, title: "list \($0.title)") } },
      { $0.map(\.text) }, { $0.sorted { $0.id } }, { $0.held() },
      { $0.sortedSections(by: { header, _ in header.title }) },
      {
        $0.inserting(
          Errand(id: 99, list: "", position: 0, text: "tip"), at: ItemPath(section: 0, item: 3))
      },
      { board in
        FixedDataSource(name: "one", items: [BoardColumn(id: 1, name: "one", place: 0)])
          .flatMap { _ in board }
      },
    ]

    @Test(arguments: compositions.indices)
    func anEmptyColumnTakesARowThroughCompositions(_ number: Int) throws {
      try withStore { store in
        let board = try board(in: store)
        let list = Self.compositions[number](board)
        try list.load()
        try list.moveItem(from: path(0, 0), to: path(2, 0))
        #expect(try text(board) == "3 5 | 2 4 6 | 1")
        let relocation = try #require(list.relocation(from: path(2, 0), to: path(1, 0)))
        #expect(relocation.isAsProposed)
        try relocation.perform()
        #expect(try text(board) == "3 5 | 1 2 4 6 | ")
        try #require(list.relocation(from: path(1, 0), to: path(2, 0))).perform()
        #expect(try text(board) == "3 5 | 2 4 6 | 1")
      }
    }

    /// The cards are counted before they are put into columns.
    @Test func anEmptyColumnTakesARowThroughAggregates() throws {
      try withStore { store in
        let cards = try store.results(
          of: FetchRequest<Errand>().sectioned(by: \.list).reorderable(by: \.position))
        let board = cards.aggregating(.count()).sectioned(
          by: { SourceSection(identity: .text($0.name), title: $0.name) },
          of: try columns(in: store))
        board.load()
        try board.moveItem(from: path(0, 0), to: path(2, 0))
        #expect(try text(board) == "3 5 | 2 4 6 | 1")
        #expect(board.sections.map { $0.aggregates["count"] } == [2, 3, 1])
      }
    }

    /// What would be shown nowhere is not written.
    @Test func aColumnThatTheBoardBelowDoesNotHaveIsRefused() throws {
      try withStore(columns: ["A", "B"]) { store in
        let columns = ["A", "B", "C"].enumerated().map { place, name in
          BoardColumn(id: Int64(place), name: name, place: place)
        }
        let list = try board(in: store).sectioned(
          by: { SourceSection(identity: .text($0.name), title: $0.name) },
          of: FixedDataSource(name: "columns", items: columns))
        list.load()
        #expect(try text(list) == "1 3 5 | 2 4 6 | ")
        #expect(
          code { try list.moveItem(from: path(0, 0), to: path(2, 0)) } == "differentSources")
        #expect(try self.list(of: 1, in: store) == "A")
      }
    }

    @Test func aReversedBoardHasItsEmptyColumnsToo() throws {
      try withStore { store in
        let board = try board(in: store)
        let list = board.reversed()
        list.load()
        // | 6 4 2 | 5 3 1
        try list.moveItem(from: path(1, 0), to: path(0, 0))
        #expect(try text(board) == "1 3 5 | 2 4 | 6")
        // Before the only one here is behind it there.
        try list.moveItem(from: path(1, 0), to: path(0, 0))
        #expect(try text(board) == "1 3 5 | 2 | 6 4")
      }
    }

    /// Columns stand in an order of their own: that says nothing about the order of rows.
    @Test func aRowGoesBesideTheOneItWasPutNextTo() throws {
      try withStore(columns: ["C", "B", "A"]) { store in
        let board = try board(in: store)
        board.load()
        #expect(try text(board) == " | 2 4 6 | 1 3 5")
        try board.moveItem(from: path(2, 0), to: path(1, 0))
        #expect(try text(board) == " | 1 2 4 6 | 3 5")
        try board.moveItem(from: path(2, 0), to: path(0, 0))
        try board.moveItem(from: path(1, 0), to: path(0, 0))
        #expect(try text(board) == "1 3 | 2 4 6 | 5")
        try board.moveItem(from: path(0, 0), to: path(2, 0))
        #expect(try text(board) == "3 | 2 4 6 | 1 5")
      }
    }

    /// Nor do sections that were put into one.
    @Test func aRowOfSectionsInOneGoesBesideTheOneItWasPutNextTo() throws {
      try withStore(columns: ["B", "A"]) { store in
        let board = try board(in: store)
        let list = board.flattened()
        list.load()
        #expect(try text(list) == "2 4 6 1 3 5")
        try list.moveItem(from: path(0, 3), to: path(0, 1))
        #expect(try text(list) == "2 1 4 6 3 5")
        #expect(try text(board) == "2 1 4 6 | 3 5")
        // Between the other two: down, it follows the one before it.
        try list.moveItem(from: path(0, 0), to: path(0, 4))
        #expect(try text(list) == "1 4 6 3 2 5")
        #expect(try text(board) == "1 4 6 | 3 2 5")
        try list.moveItem(id: 6, behind: 3)
        #expect(try text(board) == "1 4 | 3 6 2 5")
      }
    }

    @Test func aColumnThatIsNoColumnOfTheTableIsRefused() throws {
      try withStore(columns: ["a", "b", "c"]) { store in
        let cards = try store.results(
          of: FetchRequest<Errand>().sectioned(by: { $0.list.lowercased })
            .reorderable(by: \.position))
        let board = cards.sectioned(
          by: { SourceSection(identity: .text($0.name), title: $0.name) },
          of: try columns(in: store))
        board.load()
        #expect(try text(board) == "1 3 5 | 2 4 6 | ")
        #expect(
          code { try board.moveItem(from: path(0, 0), to: path(2, 0)) } == "sectionIsWorkedOut")
        #expect(board.relocation(from: path(0, 0), to: path(2, 0)) == nil)
        #expect(try list(of: 1, in: store) == "A")
        // A new row says itself where it is.
        let wrong = Errand(id: 7, list: "B", position: 0, text: "new")
        #expect(code { try board.insertItem(wrong, at: path(2, 0)) } == "notEditable")
        #expect(try text(board) == "1 3 5 | 2 4 6 | ")
        try board.insertItem(
          Errand(id: 7, list: "C", position: 0, text: "new"), at: path(2, 0))
        #expect(try text(board) == "1 3 5 | 2 4 6 | 7")
      }
    }

    // MARK: - Parts

    private func parts(
      in store: Store, _ request: (String) -> FetchRequest<Errand>
    ) throws -> ComposedDataSource<PartItemID<Int64>, Errand> {
      var parts: [Int64: SectionedResults<Errand>] = [:]
      let rows = try store.read { try $0.fetchAll(FetchRequest<BoardColumn>()) }
      for column in rows {
        parts[column.id] = try store.results(of: request(column.name))
      }
      let none = try store.results(of: FetchRequest<Errand>().filter { $0.id < 0 })
      let known = parts
      return try columns(in: store).flatMap(keepsEmptyParts: true, title: { $0.name }) {
        known[$0.id] ?? none
      }
    }

    @Test func aRowGoesFromPartToPart() throws {
      try withStore { store in
        let list = try parts(in: store) { name in
          FetchRequest<Errand>().filter { $0.list == name }.reorderable(by: \.position)
        }
        let recorder = ChangeRecorder<PartItemID<Int64>, Errand>()
        list.delegate = recorder
        list.load()
        #expect(try text(list) == "1 3 5 | 2 4 6 | ")
        recorder.reset()
        try list.moveItem(from: path(0, 0), to: path(1, 1))
        #expect(try text(list) == "3 5 | 2 1 4 6 | ")
        #expect(try self.list(of: 1, in: store) == "B")
        #expect(recorder.changesets.count == 1)
        try list.moveItem(from: path(1, 3), to: path(0, 2))
        #expect(try text(list) == "3 5 6 | 2 1 4 | ")
        try list.moveItem(from: path(0, 1), to: path(2, 0))
        #expect(try text(list) == "3 6 | 2 1 4 | 5")
        try #require(list.relocation(from: path(2, 0), to: path(1, 0))).perform()
        #expect(try text(list) == "3 6 | 5 2 1 4 | ")
        #expect(recorder.changesets.count == 4)
        try recorder.check(against: list)
      }
    }

    /// Results of one store that one transaction changes are told together.
    @Test func aCommitOfSeveralTablesIsOneChangeset() throws {
      try withStore { store in
        let board = try board(in: store)
        let list = board.filter(keepsEmptySections: true) { $0.id != 2 }
          .concatenated(with: try store.results(of: FetchRequest<Errand>().sort(by: \.text)))
        let (recorder, listRecorder) = (
          ChangeRecorder<Errand.ID, Errand>(), ChangeRecorder<AnyItemID, Errand>()
        )
        (board.delegate, list.delegate) = (recorder, listRecorder)
        list.load()
        recorder.reset()
        listRecorder.reset()
        try store.write { tx in
          try tx.execute("UPDATE board_column SET place = -1 WHERE name = 'C'")
          try tx.execute("UPDATE errand SET list = 'C', position = 9, text = 'z' WHERE id = 1")
        }
        #expect(try text(board) == "1 | 3 5 | 2 4 6")
        #expect(recorder.changesets.count == 1)
        #expect(listRecorder.changesets.count == 1)
        try recorder.check(against: board)
        try listRecorder.check(against: list)
      }
    }

    /// A row that goes from part to part is always in one of them, whoever delivers.
    @Test func rowsAreNeverBetweenPartsBesideOtherThreads() async throws {
      let store = try Store.inMemory(migrations: Self.migrations)
      try await store.write { tx in
        for id in 1...6 {
          try tx.insert(Errand(id: Int64(id), list: "A", position: id, text: "t\(id)"))
        }
        for (place, name) in ["A", "B", "C"].enumerated() {
          try tx.insert(BoardColumn(id: Int64(place + 1), name: name, place: place))
        }
      }
      let list = try parts(in: store) { name in
        FetchRequest<Errand>().filter { $0.list == name }.reorderable(by: \.position)
      }
      let recorder = ChangeRecorder<PartItemID<Int64>, Errand>()
      list.delegate = recorder
      list.load()
      recorder.reset()
      let counts = Mutex<Set<Int>>([])
      let (ends, end) = AsyncStream<Void>.makeStream()
      let observation = list.observe { event in
        switch event {
        case .didPartiallyLoad:
          let count = list.numberOfItems
          counts.withLock { _ = $0.insert(count) }
        case .didFinishLoading:
          let rows = try? list.snapshot.materialized().sections.flatMap(\.rows)
          if rows?.contains(where: { $0.item.text == "last" }) == true { end.yield() }
        case .willLoad, .didFail: break
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...3 {
          group.addTask {
            for turn in 0..<100 {
              let name = ["B", "C", "A"][turn % 3]
              try store.write { tx in
                try tx.execute(
                  "UPDATE errand SET list = ?, position = ? WHERE id = ?", name, 1_000 * id + turn,
                  id)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      // The last changes may be another thread's to deliver: this one comes after them.
      try await store.write { try $0.execute("UPDATE errand SET text = 'last' WHERE id = 6") }
      for await _ in ends { break }
      #expect(counts.withLock { $0 } == [6])
      try recorder.check(against: list)
      observation.cancel()
      try await store.close()
    }

    @Test func whatOtherPartsWantMoreIsWritten() throws {
      try withStore { store in
        try store.write { try $0.execute("UPDATE errand SET text = 'open'") }
        let list = try parts(in: store) { name in
          let text = name == "B" ? "closed" : "open"
          return FetchRequest<Errand>().filter { $0.list == name && $0.text == text }
            .reorderable(by: \.position)
        }
        list.load()
        #expect(try text(list) == "1 3 5 |  | ")
        try list.moveItem(from: path(0, 1), to: path(1, 0))
        #expect(try text(list) == "1 5 | 3 | ")
        #expect(try store.read { try $0.fetchOne(Errand.self, key: 3) }?.text == "closed")
      }
    }

    @Test func aPartThatWantsMoreThanValuesRefusesARow() throws {
      try withStore { store in
        let list = try parts(in: store) { name in
          let rows = FetchRequest<Errand>().reorderable(by: \.position)
          return name == "A" ? rows.filter { $0.id % 2 == 1 } : rows.filter { $0.id % 2 == 0 }
        }
        list.load()
        #expect(try text(list) == "1 3 5 | 2 4 6 | 2 4 6")
        let before = try store.read { try $0.fetchAll(FetchRequest<Errand>()) }
        #expect(code { try list.moveItem(from: path(0, 0), to: path(1, 0)) } == "notEditable")
        #expect(try store.read { try $0.fetchAll(FetchRequest<Errand>()) } == before)
      }
    }

    @Test func aRowIsNotProposedToAPartThatAllowsNothing() throws {
      func request(_ name: String) -> FetchRequest<Errand> {
        FetchRequest<Errand>().filter { $0.list == name }.reorderable(by: \.position)
      }
      try withStore { store in
        let list = DataSourceList<String, Errand>(name: "two")
        list.load()
        try list.append(try store.results(of: request("A")), as: "open")
        try list.append(
          try store.results(of: request("B"), allows: { _, _, _ in false }), as: "locked")
        #expect(try text(list) == "1 3 5 | 2 4 6")
        #expect(list.relocation(from: path(0, 0), to: path(1, 0)) == nil)
        #expect(list.relocation(from: path(0, 0), to: path(0, 2)) != nil)
      }
    }

    @Test func partsOfTwoStoresRefuseARow() throws {
      try withStore { store in
        try withStore { other in
          let request = FetchRequest<Errand>().reorderable(by: \.position)
          let list = DataSourceList<String, Errand>(name: "two")
          list.load()
          try list.append(try store.results(of: request), as: "one")
          try list.append(try other.results(of: request), as: "other")
          #expect(
            code { try list.moveItem(from: path(0, 0), to: path(1, 0)) } == "differentSources")
          #expect(list.relocation(from: path(0, 0), to: path(1, 0)) == nil)
        }
      }
    }

    // MARK: - By identity

    @Test func aRowIsMovedByItsKey() throws {
      try withStore { store in
        let board = try board(in: store)
        board.load()
        let list = board.reversed()
        list.load()
        try board.moveItem(id: 1, before: 4)
        #expect(try text(board) == "3 5 | 2 1 4 6 | ")
        try board.moveItem(id: 2, behind: 6)
        #expect(try text(board) == "3 5 | 1 4 6 2 | ")
        try list.moveItem(id: 3, before: 4)
        #expect(try text(board) == "5 | 1 4 3 6 2 | ")
        try list.moveItem(id: 5, toSection: .text("C"))
        #expect(try text(board) == " | 1 4 3 6 2 | 5")
        try board.moveItem(id: 4, toSection: .text("C"))
        try board.moveItem(id: 4, toSection: .text("C"))
        #expect(try text(board) == " | 1 3 6 2 | 5 4")
        #expect(code { try board.moveItem(id: 9, before: 4) } == "noSuchItem")
        #expect(code { try board.moveItem(id: 4, before: 9) } == "noSuchItem")
        #expect(code { try board.moveItem(id: 4, toSection: .text("D")) } == "noSuchSection")
      }
    }

    /// Behind what is shown at the end, where that is of another source, as by a path.
    @Test func aRowGoesNotBehindWhatIsOfAnotherSource() throws {
      try withStore { store in
        let list = try board(in: store).inserting(
          Errand(id: 99, list: "", position: 0, text: "tip"), at: path(0, 3))
        list.load()
        #expect(try text(list) == "1 3 5 99 | 2 4 6 | ")
        let id = list.snapshot.id(at: path(0, 0))
        #expect(
          code { try list.moveItem(from: path(0, 0), to: path(0, 3)) } == "differentSources")
        #expect(code { try list.moveItem(id: id, toSection: .text("A")) } == "differentSources")
        #expect(try text(list) == "1 3 5 99 | 2 4 6 | ")
      }
    }

    @Test func aRowThatWasChangedSinceItWasReadStays() throws {
      try withStore { store in
        let board = try board(in: store)
        board.load()
        let read = try board.item(at: path(0, 0))
        try store.write { try $0.execute("UPDATE errand SET text = 'new' WHERE id = 1") }
        #expect(code { try board.moveItem(id: 1, before: 4, ifStill: read) } == "editConflict")
        #expect(
          code { try board.moveItem(id: 1, toSection: .text("C"), ifStill: read) }
            == "editConflict")
        #expect(try text(board) == "1 3 5 | 2 4 6 | ")
        let now = try board.item(at: path(0, 0))
        try board.moveItem(id: 1, toSection: .text("C"), ifStill: now)
        #expect(try text(board) == "3 5 | 2 4 6 | 1")
      }
    }

    // MARK: - Limits

    @Test func aFullColumnRefusesARow() throws {
      try withStore { store in
        let board = try board(in: store) { section, _ in
          section == .text("B") ? 3 : section == .text("C") ? 0 : nil
        }
        let recorder = ChangeRecorder<Errand.ID, Errand>()
        board.delegate = recorder
        board.load()
        recorder.reset()
        #expect(code { try board.moveItem(from: path(0, 0), to: path(1, 0)) } == "sectionFull")
        #expect(code { try board.moveItem(from: path(0, 0), to: path(2, 0)) } == "sectionFull")
        #expect(code { try board.moveItem(id: 1, behind: 6) } == "sectionFull")
        let new = Errand(id: 7, list: "", position: 0, text: "new")
        #expect(code { try board.insertItem(new, at: path(1, 1)) } == "sectionFull")
        let other = Errand(id: 1, list: "B", position: 99, text: "t1")
        #expect(code { try board.replaceItem(id: 1, with: other) } == "sectionFull")
        #expect(recorder.changesets.isEmpty)
        // Inside of it, and out of it.
        try board.moveItem(from: path(1, 0), to: path(1, 2))
        try board.replaceItem(
          id: 4, with: Errand(id: 4, list: "B", position: 5_000, text: "in its place"))
        try board.moveItem(id: 6, before: 1)
        try board.moveItem(id: 3, behind: 2)
        #expect(try text(board) == "6 1 5 | 2 3 4 | ")
        try recorder.check(against: board)
      }
    }

    /// Another process fills the column between the look and the drop.
    @Test func theRowsOfOthersCount() throws {
      let folder = try TemporaryFolder()
      let file = folder.file("board.sqlite")
      let store = try Store.open(at: file, migrations: Self.migrations)
      try store.write { tx in
        for id in 1...4 {
          try tx.insert(
            Errand(id: Int64(id), list: id > 3 ? "B" : "A", position: id, text: ""))
        }
      }
      let cards = try store.results(
        of: FetchRequest<Errand>().sectioned(by: \.list).reorderable(by: \.position),
        sectionLimit: { section, _ in section == .text("B") ? 2 : nil })
      try cards.load()
      let other = try Store.open(at: file, migrations: Self.migrations)
      try other.write { try $0.execute("UPDATE errand SET list = 'B' WHERE id = 3") }
      #expect(code { try cards.move(id: 1, behind: 4) } == "sectionFull")
      #expect(try store.read { try $0.fetchOne(Errand.self, key: 1) }?.list == "A")
      try other.write { try $0.execute("DELETE FROM errand WHERE id = 3") }
      try cards.move(id: 1, behind: 4)
      #expect(try text(cards) == "2 | 4 1")
      try other.close()
      try store.close()
    }

    // MARK: - At random

    @Test(arguments: SeededRandom.batches(debug: 20, release: 200, of: 5))
    func randomDragsShowWhatTheModelSays(_ seeds: Range<UInt64>) throws {
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        try withStore(columns: ["D", "A", "C", "B"].shuffled(using: &random)) { store in
          let board = try board(in: store)
          let searched = board.filter(keepsEmptySections: true) { $0.id % 3 != 0 }
          let recorder = ChangeRecorder<Errand.ID, Errand>()
          let searchedRecorder = ChangeRecorder<Errand.ID, Errand>()
          board.delegate = recorder
          searched.delegate = searchedRecorder
          board.load()
          searched.load()
          var model = try board.snapshot.materialized().sections.map { $0.rows.map(\.id) }
          for round in 0..<25 {
            let section = number(model.count)
            guard !model[section].isEmpty else { continue }
            let item = number(model[section].count)
            let (id, goal) = (model[section][item], number(model.count))
            let room = model[goal].count - (goal == section ? 1 : 0)
            let place = number(room + 1)
            model[section].remove(at: item)
            switch number(3) {
            case 0 where place < room:
              try board.moveItem(id: id, before: model[goal][place])
            case 1 where place > 0:
              try board.moveItem(id: id, behind: model[goal][place - 1])
            default:
              try board.moveItem(from: path(section, item), to: path(goal, place))
            }
            model[goal].insert(id, at: place)
            let shown = try board.snapshot.materialized().sections.map { $0.rows.map(\.id) }
            #expect(shown == model, "seed \(seed), round \(round)")
            #expect(searched.numberOfSections == 4, "seed \(seed), round \(round)")
            #expect(throws: Never.self, "seed \(seed), round \(round)") {
              try recorder.check(against: board)
              try searchedRecorder.check(against: searched)
            }
          }
          let fresh = try self.board(in: store).filter(keepsEmptySections: true) { $0.id % 3 != 0 }
          fresh.load()
          #expect(
            try searched.snapshot.materialized().sections
              == fresh.snapshot.materialized().sections, "seed \(seed)")
        }
      }
    }
  }
#endif
