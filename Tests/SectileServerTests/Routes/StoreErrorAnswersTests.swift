#if Server
  import Foundation
  import Hummingbird
  import Logging
  import Sectile
  import SectileServer
  import ServiceLifecycle
  import Testing

  /// Errors of a store as a service answers them.
  @Suite(.timeLimit(.minutes(60))) struct StoreErrorAnswersTests {
    private struct NotOurs: Error {}

    /// A route's own error, in the manner of the library's, that answers by itself.
    private struct Closed: SectileError, HTTPResponseError {
      let code = "closed"
      let message = "The counter is closed."
      let hint: String? = nil
      var description: String { message }
      var status: HTTPResponse.Status { .gone }

      func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(status: status)
      }
    }

    /// Returns what a route answers that throws an error.
    private func ask(
      _ error: any Error, showingDetails: Bool = false
    ) async throws -> HTTPAnswer {
      let router = Router()
      router.add(middleware: StoreErrorAnswers(showingDetails: showingDetails))
      router.get("it") { _, _ -> String in throw error }
      let (ports, continuation) = AsyncStream<Int>.makeStream()
      let application = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let services = ServiceGroup(
        services: [application], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let running = Task { try await services.run() }
      var port = 0
      for await first in ports {
        port = first
        break
      }
      let answer = try await RawConnection.with(port: port) { connection in
        try await connection.write(Array("GET /it HTTP/1.1\r\nHost: service.example\r\n\r\n".utf8))
        return try await connection.answer()
      }
      await services.triggerGracefulShutdown()
      try await running.value
      return answer
    }

    @Test func conflictSaysNoNamesToStrangers() async throws {
      let error = StoreError(
        .uniqueConstraint, message: "/data/tenants.sqlite: UNIQUE constraint failed: parcel.id",
        hint: "Another row of parcel has this value.")
      let answer = try await ask(error)
      #expect(answer.status == 409)
      #expect(answer.code == "uniqueConstraint")
      #expect(try answer.object()["message"] as? String == "It contradicts what is stored.")
      #expect(try answer.object()["hint"] as? String == "Read again, and decide anew.")
      #expect(!answer.text.contains("parcel"))
      #expect(answer.headers["retry-after"] == nil)
      #expect(answer.headers["content-type"] == ["application/json"])
      #expect(answer.headers["cache-control"] == ["no-store"])
    }

    @Test func detailsAreShownToWhomeverTheServiceTrusts() async throws {
      let error = StoreError(
        .uniqueConstraint, message: "UNIQUE constraint failed: parcel.id", hint: "Another key.")
      let answer = try await ask(error, showingDetails: true)
      #expect(answer.status == 409)
      #expect(try answer.object()["message"] as? String == "UNIQUE constraint failed: parcel.id")
      #expect(try answer.object()["hint"] as? String == "Another key.")
    }

    @Test func whoeverMayComeBackIsToldWhen() async throws {
      let busy = try await ask(StoreError(.busy, message: "a lock"))
      #expect(busy.status == 503)
      #expect(busy.headers["retry-after"] == ["1"])
      let full = try await ask(StoreError(.diskFull, message: "full"))
      #expect(full.status == 503)
      #expect(full.headers["retry-after"] == ["30"])
    }

    @Test func otherErrorsGoOn() async throws {
      #expect(try await ask(HTTPError(.gone)).status == 410)
      #expect(try await ask(Closed()).status == 410)
      let unknown = try await ask(NotOurs())
      #expect(unknown.status == 500)
      #expect(unknown.code == nil)
    }
  }
#endif
