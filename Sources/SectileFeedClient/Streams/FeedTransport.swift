/// Brings the stream of a feed, and knows nothing of what is in it.
///
/// `FeedHTTPTransport` of the module `SectileHTTP` is one; a test needs no network:
///
/// ```swift
/// struct Recorded: FeedTransport {
///   let bytes: [UInt8]
///
///   func stream(
///     after position: String,
///     to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
///   ) async throws {
///     try await receive(.head(FeedStreamHead()))
///     try await receive(.bytes(bytes))
///   }
/// }
/// ```
public protocol FeedTransport: Sendable {
  /// Asks for the stream, and hands over what comes until the answer ends.
  ///
  /// The head comes first, then the bytes, in order, one call after the other. What is not handed
  /// over is to stay with the service: the next part is read when the closure has returned. The
  /// client cancels the task when it wants no more.
  ///
  /// - Parameters:
  ///   - position: What the header `Last-Event-ID` says; empty where it is to be left out.
  ///   - receive: Takes a part in. What it throws ends the stream, and is to be thrown on.
  /// - Throws: What the connection throws, and `receive`; not for a status.
  func stream(
    after position: String, to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
  ) async throws
}

/// A part of the answer to a client of a feed.
public enum FeedStreamPart: Hashable, Sendable {
  /// How the service answers.
  case head(FeedStreamHead)
  /// The bytes that come next.
  case bytes([UInt8])
}

/// How a service answers a client of a feed.
public struct FeedStreamHead: Hashable, Sendable {
  /// The status of HTTP.
  public var status: Int
  /// The value of `Content-Type`; nil where there is none.
  public var contentType: String?
  /// How long the service asks to be left alone, by `Retry-After` in seconds.
  public var retryAfter: Duration?

  /// Creates a head; without arguments, that of a stream.
  public init(
    status: Int = 200, contentType: String? = "text/event-stream", retryAfter: Duration? = nil
  ) {
    self.status = status
    self.contentType = contentType
    self.retryAfter = retryAfter
  }

  /// - Throws: ``FeedClientError`` where the answer is no stream.
  func requireStream() throws(FeedClientError) {
    guard status == 200 else { throw .status(status, retryAfter: retryAfter) }
    let type = contentType?.prefix { $0 != ";" }.lowercased() ?? ""
    guard type.filter({ $0 != " " }) == "text/event-stream" else { throw .notAStream }
  }
}
