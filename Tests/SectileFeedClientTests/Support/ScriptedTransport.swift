import SectileFeedClient
import Synchronization

/// A transport without a network: a test says what each connection brings, and when.
final class ScriptedTransport: FeedTransport {
  /// One connection.
  struct Connection: Sendable {
    /// What the client handed back.
    let position: String
    /// What takes parts in, as the client gave it.
    let receive: @Sendable (FeedStreamPart) async throws -> Void
    fileprivate let parts: AsyncThrowingStream<FeedStreamPart, any Error>.Continuation

    func send(_ part: FeedStreamPart) { parts.yield(part) }
    /// The service ends it, or it breaks.
    func end(_ error: (any Error)? = nil) { parts.finish(throwing: error) }
  }

  private let all = Mutex<[Connection]>([])

  var connections: [Connection] { all.withLock { $0 } }

  func stream(
    after position: String, to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
  ) async throws {
    let (stream, parts) = AsyncThrowingStream<FeedStreamPart, any Error>.makeStream()
    let connection = Connection(position: position, receive: receive, parts: parts)
    all.withLock { $0.append(connection) }
    for try await part in stream { try await receive(part) }
  }
}
