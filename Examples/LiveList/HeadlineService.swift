#if HTTP
  import FlyingFox
  import Foundation

  /// A service on this machine that sends headlines in pages of three.
  struct HeadlineService {
    private let server: HTTPServer

    init() throws {
      server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    }

    /// Starts the service, and returns its address once it answers.
    func start() async throws -> String {
      await server.appendRoute("GET /headlines") { request in
        let page = request.query.first { $0.name == "page" }.flatMap { Int($0.value) } ?? 1
        let ids = (page - 1) * 3 + 1...page * 3
        let headlines = page > 2 ? [] : ids.map { Headline(id: $0, title: "Headline \($0)") }
        return HTTPResponse(
          statusCode: .ok, headers: [.contentType: "application/json"],
          body: try JSONEncoder().encode(headlines))
      }
      let server = server
      Task { try await server.run() }
      try await server.waitUntilListening()
      guard case .ip4(_, let port) = await server.listeningAddress else { throw NotListening() }
      return "http://127.0.0.1:\(port)/headlines"
    }

    func stop() async { await server.stop() }
  }

  /// The service could not be started.
  struct NotListening: Error {}
#endif
