internal import AsyncAlgorithms
internal import Hummingbird
internal import NIOCore
internal import SectileFeed
internal import ServiceLifecycle

/// The answer to one client that wants to be told of changes.
struct EventStream: Sendable {
  let events: FeedEvents
  let heartbeat: Duration
  let channel: any Channel
  let streams: StreamCount

  /// How long a client may take to read what is on its way, when its stream ends.
  private static let farewell = TimeAmount.milliseconds(300)

  func response(to request: Request) -> Response {
    Response(
      status: .ok,
      headers: [.contentType: ServerSentEvents.contentType, .cacheControl: "no-store"],
      body: ResponseBody { writer in
        let output = Output(writer)
        // A client that goes away ends the task, and with it the sequence.
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await streams.counting {
            try await withGracefulShutdownHandler {
              try await write(to: output)
            } onGracefulShutdown: {
              cutOff()
            }
          }
        }
      })
  }

  private func write(to output: Output) async throws {
    // The stream is the last that is answered on its connection.
    defer { cutOff() }
    try await output.write(ServerSentEvents.retry(after: .seconds(2)))
    let messages = chain(
      events.map { Optional(ServerSentEvents.bytes(of: $0)) }, [nil].async)
    let beats = AsyncTimerSequence.repeating(every: heartbeat)
      .map { _ in Optional(ServerSentEvents.heartbeat) }
    for try await bytes in merge(messages, beats) {
      guard let bytes else { break }
      try await output.write(bytes)
    }
    try await output.finish()
  }

  /// Closes the connection of a client that does not read, so that nobody waits for it.
  private func cutOff() {
    channel.eventLoop.scheduleTask(in: Self.farewell) { [channel] in channel.close(promise: nil) }
  }
}
