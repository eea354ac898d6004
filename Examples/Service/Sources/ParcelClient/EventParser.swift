/// Reads a stream of server-sent events, as far as the feeds of Sectile use the format.
public struct EventParser: Sendable {
  /// One event.
  public struct Event: Hashable, Sendable {
    /// Its name.
    public var name = "message"
    /// Its data.
    public var data: [UInt8] = []
  }

  /// What is to be handed back after a new connection; empty for nothing.
  public private(set) var lastID = ""
  private var id: String?
  private var event = Event()
  private var hasData = false
  private var rest: [UInt8] = []

  /// Creates a parser, with what was handed back when the connection began.
  public init(lastID: String = "") { self.lastID = lastID }

  /// Takes bytes, and returns the events that they complete.
  ///
  /// - Parameter bytes: The bytes that come next.
  /// - Returns: The events, each with the `lastID` that is good after it.
  public mutating func take(_ bytes: [UInt8]) -> [(event: Event, lastID: String)] {
    rest += bytes
    var events: [(event: Event, lastID: String)] = []
    var start = rest.startIndex
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if let event = take(line: rest[start..<end]) { events.append((event, lastID)) }
      start = end + 1
    }
    rest.removeFirst(start)
    return events
  }

  private mutating func take(line: ArraySlice<UInt8>) -> Event? {
    guard !line.isEmpty else {
      defer { (event, hasData, id) = (Event(), false, nil) }
      lastID = id ?? lastID
      return hasData ? event : nil
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "id": id = String(decoding: value, as: UTF8.self)
    case "event": event.name = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { event.data.append(UInt8(ascii: "\n")) }
      event.data += value
      hasData = true
    default: break
    }
    return nil
  }
}
