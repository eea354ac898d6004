internal import HTTPTypes
internal import Hummingbird
internal import Sectile
internal import SectileFeed
internal import SectileServer

/// What the service answers.
///
/// Whoever reaches the service may ask: put a middleware in front of `lists` and `live` that knows
/// who may see what.
struct ServiceRoutes: Sendable {
  let store: Store
  let lists: [ServedList]
  let live: LiveRoutes

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: StoreErrorAnswers())
    PageFiles.add(to: router)
    router.get("health") { _, _ in try await health() }
    let group = router.group("lists")
    group.get { _, _ in Response.json(try ExactJSON.encode(lists.map(\.name))) }
    for list in lists {
      let routes = group.group(RouterPath(list.name))
      routes.get { _, _ in Response.json(try await list.contents()) }
      routes.get("events") { request, _ in try await list.events(request) }
    }
    live.add(to: router.group("live"))
    return router
  }

  /// Whether the store is as it should be; a service whose store has failed should get no requests.
  private func health() async throws -> Response {
    let health = await store.health()
    return .json(
      try ExactJSON.encode(health), status: HTTPResponse.Status(code: health.suggestedStatus))
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
