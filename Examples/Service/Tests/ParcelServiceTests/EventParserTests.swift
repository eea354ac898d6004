import ParcelClient
import Testing

@Suite struct EventParserTests {
  static let stream =
    "retry: 2000\n\nid: a\nevent: reset\ndata: {}\n\n:\n\nid: \nevent: rows\ndata: x\n\n"

  @Test(arguments: [1, 2, 7, 1_000])
  func eventsDoNotDependOnHowBytesArrive(count: Int) {
    var parser = EventParser(lastID: "b")
    var told: [String] = []
    var rest = Array(Self.stream.utf8)[...]
    while !rest.isEmpty {
      for (event, id) in parser.take(Array(rest.prefix(count))) {
        told.append("\(event.name) \(String(decoding: event.data, as: UTF8.self)) \(id)")
      }
      rest = rest.dropFirst(count)
    }
    #expect(told == ["reset {} a", "rows x "])
  }
}
