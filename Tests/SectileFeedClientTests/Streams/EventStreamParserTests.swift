import SectileFeed
import SectileFeedClient
import Testing

@Suite struct EventStreamParserTests {
  typealias Event = EventStreamParser.Event

  static let stream =
    "\u{FEFF}retry: 2000\nid: a\nevent: reset\ndata: {}\n\n:\n\nid\r\nevent: rows\r\n"
    + "data:x\r\ndata: é\r\n\r\n: comment\rdata\r\runknown: 1\n\nid: b\0c\ndata: :z\n\ndata: lost\n"

  static let events = [
    Event(name: "reset", data: Array("{}".utf8), lastID: "a"),
    Event(name: "rows", data: Array("x\né".utf8), lastID: ""),
    Event(name: "message", data: [], lastID: ""),
    Event(name: "message", data: Array(":z".utf8), lastID: ""),
  ]

  @Test func eventsDoNotDependOnWhereBytesAreCut() throws {
    let bytes = Array(Self.stream.utf8)
    for cut in 0...bytes.count {
      var parser = EventStreamParser(lastID: "before")
      let events = try parser.take(Array(bytes[..<cut])) + parser.take(Array(bytes[cut...]))
      #expect(events == Self.events, "cut at \(cut)")
      #expect(parser.retry == .seconds(2))
    }
    var parser = EventStreamParser()
    var events: [Event] = []
    for byte in bytes { events += try parser.take([byte]) }
    #expect(events == Self.events)
  }

  @Test func whatTheServiceWritesIsReadBack() throws {
    var parser = EventStreamParser(lastID: "p")
    let data = Array("{\n}".utf8)
    let bytes =
      ServerSentEvents.retry(after: .seconds(3)) + ServerSentEvents.heartbeat
      + ServerSentEvents.message(event: "failed", data: data)
      + ServerSentEvents.message(id: "q", event: "changes", data: data)
    let events = try parser.take(bytes)
    #expect(
      events == [
        Event(name: "failed", data: data, lastID: "p"),
        Event(name: "changes", data: data, lastID: "q"),
      ])
    #expect(parser.retry == .seconds(3))
  }

  @Test func eventsThatAreTooLargeAreRefused() throws {
    var parser = EventStreamParser(sizeLimit: 20)
    _ = try parser.take(Array("data: 12345\n\ndata: 12345\n\n".utf8))
    let error = #expect(throws: FeedClientError.self) {
      _ = try parser.take(Array("data: 123456789\n".utf8))
      _ = try parser.take(Array("data: 123456789".utf8))
    }
    #expect(error?.code == .eventTooLarge)
  }
}
