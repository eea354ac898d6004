import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Aggregates of typed requests: each knows the type of its value.
@Suite(.timeLimit(.minutes(60))) struct AggregateRequestTests {
  private func withStore(_ body: (Store) throws -> Void) throws {
    let store = try Store.inMemory()
    try store.write { try $0.execute(Music.script) }
    try body(store)
    try store.close()
  }

  @Test func valuesHaveTheTypesOfTheirProperties() throws {
    let count = Aggregate<Track, Int>.count()
    let rated = Aggregate.count(\Track.rating)
    let artists = Aggregate.count(distinct: \Track.artistID)
    let often = Aggregate.count(named: "often") { (track: EntityFields<Track>) in track.plays > 9 }
    let plays = Aggregate.sum(\Track.plays)
    let rating = Aggregate.average(\Track.rating)
    let best = Aggregate.maximum(\Track.rating)
    let first = Aggregate.minimum(\Track.name)
    let oldest = Aggregate.minimum(\Track.addedAt)
    let genre = Aggregate.maximum(\Track.genre)
    try withStore { store in
      let request = FetchRequest<Track>().sectioned(by: \.genre)
        .aggregating(count, rated, artists, often, plays, rating, best, first, oldest)
        .aggregating(genre)
      let results = try store.results(of: request)
      try results.load()
      let all = results.aggregates
      #expect(all[count] == 6)
      #expect(all[rated] == 4)
      #expect(all[artists] == 3)
      #expect(all[often] == 3)
      #expect(all[plays] == 2059)
      #expect(all[rating] == 3.5625)
      #expect(all[best] == 4.5)
      #expect(all[first] == " Tramp_ ")
      #expect(all[genre] == .soul)
      let date = try #require(all[oldest])
      #expect(date.timeIntervalSince1970 == 1_709_183_167)
      let unnamed = results.sections[0].aggregates
      #expect(unnamed[count] == 2)
      #expect(unnamed[rating] == nil)
      #expect(unnamed[genre] == nil)
      #expect(unnamed["sum(plays)"] == 1024)
      try store.write { try $0.execute("UPDATE track SET plays = 100 WHERE id = 2") }
      #expect(results.aggregates[plays] == 2164)
      #expect(results.aggregates[often] == 4)
    }
  }

  @Test func relatedRowsMayBeCounted() throws {
    let heard = Aggregate.count(named: "heard") { (track: EntityFields<Track>) in
      track.listens.exists { $0.minutes > 4 }
    }
    try withStore { store in
      let results = try store.results(of: FetchRequest<Track>().aggregating(heard))
      try results.load()
      #expect(results.aggregates[heard] == 2)
      try store.write { try $0.execute("INSERT INTO listen VALUES (9, 4, 8)") }
      #expect(results.aggregates[heard] == 3)
      #expect(results.sections[0].aggregates[heard] == 3)
    }
  }

  @Test func aWindowMayAggregateWhatIsOutsideOfIt() throws {
    let plays = Aggregate.sum(\Track.plays).named("plays")
    try withStore { store in
      let request = FetchRequest<Track>().limit(2).aggregating(plays)
      let shown = try aggregates(of: request, in: store)
      #expect(shown[plays] == 5)
      let wanted = try aggregates(of: request.aggregating(over: .wanted), in: store)
      #expect(wanted["plays"] == 2059)
    }
  }

  private func aggregates(
    of request: FetchRequest<Track>, in store: Store
  ) throws -> AggregateValues {
    let results = try store.results(of: request)
    try results.load()
    return results.aggregates
  }

  @Test func whatMakesNoSenseIsRefused() throws {
    try withStore { store in
      try expectStoreError(.invalidRequest) {
        try store.results(
          of: FetchRequest<Track>().aggregating(Aggregate.count(\Track.note)))
      }
      try expectStoreError(.invalidRequest) {
        try store.results(
          of: FetchRequest<Track>().aggregating(
            Aggregate<Track, Int>.count(), Aggregate.count(\Track.name).named("count")))
      }
    }
  }
}
