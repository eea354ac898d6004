#if HTTP
  import SectileCore
  import SectileRemote
  import SectileHTTP
  import SectileTestSupport
  import Synchronization
  import Testing

  /// Sources over a real HTTP server.
  @Suite(.timeLimit(.minutes(60))) struct HTTPPagingTests {
    typealias Exchange = MisbehavingServer.Exchange
    typealias Recorder = ChangeRecorder<Int, Station>

    /// Answers with a page of ten stations, by the parameters `page`, `offset` or `cursor`.
    @Sendable static func tenStations(_ exchange: Exchange) {
      let query = exchange.query
      let start =
        query["page"].flatMap { Int($0) }.map { ($0 - 1) * 4 }
        ?? query["offset"].flatMap { Int($0) } ?? query["cursor"].flatMap { Int($0) } ?? 0
      let ids = min(start, 10)..<min(start + 4, 10)
      if exchange.head.uri.hasPrefix("/cursor") {
        let next = ids.upperBound < 10 ? ",\"next\":\"\(ids.upperBound)\"" : ""
        return exchange.answer("{\"stations\":\(json(ids))\(next)}")
      }
      var headers: HeaderFields = ["X-Total-Count": "10"]
      if exchange.head.uri.hasPrefix("/link"), ids.upperBound < 10 {
        headers["Link"] = "<?offset=\(ids.upperBound)>; rel=\"next\", </link>; rel=first"
      }
      exchange.answer(json(ids), headers)
    }

    /// Fetches everything, and returns what a reader sees then.
    static func crawl<Page>(_ source: PaginatedDataSource<Station, Page>) async throws -> [Int] {
      let recorder = Recorder()
      source.delegate = recorder
      repeat { try await source.fetchMore() } while source.hasMore
      try recorder.check(against: source)
      let snapshot = source.snapshot
      return (0..<snapshot.numberOfItems).map { snapshot.id(at: snapshot.path(atRank: $0)) }
    }

    static let styles: [(String, PageStyle, JSONPageParser<Station>, Int)] = [
      ("/number", .number(), .init(), 4), ("/number", .number(size: 4), .init(), 3),
      ("/offset", .offset(size: 4), .init(), 3), ("/link", .link(), .init(), 3),
      ("/cursor", .cursor(), .init(items: ["stations"], nextCursor: ["next"]), 3),
    ]

    @Test(arguments: 0..<5)
    func everyStyleCrawlsTheWholeList(_ number: Int) async throws {
      let (path, style, parser, requests) = Self.styles[number]
      try await MisbehavingServer.run(Self.tenStations) { server in
        let source = PaginatedDataSource(
          name: "stations", loader: try server.service(path, style: style, parser: parser))
        #expect(try await Self.crawl(source) == Array(0..<10))
        // A total ends the list at once; without a size the page behind the end says so.
        #expect(server.log.count <= requests)
      }
    }

    @Test func sourceKeepsThePromisesOfDataSource() async throws {
      try await MisbehavingServer.run(Self.tenStations) { server in
        let service = try server.service("/number", style: .number(size: 4))
        #expect(await checkDataSource(PaginatedDataSource(name: "paged", loader: service)) == [])
        let whole = RemoteDataSource(name: "whole", operation: service.fetchItems)
        #expect(await checkDataSource(whole) == [])
        let pages = try #require(service.randomAccess)
        #expect(await checkDataSource(PlaceholderDataSource(name: "all", loader: pages)) == [])
      }
    }

    @Test func busyServiceIsAskedAgainWhenItSays() async throws {
      let calls = Mutex(0)
      try await MisbehavingServer.run({ exchange in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        switch call {
        case 1: exchange.answer("slow down", status: 429, ["Retry-After": "7"])
        case 2: exchange.hangUp()
        case 3: exchange.answer("oops", status: 503)
        default: exchange.answer(json(1...3))
        }
      }) { server in
        let clock = ImpatientClock()
        let source = RemoteDataSource(
          name: "stations",
          configuration: RemoteConfiguration(
            requestTimeout: nil, loadTimeout: nil, clock: clock, jitterSeed: 1),
          operation: try server.service("/").fetchItems)
        try await source.refresh()
        #expect(source.numberOfItems == 3)
        #expect(server.log.count == 4)
        #expect(clock.waits.count == 3)
        #expect((clock.waits.first ?? .zero) >= .seconds(7))
      }
    }

    @Test(arguments: [
      ("<html>", 200, RemoteError.Code.malformedBody), ("[{\"id\":", 200, .malformedBody),
      ("{}", 200, .unexpectedShape), ("[{\"id\":\"x\"}]", 200, .unexpectedShape),
      ("gone", 410, .wrongStatus), ("", 204, .malformedBody),
      (String(repeating: " ", count: 10_001), 200, .bodyTooLarge),
    ])
    func wrongAnswerIsDeliveredAndKeepsWhatIsThere(
      _ body: String, _ status: Int, _ code: RemoteError.Code
    ) async throws {
      let isBroken = Atomic(false)
      try await MisbehavingServer.run({ exchange in
        if isBroken.load(ordering: .relaxed) { return exchange.answer(body, status: status) }
        exchange.answer(json(1...3))
      }) { server in
        let source = RemoteDataSource(
          name: "stations", configuration: .impatient, operation: try server.service("/").fetchItems
        )
        let recorder = Recorder()
        source.delegate = recorder
        try await source.refresh()
        isBroken.store(true, ordering: .relaxed)
        let error = await #expect(throws: RemoteError.self) { try await source.refresh() }
        #expect(error?.code == code, "\(error?.message ?? "")")
        #expect(recorder.errors.count == 1)
        #expect(source.numberOfItems == 3)
        try recorder.check(against: source)
      }
    }

    @Test func listThatShrinksWhilePagingEnds() async throws {
      let pages = Mutex([json(0..<4), json(4..<8)])
      try await MisbehavingServer.run({ exchange in
        let body = pages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let body { exchange.answer(body) } else { exchange.answer("no page", status: 404) }
      }) { server in
        var service = try server.service("/", style: .number())
        service.endStatuses = [404]
        let source = PaginatedDataSource(name: "stations", loader: service)
        #expect(try await Self.crawl(source) == Array(0..<8))
        #expect(!source.hasMore)
      }
    }

    @Test func silentServiceTimesOutAndTheNextFetchGoesOn() async throws {
      let isSilent = Atomic(true)
      let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
      try await MisbehavingServer.run({ exchange in
        if exchange.query["page"] == "2", isSilent.exchange(false, ordering: .relaxed) {
          arrival.yield()
        } else {
          Self.tenStations(exchange)
        }
      }) { server in
        let clock = ManualClock()
        let source = PaginatedDataSource(
          name: "stations", loader: try server.service("/number", style: .number(size: 4)),
          configuration: RemoteConfiguration(retry: .never, clock: clock))
        try await source.refresh()
        let call = Task { try await source.fetchMore() }
        for await _ in arrived { break }
        // The timer may begin after the request arrived.
        while source.isLoading {
          clock.advance(by: .seconds(30))
          await Task.yield()
        }
        let error = await #expect(throws: RemoteError.self) { try await call.value }
        #expect(error?.code == .timedOut)
        #expect(source.numberOfItems == 4)
        #expect(try await source.fetchMore().count == 4)
      }
    }

    @Test func cancelEndsARequestUnderWay() async throws {
      let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
      try await MisbehavingServer.run({ _ in arrival.yield() }) { server in
        let source = PaginatedDataSource(
          name: "stations", loader: try server.service("/", style: .number()))
        let recorder = Recorder()
        source.delegate = recorder
        let call = Task { try await source.refresh() }
        for await _ in arrived { break }
        source.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(recorder.events.count == 1)
        #expect(!source.isLoading)
      }
    }

    @Test func linksInACircleAreNoticed() async throws {
      try await MisbehavingServer.run({ exchange in
        let next = exchange.query["p"] == "1" ? "2" : "1"
        exchange.answer(json([Int(next) ?? 0]), ["Link": "</?p=\(next)>; rel=next"])
      }) { server in
        let source = PaginatedDataSource(
          name: "stations", loader: try server.service("/", style: .link()), pagesPerLoad: .max,
          configuration: .impatient)
        let error = await #expect(throws: RemoteError.self) { try await source.refresh() }
        #expect(error?.code == .tokenLoop)
        #expect(source.numberOfItems == 2)
        #expect(server.log == ["/", "/?p=1", "/?p=2"])
      }
    }
  }
#endif
