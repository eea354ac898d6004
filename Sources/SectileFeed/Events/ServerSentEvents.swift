/// Writes events as a stream of server-sent events, which browsers read with `EventSource`: bytes,
/// for any server.
///
/// ```swift
/// response.headers["Content-Type"] = ServerSentEvents.contentType
/// try await response.write(ServerSentEvents.retry(after: .seconds(2)))
/// for await event in events { try await response.write(ServerSentEvents.bytes(of: event)) }
/// ```
///
/// Nothing but an event ends with an empty line: some clients, such as httpx-sse for Python, take
/// each of those for a message.
///
/// A browser hands the last `id` back as the header `Last-Event-ID` when it connects again. While a
/// reset is under way the `id` is empty, so that one that is cut off in the middle begins anew
/// instead of going on from contents that it has forgotten.
///
/// The format is that of the
/// [WHATWG](https://html.spec.whatwg.org/multipage/server-sent-events.html).
public enum ServerSentEvents {
  /// The media type of the stream.
  public static let contentType = "text/event-stream"
  /// A comment, which readers skip.
  ///
  /// It is one line, which no reader takes for a message. Write it between events. Sent each
  /// quarter of a minute, it keeps proxies from taking the connection for dead, and tells the
  /// server when it is.
  public static let heartbeat: [UInt8] = Array(":\n".utf8)

  /// Returns an event of a feed.
  ///
  /// ```text
  /// id: AQBx…
  /// event: changes
  /// data: {"format":2,…}
  /// ```
  ///
  /// - Parameter event: The event.
  /// - Returns: The bytes, up to the empty line that ends it.
  public static func bytes(of event: FeedEvent) -> [UInt8] {
    let id = event.kind.keepsPosition ? nil : event.position?.description ?? ""
    return message(id: id, event: event.kind.description, data: event.json)
  }

  /// Returns a message.
  ///
  /// - Parameters:
  ///   - id: What the client hands back when it connects again; empty for nothing, nil to leave it
  ///     as it is. Line breaks and NUL, which no `id` can hold, are left out.
  ///   - event: The name of the event; nil for `message`. Line breaks are left out.
  ///   - data: The data in UTF-8; each of its lines becomes one of the message.
  /// - Returns: The bytes, up to the empty line that ends it.
  public static func message(id: String? = nil, event: String? = nil, data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 96)
    if let id { append(field: "id", id, to: &bytes) }
    if let event { append(field: "event", event, to: &bytes) }
    var start = data.startIndex
    while true {
      let end = data[start...].firstIndex { $0 == newLine || $0 == carriageReturn } ?? data.endIndex
      bytes += "data: ".utf8
      bytes += data[start..<end]
      bytes.append(newLine)
      guard end < data.endIndex else { break }
      let isPair = data[end] == carriageReturn && data[(end + 1)...].first == newLine
      start = end + (isPair ? 2 : 1)
    }
    bytes.append(newLine)
    return bytes
  }

  /// Returns how long a client waits before it connects again: a line that belongs to the event
  /// which is written next.
  ///
  /// ```text
  /// retry: 2000
  /// id: AQBx…
  /// event: reset
  /// data: {"format":2,…}
  /// ```
  ///
  /// - Parameter duration: The time; what is negative counts as none, and fractions of milliseconds
  ///   are left out.
  /// - Returns: The bytes, without an empty line: the event's own ends both.
  public static func retry(after duration: Duration) -> [UInt8] {
    let milliseconds = max(0, duration / .milliseconds(1))
    // No browser waits for longer than it lives.
    return Array("retry: \(Int64(min(milliseconds, 1e12)))\n".utf8)
  }

  /// Returns the position that a client hands back.
  ///
  /// - Parameter lastEventID: The value of the header `Last-Event-ID`; anything, or nil where there
  ///   is none.
  /// - Returns: The position; nil for everything that is none.
  public static func position(_ lastEventID: String?) -> FeedPosition? {
    lastEventID.flatMap { FeedPosition($0) }
  }

  private static let newLine = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private static func append(field: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += field.utf8
    bytes += ": ".utf8
    bytes += value.utf8.filter { $0 != newLine && $0 != carriageReturn && $0 != 0 }
    bytes.append(newLine)
  }
}
