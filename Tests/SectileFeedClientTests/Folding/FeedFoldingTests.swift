import SectileCore
import SectileFeed
import SectileFeedClient
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct FeedFoldingTests {
  typealias Folding = FeedFolding<Int, Plum>

  private static func event(_ name: String, _ json: String) -> EventStreamParser.Event {
    EventStreamParser.Event(name: name, data: Array(json.utf8))
  }

  @Test(arguments: SeededRandom.batches(debug: 40, release: 200, of: 10))
  func foldingGivesWhatTheSourceShows(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      let recording = try await Recording(seed: seed, steps: 12)
      var (folding, parser) = (Folding(), EventStreamParser())
      #expect(!folding.isWhole)
      for told in recording.told {
        for event in try parser.take(told.bytes) { _ = try folding.take(event) }
        #expect(folding.isWhole == told.isWhole, "seed \(seed)")
        if told.isWhole { #expect(folding.contents.sections == told.sections, "seed \(seed)") }
      }
    }
  }

  @Test func eventsOfAFormatThatIsNotKnownAreRefused() throws {
    var folding = Folding()
    for (name, json) in [
      ("reset", #"{"format":3,"version":"one"}"#), ("rows", #"{"format":3,"sections":7}"#),
      ("changes", #"{"format":3}"#), ("keyed", #"{"format":3}"#), ("complete", #"{"format":3}"#),
      ("failed", #"{"format":3}"#),
    ] {
      let error = #expect(throws: FeedClientError.self, "\(name)") {
        _ = try folding.take(Self.event(name, json))
      }
      #expect(error?.code == .unknownFormat, "\(name)")
    }
  }

  @Test func whatIsNotWhatTheClientExpectsIsUnreadable() throws {
    var folding = Folding()
    for (name, json) in [
      ("reset", #"{"format":2}"#), ("reset", "nonsense"), ("changes", #"{"format":2}"#),
    ] {
      let error = #expect(throws: FeedClientError.self) {
        _ = try folding.take(Self.event(name, json))
      }
      #expect(error?.code == .unreadable)
    }
    let other = #expect(throws: FeedClientError.self) {
      _ = try folding.take(Self.event("sections", #"{"format":2,"version":1,"sections":[]}"#))
    }
    #expect(other?.code == .noItems)
  }

  @Test func partsThatDoNotFitAreRefused() throws {
    let row = #"{"id":1,"item":{"id":1,"kind":"blue","weight":1}}"#
    let header = #""header":{"identity":"blue","title":"blue"}"#
    let parts = [
      #"{"format":2,"version":2,"sections":[]}"#,
      #"{"format":2,"version":1,"sections":[{"section":1,"item":0,\#(header),"rows":[]}]}"#,
      #"{"format":2,"version":1,"sections":[{"section":0,"item":1,\#(header),"rows":[]}]}"#,
      #"{"format":2,"version":1,"sections":[{"section":0,"item":0,"rows":[]}]}"#,
      #"{"format":2,"version":1,"sections":[{"section":0,"item":0,\#(header),"rows":[\#(row),\#(row)]}]}"#,
      #"{"format":2,"version":1,"sections":[{"section":0,"item":0,\#(header),"rows":[\#(row)]}]}"#,
    ]
    for part in parts {
      var folding = Folding()
      _ = try folding.take(Self.event("reset", #"{"format":2,"version":1,"sections":1,"rows":2}"#))
      let error = #expect(throws: FeedClientError.self) {
        _ = try folding.take(Self.event("rows", part))
        _ = try folding.take(Self.event("complete", #"{"format":2,"version":1}"#))
      }
      #expect(error?.code == .inconsistent)
      #expect(!folding.isWhole)
    }
  }

  @Test func aResetThatTellsMoreThanItSaidIsRefusedAtOnce() throws {
    var folding = Folding()
    _ = try folding.take(Self.event("reset", #"{"format":2,"version":1,"sections":1,"rows":1}"#))
    let rows = (1...2).map { #"{"id":\#($0),"item":{"id":\#($0),"kind":"blue","weight":1}}"# }
    let header = #""header":{"identity":"blue","title":"blue"}"#
    let part = #"{"section":0,"item":0,\#(header),"rows":[\#(rows.joined(separator: ","))]}"#
    let error = #expect(throws: FeedClientError.self) {
      _ = try folding.take(Self.event("rows", #"{"format":2,"version":1,"sections":[\#(part)]}"#))
    }
    #expect(error?.code == .inconsistent)
  }

  @Test func changesOfOtherContentsAreRefusedAndChangeNothing() async throws {
    let recording = try await Recording(seed: 3, steps: 6)
    var (folding, parser) = (Folding(), EventStreamParser())
    let events = try parser.take(recording.bytes)
    let changes = try #require(events.last { $0.name == "changes" })
    for event in events { _ = try folding.take(event) }
    let former = folding.contents
    let error = #expect(throws: FeedClientError.self) { _ = try folding.take(changes) }
    #expect(error?.code == .inconsistent)
    #expect(folding.contents == former)
  }
}
