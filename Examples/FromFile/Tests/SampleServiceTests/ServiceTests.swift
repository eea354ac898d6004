import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Sectile
import SectileFeedClient
import SectileHTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct ServiceTests {
  @Test func feedTellsWhatIsCommitted() async throws {
    try await withService { address, writer in
      let before = try await Self.rowCount(at: address)
      let (names, told) = AsyncStream<String>.makeStream()
      let transport = try FeedHTTPTransport(
        serviceURL: "\(address)/lists/\(Fixture.list)/events")
      let following = Task {
        defer { told.finish() }
        let parser = Mutex(EventStreamParser())
        try await transport.stream(after: "") { part in
          guard case .bytes(let bytes) = part else { return }
          for event in try parser.withLock({ try $0.take(bytes) }) { told.yield(event.name) }
        }
      }
      defer { following.cancel() }
      var iterator = names.makeAsyncIterator()
      // Everything comes first, in parts.
      let isWhole = await Self.hears("complete", from: &iterator)
      #expect(isWhole)
      guard let change = Fixture.change else { return }
      try await writer.write { try $0.execute(change) }
      let isTold = await Self.hears("changes", from: &iterator)
      #expect(isTold)
      let after = try await Self.rowCount(at: address)
      #expect(after < before)
    }
  }

  @Test func pageHealthAndListsAreAnswered() async throws {
    try await withService { address, _ in
      let page = try await Self.answer("\(address)/")
      #expect(page.status == 200)
      #expect(page.text.contains("/lists.js"))
      let client = try await Self.answer("\(address)/sectile.js")
      #expect(client.text.contains("export function subscribe"))
      let lists = try await Self.answer("\(address)/lists")
      #expect(lists.text.contains("\"\(Fixture.list)\""))
      let sections = try await Self.answer("\(address)/live/sections?view=\(Fixture.list)")
      #expect(sections.status == 200)
      let health = try await Self.answer("\(address)/health")
      #expect(health.status == 200)
      let other = try await Self.answer("\(address)/lists/no-such-list")
      #expect(other.status == 404)
    }
  }

  /// Returns whether an event of a name comes before the stream ends.
  private static func hears(
    _ name: String, from names: inout AsyncStream<String>.Iterator
  ) async -> Bool {
    while let next = await names.next() {
      if next == name { return true }
    }
    return false
  }

  private struct Contents: Decodable {
    struct Section: Decodable {
      let rows: [Row]
    }
    struct Row: Decodable {}

    let sections: [Section]
  }

  private static func rowCount(at address: String) async throws -> Int {
    let answer = try await answer("\(address)/lists/\(Fixture.list)")
    let contents = try JSONDecoder().decode(Contents.self, from: Data(answer.text.utf8))
    return contents.sections.reduce(0) { $0 + $1.rows.count }
  }

  private static func answer(_ url: String) async throws -> (status: UInt, text: String) {
    let request = HTTPClientRequest(url: url)
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(600))
    let body = try await response.body.collect(upTo: 64 * 1_024 * 1_024)
    return (response.status.code, String(buffer: body))
  }
}
