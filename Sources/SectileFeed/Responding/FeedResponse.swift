/// The answer to one client of a ``Feed``, for any HTTP server: a status, header fields, and the
/// bytes of server-sent events.
///
/// ```swift
/// let answer = try await feed.response(for: user, lastEventID: request.headers["Last-Event-ID"])
/// var response = Response(status: answer.status)
/// for field in answer.headers { response.headers[field.name] = field.value }
/// try await response.start()
/// try await answer.write { try await response.write($0) }
/// ```
///
/// The stream begins with an event `stream`, which says how often something is heard,
/// `{"format":2,"heartbeat":15.0}`, and how long a client waits before it connects again. Where
/// nothing happens, an event `heartbeat` says that the stream is alive. Both have names, so that
/// `onmessage` of a browser never sees them, and neither changes the position of a client.
///
/// It ends when the feed does, when the client was dropped or is not allowed any more, and when it
/// is cancelled. A client that leaves unread what is written for it is cut off; see
/// ``Options/writeTimeout``. What is in memory for a client are ``Options/chunkBytes`` at most, and
/// one event, beside what the server itself buffers.
///
/// A response is good for one client. Nothing runs for it before its body is read, or after.
public struct FeedResponse: Sendable {
  /// The status of HTTP.
  public let status: Int = 200
  /// The header fields: the media type, and what keeps caches and proxies from holding events back.
  public let headers: [(name: String, value: String)] = [
    ("Content-Type", ServerSentEvents.contentType), ("Cache-Control", "no-store"),
    ("X-Accel-Buffering", "no"),
  ]
  /// The bytes, for servers that take a sequence.
  ///
  /// ``write(_:finishing:)`` also cuts off a client that does not read.
  public var body: Body { Body(start: start) }

  /// Begins the stream.
  package let start: @Sendable () -> FeedStream

  init(start: @escaping @Sendable () -> FeedStream) { self.start = start }

  /// Writes the body, until the stream ends.
  ///
  /// - Parameters:
  ///   - write: Writes bytes, and returns when the server has taken them. Its task is cancelled
  ///     where the client does not read: a server's `write` then throws.
  ///   - finish: Ends the answer, which has a time limit as well.
  /// - Throws: What the closures throw; `CancellationError` where the task is cancelled, or the
  ///   client was cut off: then close the connection.
  public func write(
    _ write: @escaping @Sendable ([UInt8]) async throws -> Void,
    finishing finish: @escaping @Sendable () async throws -> Void = {}
  ) async throws {
    try await start().write(write, finishing: finish)
  }
}

extension FeedResponse {
  /// The bytes of an answer, in chunks: each has all whole events that wait, as far as there is
  /// room for them.
  ///
  /// Each iterator is a stream of its own, from the client's position on. Whoever holds a chunk for
  /// longer than ``Options/writeTimeout`` before asking for the next one gets no other.
  public struct Body: AsyncSequence, Sendable {
    /// What the sequence consists of.
    public typealias Element = [UInt8]

    let start: @Sendable () -> FeedStream

    /// Returns an iterator, and begins the stream.
    public func makeAsyncIterator() -> Iterator { Iterator(hold: FeedStreamHold(start())) }

    /// Receives the bytes for one client.
    public struct Iterator: AsyncIteratorProtocol {
      private let hold: FeedStreamHold

      init(hold: FeedStreamHold) { self.hold = hold }

      /// Returns the next bytes, waiting for them, or nil at the end.
      public mutating func next() async -> [UInt8]? { await hold.next() }

      /// Returns the next bytes, waiting for them, or nil at the end.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
        await hold.next()
      }
    }
  }
}

/// Ends a stream whose bytes nobody asks for any more.
final class FeedStreamHold: Sendable {
  private let stream: FeedStream

  init(_ stream: FeedStream) { self.stream = stream }

  func next() async -> [UInt8]? {
    let bytes = await stream.next()
    // Whoever keeps the iterator does not keep the stream.
    if bytes == nil { stream.end(.ended) }
    return bytes
  }

  deinit { stream.end(.ended) }
}
