import Foundation
import GRDB
import SectileFeed
import SectileStore
import SectileTestHelpers
import Synchronization
import Testing

/// Clients join and follow while another connection overwrites rows all the time.
@Suite(.timeLimit(.minutes(60))) struct ForeignWriterTests {
  /// Another connection that updates every row again and again, until it is told to stop.
  private final class ForeignWriter: Sendable {
    private let state = Mutex((isOver: false, count: 0))
    private let end = DispatchGroup()

    /// How often it has committed.
    var count: Int { state.withLock { $0.count } }

    init(to path: String, rows: Int) throws {
      var configuration = Configuration()
      configuration.busyMode = .timeout(30)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
      let other = try DatabaseQueue(path: path, configuration: configuration)
      end.enter()
      Thread.detachNewThread { [self, end] in
        defer { end.leave() }
        var number = 0
        while !state.withLock({ $0.isOver }) {
          number += 1
          let committed: Void? = try? other.write {
            try $0.execute(
              sql: "UPDATE song SET title = ? WHERE id = ?",
              arguments: ["\(number)", number % rows])
          }
          if committed != nil { state.withLock { $0.count += 1 } }
          // The store wants the lock, too.
          usleep(3_000)
        }
      }
    }

    func stop() async {
      state.withLock { $0.isOver = true }
      await withCheckedContinuation { continuation in
        end.notify(queue: .global()) { continuation.resume() }
      }
    }
  }

  /// A slow client gets what it missed as one changeset; what others wrote is merged as what the
  /// store did.
  @Test(arguments: [1, 3]) func slowClientsFoldWhatIsMerged(limit: Int) async throws {
    let rowCount = 200
    try await StorageKind.file.withSongs(rowCount) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(of: results)
      let writer = try ForeignWriter(to: #require(store.path), rows: rowCount)
      var client = SongClient()
      var iterator = try await feed.events(buffering: .coalescing(beyond: limit))
        .makeAsyncIterator()
      try await client.take(&iterator, to: 0)
      for number in 0..<40 {
        // Now others, now the store.
        for _ in 0..<3 {
          try await store.checkForExternalChanges()
          try await store.write {
            try $0.execute(
              "UPDATE song SET title = ? WHERE id = ?", "\(number)", number * 7 % rowCount)
          }
        }
        try await client.take(&iterator, to: results.version)
      }
      await writer.stop()
      let contents = try await results.contents()
      try await client.take(&iterator, to: contents.version)
      #expect(client.contents == contents)
      #expect(client.kinds.contains(.changes))
    }
  }

  @Test func clientsJoinAndEndEqual() async throws {
    let rowCount = 600
    try await StorageKind.file.withSongs(rowCount) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(rowsPerPart: 40))
      let writer = try ForeignWriter(to: #require(store.path), rows: rowCount)
      var joinedAtOnce = 0
      for _ in 0..<12 {
        var client = SongClient()
        var iterator = try await feed.events().makeAsyncIterator()
        while client.contents == nil {
          try client.take(#require(await iterator.next()))
          // Each part is read when rows have been overwritten since the one before.
          let count = writer.count
          let isOverwritten = try await comesTrue { writer.count > count }
          #expect(isOverwritten)
        }
        if client.reasons == ["joined"], client.codes.isEmpty { joinedAtOnce += 1 }
        let version = try #require(client.contents?.version)
        try await client.take(&iterator, to: version + 2)
      }
      // On a machine that is busy with other things, what is held may be let go of in between.
      #expect(joinedAtOnce >= 6)
      var last = SongClient()
      var iterator = try await feed.events().makeAsyncIterator()
      try await last.take(&iterator, to: 0)
      await writer.stop()
      let contents = try await results.contents()
      try await last.take(&iterator, to: contents.version)
      #expect(last.contents == contents)
    }
  }
}
