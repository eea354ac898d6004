import Foundation
import NIOHTTP1
import ParcelClient
import ParcelService
import Sectile
import SectileFeedClient
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct FollowerTests {
  @Test func clientThatComesBackIsToldWhatItMissed() async throws {
    _ = try await withService { server, _ in
      let follower = try Follower(of: server, .steady)
      try await Self.write(1, to: server)
      try await Self.following(follower, untilCount: 1)
      try await Self.write(2, to: server)
      try await Self.following(follower, untilCount: 2)
      #expect(follower.stream.resets == ["joined": 1])
      #expect(follower.stream.connections == 2)
    }
  }

  @Test func openStreamsEndWithTheService() async throws {
    let clients = Mutex<[Follower]>([])
    let files = try await withService { server, _ in
      for number in 0..<4 {
        let follower = try Follower(of: server, number == 0 ? .stalled : .steady)
        clients.withLock { $0.append(follower) }
        follower.parcels.load()
        while !follower.stream.isWhole { try await Task.sleep(for: .milliseconds(5)) }
      }
    }
    // The service ended with all of them connected, although the first does not read.
    #expect(files == ["parcels.sqlite"])
    for follower in clients.withLock({ $0 }).dropFirst() {
      while follower.parcels.state == .live { try await Task.sleep(for: .milliseconds(5)) }
    }
    for follower in clients.withLock({ $0 }) { follower.parcels.cancel() }
  }

  private static func write(_ id: Int, to server: ServerAddress) async throws {
    let answer = try await server.answer(.PUT, "/parcels/\(id)", RouteTests.parcel("Ada"))
    #expect(answer.status == 204)
  }

  /// Follows until the list has so many parcels.
  private static func following(_ follower: Follower, untilCount count: Int) async throws {
    follower.parcels.load()
    while try follower.parcels.snapshot.materialized().count != count {
      try await Task.sleep(for: .milliseconds(5))
    }
    follower.parcels.cancel()
  }
}
