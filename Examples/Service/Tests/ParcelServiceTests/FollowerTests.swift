import Foundation
import NIOHTTP1
import ParcelClient
import ParcelService
import Sectile
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct FollowerTests {
  @Test func clientThatComesBackIsToldWhatItMissed() async throws {
    _ = try await withService { server, _ in
      let follower = Follower(of: server, .steady)
      try await Self.write(1, to: server)
      try await Self.following(follower) { $0.contents.count == 1 }
      try await Self.write(2, to: server)
      try await Self.following(follower) { $0.contents.count == 2 }
      #expect(follower.list.resets == ["joined": 1])
      #expect(follower.connections == 2)
      #expect(follower.failures == [])
    }
  }

  @Test func openStreamsEndWithTheService() async throws {
    let clients = Mutex<[Task<Void, any Error>]>([])
    let files = try await withService { server, _ in
      for number in 0..<4 {
        let follower = Follower(of: server, number == 0 ? .stalled : .steady)
        let client = Task { try await follower.followOnce() }
        clients.withLock { $0.append(client) }
        while !follower.list.isWhole { try await Task.sleep(for: .milliseconds(5)) }
      }
    }
    // The service ended with all of them connected, although the first does not read.
    #expect(files == ["parcels.sqlite"])
    for client in clients.withLock({ $0 }).dropFirst() { try await client.value }
    clients.withLock { $0.first }?.cancel()
  }

  private static func write(_ id: Int, to server: ServerAddress) async throws {
    let body = RouteTests.parcel("Ada")
    let answer = try await HTTPExchange.with(server) {
      try await $0.answer(.PUT, "/parcels/\(id)", body)
    }
    #expect(answer.status == 204)
  }

  /// Follows until the list is as it should be.
  private static func following(
    _ follower: Follower, until condition: @escaping @Sendable (ParcelList) -> Bool
  ) async throws {
    let task = Task { try await follower.followOnce() }
    while !(follower.list.isWhole && condition(follower.list)) {
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    _ = await task.result
  }
}
