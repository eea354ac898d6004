#if Macros
  import Sectile
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  // example: program-board
  @Entity
  struct Lane: Equatable, Identifiable {
    var id: Int64
    var name: String
    var place: Int
    var ticketLimit: Int?
  }

  @Entity
  struct Ticket: Equatable, Identifiable {
    var id: Int64
    var laneId: Int64
    var position: Int
    var title: String
  }

  final class Board: Sendable {
    static let migrations = Migrations.inline([
      "V0001_create_board.sql": """
      CREATE TABLE lane (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER NOT NULL, ticket_limit INTEGER);
      CREATE TABLE ticket (
        id INTEGER PRIMARY KEY, lane_id INTEGER NOT NULL REFERENCES lane,
        position INTEGER NOT NULL, title TEXT NOT NULL, UNIQUE (lane_id, position));
      """
    ])

    let store: Store
    /// A section for each lane, with its tickets, also where it has none.
    let list: ComposedDataSource<Int64, Ticket>

    init(_ store: Store) throws {
      let tickets = try store.results(
        of: FetchRequest<Ticket>().sectioned(by: \.laneId).reorderable(by: \.position),
        sectionLimit: { lane, transaction in
          guard case .integer(let id) = lane else { return nil }
          return try transaction.fetchOne(Lane.self, key: id)?.ticketLimit
        })
      let lanes = try store.results(of: FetchRequest<Lane>().sort(by: \.place))
      self.store = store
      list = tickets.sectioned(
        by: { SourceSection(identity: .integer($0.id), title: $0.name) }, of: lanes)
      list.load()
    }

    func ticket(_ id: Int64) throws -> Ticket? {
      let shown = list.snapshot
      return try shown.path(of: id).map { try shown.item(at: $0) }
    }

    /// Adds a ticket at the end of its lane.
    func add(_ ticket: Ticket) throws {
      try list.insertItem(ticket, toSection: .integer(ticket.laneId))
    }

    /// Moves a ticket to the end of a lane, if it is still as it was shown.
    @discardableResult
    func drag(_ ticket: Ticket, toLane lane: Int64) throws -> [Store.Undo] {
      try list.undoably {
        try $0.moveItem(id: ticket.id, toSection: .integer(lane), ifStill: ticket)
      }
    }

    /// Moves a ticket in front of another one, if it is still as it was shown.
    @discardableResult
    func drag(_ ticket: Ticket, before other: Int64) throws -> [Store.Undo] {
      try list.undoably {
        try $0.moveItem(id: ticket.id, before: other, ifStill: ticket)
      }
    }

    func undo(_ undos: [Store.Undo]) throws { try store.undo(undos) }

    /// The lanes, with the tickets that have a text in their titles.
    func tickets(with text: String) -> ComposedDataSource<Int64, Ticket> {
      list.filter(keepsEmptySections: true) { $0.title.contains(text) }
    }
  }
  // example: end

  @Suite(.timeLimit(.minutes(60))) struct BoardProgram {
    /// Opens a file of a board as a process of its own does; it looks for changes when told to.
    private func open(_ path: String) throws -> Store {
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = nil
      return try Store.open(
        at: path, configuration: configuration, migrations: Board.migrations)
    }

    /// Creates a file with three lanes, of which the second has two places, and four tickets.
    private func create(_ path: String) throws -> (store: Store, board: Board) {
      let store = try open(path)
      try store.write { transaction in
        try transaction.insert(contentsOf: [
          Lane(id: 1, name: "To do", place: 1, ticketLimit: nil),
          Lane(id: 2, name: "Doing", place: 2, ticketLimit: 2),
          Lane(id: 3, name: "Done", place: 3, ticketLimit: nil),
        ])
      }
      let board = try Board(store)
      for (id, title) in ["buy paint", "paint", "ask Ada", "measure"].enumerated() {
        try board.add(Ticket(id: Int64(id + 1), laneId: 1, position: 0, title: title))
      }
      return (store, board)
    }

    @Test func ticketsAreDraggedAndPutBack() throws {
      let folder = try TemporaryFolder()
      let (store, board) = try create(folder.file("board.sqlite"))
      #expect(try board.list.drawing() == ["To do: 1 2 3 4", "Doing:", "Done:"])
      let recorder = try board.list.recorded()
      let first = try #require(try board.ticket(1))
      let undos = try board.drag(first, toLane: 2)
      #expect(try recorder.news() == ["R> [0,0]→[1,0] #1*"])
      try board.undo(undos)
      #expect(try recorder.news() == ["R> [1,0]→[0,0] #1*"])
      let last = try #require(try board.ticket(4))
      try board.drag(last, before: 2)
      #expect(try board.list.drawing() == ["To do: 1 4 2 3", "Doing:", "Done:"])

      // A search keeps lanes without tickets, and tickets are dragged there, too.
      let found = board.tickets(with: "paint")
      found.load()
      #expect(try found.drawing() == ["To do: 1 2", "Doing:", "Done:"])
      try found.moveItem(id: 2, toSection: .integer(3))
      #expect(try found.drawing() == ["To do: 1", "Doing:", "Done: 2"])

      // Lanes come and are renamed with their rows.
      try store.write { transaction in
        try transaction.insert(Lane(id: 4, name: "Ideas", place: 0, ticketLimit: 0))
        try transaction.update(Lane(id: 1, name: "Soon", place: 1, ticketLimit: nil))
      }
      #expect(try board.list.drawing() == ["Ideas:", "Soon: 1 4 3", "Doing:", "Done: 2"])
      let stays = try #require(try board.ticket(3))
      #expect(errorCode { try board.drag(stays, toLane: 4) } == "sectionFull")
      let fifth = Ticket(id: 5, laneId: 4, position: 0, title: "hang")
      #expect(errorCode { try board.add(fifth) } == "sectionFull")
      let nowhere = Ticket(id: 5, laneId: 9, position: 0, title: "hang")
      #expect(errorCode { try board.add(nowhere) } == "noSuchSection")
      try recorder.check(against: board.list)
      try store.close()
    }

    /// Tickets that got new positions because others were dragged between them are what they were.
    @Test func ticketsBesideADragAreDraggedAsTheyWereShown() throws {
      let folder = try TemporaryFolder()
      let (store, board) = try create(folder.file("board.sqlite"))
      let recorder = try board.list.recorded()
      let second = try #require(try board.ticket(2))
      // Halves the gap before the second ticket until there is none.
      for number in 0..<24 {
        let id: Int64 = number % 2 == 0 ? 3 : 4
        try board.drag(try #require(try board.ticket(id)), before: 2)
      }
      #expect(try board.list.drawing() == ["To do: 1 3 4 2", "Doing:", "Done:"])
      #expect(try board.ticket(2) != second)
      try board.drag(second, toLane: 3)
      #expect(try board.list.drawing() == ["To do: 1 3 4", "Doing:", "Done: 2"])
      try recorder.check(against: board.list)
      try store.close()
    }

    @Test func anotherProcessMovesTheSameTicket() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("board.sqlite")
      let (store, board) = try create(path)
      let otherStore = try open(path)
      let other = try Board(otherStore)
      let recorder = try board.list.recorded()

      // Both show the first ticket in the first lane. The other one is quicker.
      let seen = try #require(try board.ticket(1))
      try other.drag(try #require(try other.ticket(1)), toLane: 2)
      #expect(errorCode { try board.drag(seen, toLane: 3) } == "editConflict")
      try store.checkForExternalChanges()
      #expect(try board.list.drawing() == ["To do: 2 3 4", "Doing: 1", "Done:"])
      #expect(try recorder.news() == ["R> [0,0]→[1,0] #1*"])

      // The other one takes the last place of the second lane.
      let third = try #require(try board.ticket(3))
      try other.drag(try #require(try other.ticket(2)), toLane: 2)
      #expect(errorCode { try board.drag(third, toLane: 2) } == "sectionFull")
      try store.checkForExternalChanges()
      #expect(try board.list.drawing() == ["To do: 3 4", "Doing: 1 2", "Done:"])

      // It makes room for one more.
      try otherStore.write {
        try $0.update(Lane(id: 2, name: "Doing", place: 2, ticketLimit: 3))
      }
      try board.drag(third, toLane: 2)
      #expect(try board.list.drawing() == ["To do: 4", "Doing: 1 2 3", "Done:"])
      try recorder.check(against: board.list)
      try otherStore.checkForExternalChanges()
      #expect(try other.list.drawing() == ["To do: 4", "Doing: 1 2 3", "Done:"])
      try otherStore.close()
      try store.close()
    }
  }
#endif
