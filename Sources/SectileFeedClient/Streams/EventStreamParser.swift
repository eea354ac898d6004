/// Reads a stream of server-sent events, however its bytes are cut.
///
/// ```swift
/// var parser = EventStreamParser()
/// for event in try parser.take(bytes) { print(event.name, event.lastID) }
/// ```
///
/// The format is that of the
/// [WHATWG](https://html.spec.whatwg.org/multipage/server-sent-events.html): lines end with CR, LF
/// or both, comments and unknown fields are skipped, and an event that the stream breaks off in is
/// none.
public struct EventStreamParser: Sendable {
  /// One event.
  public struct Event: Hashable, Sendable {
    /// Its name; `message` where the stream gives none.
    public var name: String
    /// Its data; several lines of it are joined by a line feed.
    public var data: [UInt8]
    /// What is handed back as `Last-Event-ID` by whoever has taken it in; empty for nothing.
    public var lastID: String

    /// Creates an event.
    public init(name: String, data: [UInt8], lastID: String = "") {
      self.name = name
      self.data = data
      self.lastID = lastID
    }
  }

  /// How long the service wants clients to wait before they connect again; nil where it said
  /// nothing.
  public private(set) var retry: Duration?
  private let sizeLimit: Int
  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var isAtStart = true
  private var id: String
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false

  private static let newLine = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Creates a parser for one connection.
  ///
  /// - Parameters:
  ///   - lastID: What was handed back when the connection began: it stands until an event has
  ///     another.
  ///   - sizeLimit: How many bytes an event may have.
  public init(lastID: String = "", sizeLimit: Int = .max) {
    id = lastID
    self.sizeLimit = sizeLimit
  }

  /// Takes bytes, and returns the events that they complete.
  ///
  /// - Parameter bytes: The bytes that come next.
  /// - Returns: The events, in order.
  /// - Throws: ``FeedClientError`` with `eventTooLarge`; the parser is of no use then.
  /// - Complexity: O(*n*) for *n* bytes.
  public mutating func take(_ bytes: [UInt8]) throws(FeedClientError) -> [Event] {
    var events: [Event] = []
    var rest = bytes[...]
    while let first = rest.first {
      if isAfterReturn {
        isAfterReturn = false
        if first == Self.newLine {
          rest = rest.dropFirst()
          continue
        }
      }
      let end = rest.firstIndex { $0 == Self.newLine || $0 == Self.carriageReturn }
      let part = rest[..<(end ?? rest.endIndex)]
      guard part.count <= sizeLimit - line.count - data.count else {
        throw .eventTooLarge(sizeLimit)
      }
      line += part
      guard let end else { break }
      isAfterReturn = bytes[end] == Self.carriageReturn
      rest = rest[(end + 1)...]
      if let event = endLine() { events.append(event) }
    }
    return events
  }

  /// Takes a line in; returns the event that it ends.
  private mutating func endLine() -> Event? {
    var text = line[...]
    line = []
    if isAtStart, text.starts(with: Self.byteOrderMark) { text = text.dropFirst(3) }
    isAtStart = false
    guard !text.isEmpty else { return endEvent() }
    let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    var value = text[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: text[..<colon], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "data":
      if hasData { data.append(Self.newLine) }
      data += value
      hasData = true
    case "retry":
      let isNumber = value.allSatisfy { (0x30...0x39).contains($0) }
      if isNumber, let time = Int64(String(decoding: value, as: UTF8.self)) {
        retry = .milliseconds(time)
      }
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Event? {
    defer { (name, data, hasData) = ("", [], false) }
    guard hasData else { return nil }
    return Event(name: name.isEmpty ? "message" : name, data: data, lastID: id)
  }
}
