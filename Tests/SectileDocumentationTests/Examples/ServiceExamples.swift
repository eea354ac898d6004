#if Macros
  import Foundation
  import Sectile
  import SectileFeed
  import SectileTestHelpers
  import Synchronization
  import Testing

  /// Stands in for a connection to a client of a service.
  struct Client: Sendable {
    private let stream = AsyncStream.makeStream(of: Data.self)

    var messages: AsyncStream<Data> { stream.stream }

    func send(_ message: Data) async throws { stream.continuation.yield(message) }
  }

  /// What a service answers a request with.
  enum Answer: Equatable {
    case found(Data)
    case notFound
  }

  @Suite(.timeLimit(.minutes(60))) struct ServiceExamples: ExampleSuite {
    let transcript = Transcript()

    @Test func aServiceOpensAndCloses() async throws {
      let folder = try TemporaryFolder()
      let path = folder.file("packages.sqlite")
      let migrations = Package.migrations
      // example: service-open
      var configuration = StoreConfiguration()
      configuration.onEvent = { event in print(event) }  // for your log; on a thread of its own
      let store = try await Store.open(
        at: path, configuration: configuration, migrations: migrations)
      let results = try store.results(
        of: FetchRequest<Package>().sectioned(by: \.section).sort(by: \.name))
      try await results.load()
      // example: end
      try await store.write { try $0.insert(Package(id: 1, name: "sed", section: "editors")) }
      #expect(results.numberOfItems == 1)
      // example: service-close
      try await store.close()
      if let outcome = store.closeOutcome, !outcome.isComplete { print(outcome) }
      // example: end
      #expect(store.closeOutcome?.isComplete == true)
    }

    @Test func aRequestReadsOneVersion() async throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try await results.load()
      // example: service-request
      func list() async throws -> Data {
        try await JSONEncoder().encode(results.contents())
      }

      func package(at path: ItemPath) async throws -> Answer {
        do {
          return .found(try JSONEncoder().encode(await results.item(at: path)))
        } catch let error as DataSourceError where error.code == .noSuchPath {
          return .notFound  // the client named a row that is gone, or never was
        }
      }
      // example: end
      let contents = try JSONDecoder().decode(
        SectionedContents<Int64, Package>.self, from: try await list())
      #expect(contents == (try await results.contents()))
      #expect(try await package(at: ItemPath(section: 9, item: 9)) == .notFound)
      #expect(try await package(at: ItemPath(section: 0, item: 0)) != .notFound)
    }

    @Test func errorsSayWhatToDo() async throws {
      let store = try Package.smallStore()
      // example: service-errors
      do {
        try await store.write { tx in
          try tx.insert(Package(id: 1, name: "sed", section: "editors"))
        }
      } catch let error as any SectileError {
        print("\(error.code): \(error.message)")
        // uniqueConstraint: UNIQUE constraint failed: package.id
        if let hint = error.hint { print("Hint: \(hint)") }
      }
      // example: end
      #expect(
        transcript.lines.first == "uniqueConstraint: UNIQUE constraint failed: package.id")
    }

    @Test func errorsHaveAStatus() async throws {
      let store = try Package.smallStore()
      // example: service-status
      func answer(to error: StoreError) -> (status: Int, retryAfter: Int64?) {
        (error.code.suggestedStatus, error.code.suggestedRetryDelay?.components.seconds)
      }
      // example: end
      do {
        try await store.write { try $0.insert(Package(id: 1, name: "sed", section: "editors")) }
      } catch let error as StoreError {
        #expect(answer(to: error).status == 409)
        #expect(answer(to: error).retryAfter == nil)
      }
      #expect(answer(to: StoreError(.busy, message: "a lock")).retryAfter == 1)
    }

    @Test func aStoreSaysHowItIs() async throws {
      let store = try Package.smallStore()
      // example: service-health
      func healthRoute() async throws -> (status: Int, body: Data) {
        let health = await store.health()
        return (health.suggestedStatus, try JSONEncoder().encode(health))  // {"status":"ok"}
      }
      // example: end
      let (status, body) = try await healthRoute()
      #expect(status == 200)
      #expect(String(decoding: body, as: UTF8.self) == #"{"status":"ok"}"#)
      try await store.close()
      #expect(try await healthRoute().status == 503)
    }

    @Test func eachValueHasAFeed() async throws {
      let store = try Package.smallStore()
      // example: service-feeds
      let sections = try store.family(of: FetchRequest<Package>().sort(by: \.name), by: \.section)
      let feeds = FeedFamily<String, SectionedResults<Package>, Void> { section in
        let results = try sections.results(for: section)
        try await results.load()
        return .init(of: results)
      }
      let events = try await feeds.events(of: "shells")
      // example: end
      var iterator = events.makeAsyncIterator()
      #expect(await iterator.next()?.kind == .reset)
      #expect(feeds.values == ["shells"])
      feeds.finish()
    }

    @Test func aClientFollows() async throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try await results.load()
      // example: service-follow
      func serve(_ client: Client) async throws {
        let (contents, changesets) = try await results.followContents()
        try await client.send(JSONEncoder().encode(contents))
        for await changes in changesets {
          try await client.send(JSONEncoder().encode(changes))
        }
      }
      // example: end
      let client = Client()
      async let served: Void = serve(client)
      var shown: SectionedContents<Int64, Package>?
      for await message in client.messages {
        // example: service-client
        if var contents = shown {
          let decoder = JSONDecoder()
          try contents.apply(decoder.decode(Changeset<Int64, Package>.self, from: message))
          shown = contents
        } else {
          shown = try JSONDecoder().decode(SectionedContents.self, from: message)
        }
        // example: end
        if shown?.count == 3 {
          try await store.write { try $0.insert(Package(id: 4, name: "awk", section: "utils")) }
        } else {
          break
        }
      }
      #expect(shown == (try await results.contents()))
      try await store.close()
      try await served
    }

    @Test func aFeedTellsManyClients() async throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try await results.load()
      // example: service-feed
      let feed = Feed<_, Void>(of: results)  // one for all clients

      func stream(to client: Client, after lastEventID: String?) async throws {
        let answer = try await feed.response(lastEventID: lastEventID)
        try await answer.write { try await client.send(Data($0)) }
      }
      // example: end
      let client = Client()
      async let streamed: Void = stream(to: client, after: nil)
      var messages = client.messages.makeAsyncIterator()
      let first = try #require(await messages.next())
      #expect(String(decoding: first, as: UTF8.self).contains("event: stream\n"))
      try await store.close()
      try await streamed
    }

    @Test func anActorIsTold() async throws {
      let store = try Package.smallStore()
      let results = try store.results(of: Package.bySection)
      try await results.load()
      // example: service-actor
      actor Dashboard {
        private(set) var changeCount = 0

        func told(of changes: Changeset<Int64, Package>) { changeCount += 1 }
      }

      let dashboard = Dashboard()
      let observation = results.observe(on: dashboard) { dashboard, event in
        if case .didPartiallyLoad(let changes) = event { dashboard.told(of: changes) }
      }
      // example: end
      try await store.write { try $0.insert(Package(id: 4, name: "awk", section: "utils")) }
      while await dashboard.changeCount == 0 { await Task.yield() }
      observation.cancel()
      #expect(await dashboard.changeCount == 1)
    }
  }
#endif
