import SectileFeed
import SectileStore
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ServerSentEventsTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func theBytesAreThoseOfTheStandard() {
    #expect(
      text(ServerSentEvents.message(id: "7", event: "changes", data: Array("{}".utf8)))
        == "id: 7\nevent: changes\ndata: {}\n\n")
    #expect(text(ServerSentEvents.message(data: [])) == "data: \n\n")
    #expect(text(ServerSentEvents.message(id: "", data: [])) == "id: \ndata: \n\n")
    #expect(
      text(ServerSentEvents.message(data: Array("a\nb\r\nc\rd\n\n".utf8)))
        == "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: \n\n")
    #expect(
      text(ServerSentEvents.message(id: "a\0\nb", event: "c\r\nd", data: []))
        == "id: ab\nevent: cd\ndata: \n\n")
    #expect(text(ServerSentEvents.heartbeat) == ":\n")
    #expect(text(ServerSentEvents.retry(after: .milliseconds(2500))) == "retry: 2500\n")
    #expect(text(ServerSentEvents.retry(after: .seconds(-1))) == "retry: 0\n")
    #expect(ServerSentEvents.position(nil) == nil)
  }

  /// Returns a text whose line breaks are all the same.
  private static func withPlainBreaks(_ text: String) -> String {
    var (result, former): (String, Unicode.Scalar) = ("", " ")
    for scalar in text.unicodeScalars {
      if scalar != "\n" || former != "\r" {
        result.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
      }
      former = scalar
    }
    return result
  }

  @Test(arguments: [1, 2, 3, 4])
  func whatIsWrittenIsReadBackInPiecesOfAnySize(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = ["a", ":", " ", "\n", "\r", "\r\n", "data: x", "id", "é", "😀", "\u{FEFF}", "\0"]
    for _ in 0..<200 {
      var stream = ServerSentEvents.retry(after: .seconds(1))
      var written: [EventSourceParser.Message] = []
      var last = ""
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let data = (0..<Int.random(in: 0..<8, using: &random))
          .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let id = ["", "abc", nil].randomElement(using: &random) ?? nil
        last = id ?? last
        stream += ServerSentEvents.message(id: id, event: "changes", data: Array(data.utf8))
        if random.chance(0.3) { stream += ServerSentEvents.heartbeat }
        // A line break is a line break, whichever it was.
        let lines = Self.withPlainBreaks(data)
        written.append(.init(event: "changes", data: lines, lastEventID: last))
      }
      var parser = EventSourceParser()
      var rest = stream[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(9, rest.count), using: &random)
        parser.read(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(parser.messages == written, "seed \(seed)")
      #expect(parser.retry == 1000)
      var decoder = LineByLineEventDecoder()
      decoder.read(Self.withPlainBreaks(String(decoding: stream, as: UTF8.self)))
      #expect(decoder.messages.map(\.data) == written.map(\.data), "seed \(seed)")
    }
  }

  /// Such a client hands on each block of lines that has anything in it, and an `id` stays from
  /// event to event.
  @Test func aClientThatTakesEachEmptyLineForAMessageReadsNothingButEvents() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(of: results)
      var stream = ServerSentEvents.heartbeat + ServerSentEvents.retry(after: .seconds(2))
      stream += ServerSentEvents.heartbeat
      var (written, iterator) = (
        [FeedEvent](), try await feed.events().makeAsyncIterator()
      )
      for number in 0..<5 {
        if number > 2 {
          try await store.write { try $0.execute("UPDATE song SET title = ?", "\(number)") }
        }
        let event = try #require(await iterator.next())
        written.append(event)
        stream += ServerSentEvents.bytes(of: event)
        for _ in 0..<number { stream += ServerSentEvents.heartbeat }
      }
      var decoder = LineByLineEventDecoder()
      decoder.read(String(decoding: stream, as: UTF8.self))
      #expect(decoder.messages.map(\.event) == written.map { "\($0.kind)" })
      #expect(decoder.messages.map { Array($0.data.utf8) } == written.map(\.json))
      #expect(decoder.messages.map(\.retry) == [2000, nil, nil, nil, nil])
      #expect(decoder.messages.last?.id == written.last?.position?.description)
    }
  }

  @Test func aBrowserThatConnectsAgainGoesOnWhereItWas() async throws {
    try await StorageKind.memory.withSongs(100) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(rowsPerPart: 10))
      var parser = EventSourceParser()
      var iterator = try await feed.events(
        after: ServerSentEvents.position(parser.lastEventID)
      ).makeAsyncIterator()
      // Cut off in the middle of the contents: it has no id, and begins anew.
      for _ in 0..<4 {
        parser.read(ServerSentEvents.bytes(of: try #require(await iterator.next()))[...])
      }
      #expect(parser.messages.map(\.event) == ["reset", "rows", "rows", "rows"])
      #expect(parser.lastEventID == "")
      iterator = try await feed.events(
        after: ServerSentEvents.position(parser.lastEventID)
      ).makeAsyncIterator()
      repeat {
        parser.read(ServerSentEvents.bytes(of: try #require(await iterator.next()))[...])
      } while parser.messages.last?.event != "complete"
      #expect(parser.messages[4].event == "reset")
      try await store.write { try $0.execute("DELETE FROM song WHERE id = 4") }
      iterator = try await feed.events(
        after: ServerSentEvents.position(parser.lastEventID)
      ).makeAsyncIterator()
      let event = try #require(await iterator.next())
      #expect(event.kind == .changes)
      parser.read(ServerSentEvents.bytes(of: event)[...])
      #expect(parser.messages.last?.data == String(decoding: event.json, as: UTF8.self))
      #expect(parser.lastEventID == event.position?.description)
    }
  }
}
