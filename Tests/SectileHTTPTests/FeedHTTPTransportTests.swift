#if HTTP
  import SectileFeedClient
  import SectileHTTP
  import SectileRemote
  import Synchronization
  import Testing

  @Suite(.timeLimit(.minutes(60))) struct FeedHTTPTransportTests {
    /// What a stream handed over.
    private final class Parts: Sendable {
      private let all = Mutex<[FeedStreamPart]>([])

      func append(_ part: FeedStreamPart) { all.withLock { $0.append(part) } }

      var heads: [FeedStreamHead] {
        all.withLock { $0 }.compactMap { if case .head(let head) = $0 { head } else { nil } }
      }

      var text: String {
        let bytes = all.withLock { $0 }.flatMap { part -> [UInt8] in
          if case .bytes(let bytes) = part { bytes } else { [] }
        }
        return String(decoding: bytes, as: UTF8.self)
      }
    }

    @Test func streamIsHandedOverToItsEnd() async throws {
      try await MisbehavingServer.run({ exchange in
        exchange.begin(200, ["Content-Type": "text/event-stream"])
        exchange.send("data: 1\n")
        exchange.send("\n")
        exchange.end()
      }) { server in
        let transport = try FeedHTTPTransport(
          serviceURL: server.origin + "/events", headers: ["Authorization": "Bearer b2Zm"])
        let parts = Parts()
        try await transport.stream(after: "AQx_-") { parts.append($0) }
        #expect(parts.heads == [FeedStreamHead()])
        #expect(parts.text == "data: 1\n\n")
        #expect(server.values(of: "Last-Event-ID") == ["AQx_-"])
        #expect(server.values(of: "Accept") == ["text/event-stream"])
        #expect(server.values(of: "Accept-Encoding") == ["identity"])
        #expect(server.values(of: "Authorization") == ["Bearer b2Zm"])
      }
    }

    @Test func statusIsNoError() async throws {
      try await MisbehavingServer.run({
        $0.answer("busy", status: 503, ["Content-Type": "text/plain", "Retry-After": "7"])
      }) { server in
        let transport = try FeedHTTPTransport(serviceURL: server.origin)
        let parts = Parts()
        try await transport.stream(after: "") { parts.append($0) }
        #expect(
          parts.heads == [
            FeedStreamHead(status: 503, contentType: "text/plain", retryAfter: .seconds(7))
          ])
        #expect(server.values(of: "Last-Event-ID") == [nil])
      }
    }

    @Test func connectionThatBreaksIsAnError() async throws {
      try await MisbehavingServer.run({ exchange in
        exchange.begin(200, ["Content-Type": "text/event-stream"])
        exchange.hangUp()
      }) { server in
        let transport = try FeedHTTPTransport(serviceURL: server.origin)
        let error = await #expect(throws: RemoteError.self) {
          try await transport.stream(after: "") { _ in }
        }
        #expect(error?.code == .connectionFailed)
      }
    }
  }
#endif
