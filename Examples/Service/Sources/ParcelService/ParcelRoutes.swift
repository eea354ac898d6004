internal import HTTPTypes
internal import Hummingbird
internal import Sectile
internal import SectileFeed
internal import SectileService

/// What the service answers.
struct ParcelRoutes: Sendable {
  let store: Store
  let parcels: SectionedResults<Parcel>
  let feed: Feed<SectionedResults<Parcel>, Void>
  let heartbeat: Duration
  private let streams = StreamCount()

  init(
    store: Store, parcels: SectionedResults<Parcel>, feed: Feed<SectionedResults<Parcel>, Void>,
    heartbeat: Duration
  ) {
    self.store = store
    self.parcels = parcels
    self.feed = feed
    self.heartbeat = heartbeat
  }

  func router() -> Router<ParcelContext> {
    let router = Router(context: ParcelContext.self)
    router.add(middleware: ErrorAnswers())
    router.get("health") { _, _ in try await health() }
    router.get("metrics") { _, _ in metrics() }
    let group = router.group("parcels")
    group.get { _, _ in try await contents() }
    group.get("events") { request, context in try await events(request, context) }
    group.put(":id") { request, context in try await put(request, context) }
    group.delete(":id") { _, context in try await delete(context) }
    return router
  }

  // MARK: - Reading

  /// Whether the store is as it should be; a service whose store has failed should get no requests.
  private func health() async throws -> Response {
    let health = await store.health()
    return .json(
      try ExactJSON.encode(health), status: HTTPResponse.Status(code: health.suggestedStatus))
  }

  private func metrics() -> Response {
    let text = MetricsText.of(
      store.statistics, openStreams: streams.now, keptFeedBytes: feed.keptBytes)
    return Response(
      status: .ok, headers: [.contentType: MetricsText.contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private func contents() async throws -> Response {
    .json(try ExactJSON.encode(try await parcels.contents()))
  }

  private func events(_ request: Request, _ context: ParcelContext) async throws -> Response {
    let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    let events = try await feed.events(after: ServerSentEvents.position(last))
    let stream = EventStream(
      events: events, heartbeat: heartbeat, channel: context.channel, streams: streams)
    return stream.response(to: request)
  }

  // MARK: - Writing

  private func put(_ request: Request, _ context: ParcelContext) async throws -> Response {
    let id = try id(in: context)
    guard let input = try? await request.decode(as: ParcelInput.self, context: context) else {
      throw Refusal.unreadable
    }
    let parcel = try input.parcel(id: id)
    try await store.write(tracing: "put parcel") { try $0.save(parcel) }
    return Response(status: .noContent)
  }

  private func delete(_ context: ParcelContext) async throws -> Response {
    let id = try id(in: context)
    let wasThere = try await store.write(tracing: "delete parcel") {
      try $0.delete(Parcel.self, key: id)
    }
    guard wasThere else { throw Refusal.noParcel }
    return Response(status: .noContent)
  }

  private func id(in context: ParcelContext) throws -> Int64 {
    guard let id = context.parameters.get("id", as: Int64.self) else { throw Refusal.noNumber }
    return id
  }
}

extension Response {
  /// Creates an answer of JSON, which nobody keeps.
  static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
