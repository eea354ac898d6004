#if HTTP && Server
  import Hummingbird
  import Logging

  /// A service on this machine that sends headlines in pages of three.
  struct HeadlineService {
    private let addresses: AsyncStream<String>
    private let running: Task<Void, any Error>

    /// Starts the service.
    init() {
      let router = Router()
      router.get("headlines") { request, _ -> [Headline] in
        let page = request.uri.queryParameters.get("page", as: Int.self) ?? 1
        let ids = (page - 1) * 3 + 1...page * 3
        return page > 2 ? [] : ids.map { Headline(id: $0, title: "Headline \($0)") }
      }
      let (addresses, continuation) = AsyncStream<String>.makeStream()
      let server = Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: {
          continuation.yield("http://127.0.0.1:\($0.localAddress?.port ?? 0)/headlines")
        },
        logger: Logger(label: "headlines") { _ in SwiftLogNoOpLogHandler() })
      self.addresses = addresses
      running = Task {
        defer { continuation.finish() }
        try await server.run()
      }
    }

    /// Returns the service's address once it answers.
    func address() async throws -> String {
      for await address in addresses { return address }
      try await running.value
      throw CancellationError()
    }

    func stop() { running.cancel() }
  }
#endif
