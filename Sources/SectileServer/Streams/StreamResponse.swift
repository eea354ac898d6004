#if Server
  internal import AsyncAlgorithms
  internal import HTTPTypes
  internal import Hummingbird
  internal import SectileFeed
  internal import Synchronization

  /// The answer to a client that wants to be told of changes.
  struct StreamResponse: Sendable {
    let stream: EventStream
    let hasOwnView: Bool
    let streams: StreamTable

    func response(to request: Request) -> Response {
      // A response that is never written leaves no stream behind.
      let lease = StreamLease(stream, streams)
      return Response(
        status: .ok,
        headers: [
          .contentType: ServerSentEvents.contentType, .cacheControl: "no-store",
          .accelBuffering: "no",
        ],
        body: ResponseBody { writer in
          defer { lease.end() }
          let output = StreamOutput(writer)
          // A client that goes away ends the task.
          try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await write(to: output)
          }
        })
    }

    private func write(to output: StreamOutput) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var writer = StreamWriter()
          try await output.write(
            writer.start(
              stream.id, hasOwnView: hasOwnView, heartbeat: streams.limits.heartbeat,
              source: streams.disclosure.source))
          for await message in stream.messages {
            let bytes = writer.bytes(of: message)
            if !bytes.isEmpty { try await output.write(bytes) }
          }
          try await output.finish()
        }
        group.addTask {
          while true {
            try await Task.sleep(for: streams.limits.heartbeat)
            await stream.messages.send(.heartbeat)
          }
        }
        group.addTask {
          // A stream that says nothing has no timer.
          for await _ in output.beginnings {
            while output.isWriting {
              try await Task.sleep(for: .milliseconds(100))
              let limit = stream.isEnded ? streams.limits.farewell : streams.limits.writeTime
              // The client does not read; it may come back with its position.
              if output.hasWaited(for: limit) { throw CancellationError() }
            }
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }

  extension HTTPField.Name {
    /// What tells proxies not to keep events back.
    fileprivate static let accelBuffering = HTTPField.Name(known: "X-Accel-Buffering")
  }

  /// Ends a stream when its answer was written, or will never be.
  private final class StreamLease: Sendable {
    private let stream: EventStream
    private let streams: StreamTable

    init(_ stream: EventStream, _ streams: StreamTable) {
      self.stream = stream
      self.streams = streams
    }

    func end() { streams.close(stream) }

    deinit { end() }
  }

  /// Where the bytes go, and since when.
  private final class StreamOutput: Sendable {
    // MARK: - Mutable state
    //
    // - `writing`: guarded by its mutex; since when something is being written.
    private let output: ResponseOutput
    private let writing = Mutex<ContinuousClock.Instant?>(nil)
    /// Has an element when something is being written, or was since the last one.
    let beginnings: AsyncStream<Void>
    private let beginning: AsyncStream<Void>.Continuation

    init(_ writer: any ResponseBodyWriter) {
      output = ResponseOutput(writer)
      (beginnings, beginning) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func write(_ bytes: [UInt8]) async throws {
      writing.withLock { $0 = .now }
      beginning.yield()
      defer { writing.withLock { $0 = nil } }
      try await output.write(bytes)
    }

    func finish() async throws { try await output.finish() }

    /// Whether the client has not read so far what is written.
    var isWriting: Bool { writing.withLock { $0 != nil } }

    /// Whether the client has left unread for so long what is written.
    func hasWaited(for time: Duration) -> Bool {
      writing.withLock { $0.map { .now - $0 > time } ?? false }
    }
  }
#endif
