internal import HTTPTypes
internal import Hummingbird
internal import Sectile
internal import SectileFeed
internal import SectileServer
internal import SectileService

/// What the service answers.
struct ParcelRoutes: Sendable {
  let store: Store
  let parcels: SectionedResults<Parcel>
  let feed: Feed<SectionedResults<Parcel>, Void>
  let heartbeat: Duration

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: StoreErrorAnswers())
    router.get("health") { _, _ in try await health() }
    router.get("metrics") { _, _ in metrics() }
    let group = router.group("parcels")
    group.get { _, _ in try await contents() }
    group.get("events") { request, _ in
      try await feed.response(to: request, options: .init(heartbeat: heartbeat))
    }
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
      store.statistics, streams: feed.streamStatistics, keptFeedBytes: feed.keptBytes)
    return Response(
      status: .ok, headers: [.contentType: MetricsText.contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  private func contents() async throws -> Response {
    .json(try ExactJSON.encode(try await parcels.contents()))
  }

  // MARK: - Writing

  private func put(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let id = try id(in: context)
    guard let input = try? await request.decode(as: ParcelInput.self, context: context) else {
      throw Refusal.unreadable
    }
    let parcel = try input.parcel(id: id)
    try await store.write(tracing: "put parcel") { try $0.save(parcel) }
    return Response(status: .noContent)
  }

  private func delete(_ context: BasicRequestContext) async throws -> Response {
    let id = try id(in: context)
    let wasThere = try await store.write(tracing: "delete parcel") {
      try $0.delete(Parcel.self, key: id)
    }
    guard wasThere else { throw Refusal.noParcel }
    return Response(status: .noContent)
  }

  private func id(in context: BasicRequestContext) throws -> Int64 {
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
