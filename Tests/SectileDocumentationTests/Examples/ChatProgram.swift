#if Macros
  import Sectile
  import SectileRemote
  import SectileTestSupport
  import Synchronization
  import Testing

  // example: program-chat
  @Entity
  struct Message: Equatable, Identifiable {
    var id: Int64
    var sender: String
    var text: String
  }

  final class Chat: Sendable {
    static let migrations = Migrations.inline([
      "V0001_create_message.sql":
        "CREATE TABLE message (id INTEGER PRIMARY KEY, sender TEXT NOT NULL, text TEXT NOT NULL)"
    ])
    static let pageSize = 10

    /// Returns the messages before one, a page of them at most.
    typealias Service = @Sendable (_ before: Int64) async throws -> [Message]

    let store: Store
    /// The last messages, or those around one that somebody reads.
    let shown: WindowDataSource<Int64, Message>
    private let pages: PersistentRemoteList<Message, Int64>
    private let service: Service

    init(_ store: Store, service: @escaping Service) throws {
      (self.store, self.service) = (store, service)
      let loader = PageOperation(firstPage: Int64.max) { before in
        let messages = try await service(before)
        return LoadedPage(items: messages, nextPage: messages.map(\.id).min())
      }
      pages = PersistentRemoteList(name: "chat", store: store, loader: loader)
      shown = try store.results(of: FetchRequest<Message>()).window(.last(Chat.pageSize))
      shown.load()
    }

    /// Loads the newest page; where messages are stored, all that was said since, in one step.
    func open() async throws {
      let newestFirst = FetchRequest<Message>().sort(by: \.id, .descending)
      let newest = try await store.read { try $0.fetchOne(newestFirst) }
      guard let newest else {
        try await pages.loadMore()
        return
      }
      var missed = try await service(.max)
      while let first = missed.map(\.id).min(), first > newest.id {
        let page = try await service(first)
        if page.isEmpty { break }
        missed += page
      }
      let messages = missed
      try await store.write { try $0.insert(contentsOf: messages, onConflict: .update) }
    }

    /// Takes a message that the service has pushed.
    func receive(_ message: Message) throws {
      try store.write { try $0.save(message) }
    }

    /// Shows another page of older messages; what is not stored yet is loaded.
    func showOlder() async throws {
      while shown.numberOfItemsBefore < Chat.pageSize {
        if try await pages.loadMore().isComplete { break }
      }
      shown.grow(before: Chat.pageSize)
    }

    /// Stays with a message, whatever comes behind it.
    func read(_ id: Int64) {
      shown.show(.around(id, before: Chat.pageSize, after: Chat.pageSize))
    }

    func showNewest() { shown.show(.last(Chat.pageSize)) }
  }
  // example: end

  @Suite(.timeLimit(.minutes(60))) struct ChatProgram {
    /// A service that knows the messages from 1 up to a number.
    private final class Server: Sendable {
      private struct State {
        var newest: Int64
        var requests: [Int64] = []
      }

      private let state: Mutex<State>

      init(newest: Int64) { state = Mutex(State(newest: newest)) }

      /// What was asked for since the last call.
      func takeRequests() -> [Int64] {
        state.withLock { state in
          defer { state.requests = [] }
          return state.requests
        }
      }

      func advance(to newest: Int64) { state.withLock { $0.newest = newest } }

      func messages(before id: Int64) -> [Message] {
        let newest = state.withLock { state in
          state.requests.append(id)
          return state.newest
        }
        return (1...newest).filter { $0 < id }.suffix(Chat.pageSize).map { Self.message($0) }
      }

      static func message(_ id: Int64) -> Message {
        Message(id: id, sender: "ada", text: "message \(id)")
      }
    }

    private func makeChat(_ store: Store, _ server: Server) throws -> Chat {
      try Chat(store) { before in server.messages(before: before) }
    }

    @Test func oldPagesAreLoadedAndNewMessagesArePushed() async throws {
      let server = Server(newest: 100)
      let store = try Store.inMemory(migrations: Chat.migrations)
      let chat = try makeChat(store, server)
      let recorder = try chat.shown.recorded()
      try await chat.open()
      #expect(try chat.shown.ids() == Array(91...100))
      #expect(server.takeRequests() == [.max])
      _ = try recorder.news()

      // A new message pushes the first one out.
      try chat.receive(Server.message(101))
      #expect(try recorder.news() == ["R- [0,0] #91\nR+ [0,9] #101"])
      // Of older ones a page is loaded, since only one is stored that is not shown.
      try await chat.showOlder()
      #expect(try chat.shown.ids() == Array(82...101))
      #expect(server.takeRequests() == [91])

      // While somebody reads an old message, new ones change nothing of what is shown.
      chat.read(85)
      #expect(try chat.shown.ids() == Array(81...95))
      #expect(chat.shown.numberOfItemsAfter == 6)
      _ = try recorder.news()
      try chat.receive(Server.message(102))
      #expect(try recorder.news() == [])
      #expect(chat.shown.numberOfItemsAfter == 7)
      try await chat.showOlder()
      #expect(try chat.shown.ids() == Array(65...95))
      #expect(server.takeRequests() == [81, 71])
      chat.showNewest()
      #expect(try chat.shown.ids() == Array(93...102))
      try recorder.check(against: chat.shown)
    }

    @Test func whatWasMissedComesInOneStep() async throws {
      let server = Server(newest: 100)
      let store = try Store.inMemory(migrations: Chat.migrations)
      try await makeChat(store, server).open()
      server.advance(to: 125)
      _ = server.takeRequests()

      let chat = try makeChat(store, server)
      #expect(try chat.shown.ids() == Array(91...100))
      let recorder = try chat.shown.recorded()
      try await chat.open()
      #expect(server.takeRequests() == [.max, 116, 106])
      #expect(try recorder.news().count == 1)
      #expect(try chat.shown.ids() == Array(116...125))
      // All of it is stored, without a gap: nothing is loaded for the first page back.
      try await chat.showOlder()
      #expect(try chat.shown.ids() == Array(106...125))
      #expect(server.takeRequests() == [])
      // Where the stored ones end, the pages go on that were loaded before.
      try await chat.showOlder()
      try await chat.showOlder()
      #expect(try chat.shown.ids() == Array(86...125))
      #expect(server.takeRequests() == [91])
      try recorder.check(against: chat.shown)
    }

    @Test func theFirstMessageEndsTheChat() async throws {
      let server = Server(newest: 12)
      let store = try Store.inMemory(migrations: Chat.migrations)
      let chat = try makeChat(store, server)
      try await chat.open()
      try await chat.showOlder()
      #expect(try chat.shown.ids() == Array(1...12))
      #expect(server.takeRequests() == [.max, 3, 1])
      try await chat.showOlder()
      #expect(server.takeRequests() == [])
    }
  }
#endif
