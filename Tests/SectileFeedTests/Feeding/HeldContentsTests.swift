import SectileFeed
import SectileStore
import Testing

/// The contents that clients read are held until they have read them, since a log cannot begin anew
/// meanwhile.
@Suite(.timeLimit(.minutes(60))) struct HeldContentsTests {
  private func read(
    _ iterator: inout FeedEvents.AsyncIterator, to kind: FeedEvent.Kind
  ) async {
    while let event = await iterator.next(), event.kind != kind {}
  }

  @Test(arguments: [StorageKind.file, .pool])
  func contentsAreHeldUntilTheLastClientHasReadThem(_ kind: StorageKind) async throws {
    try await kind.withSongs(300) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(rowsPerPart: 40))
      var slow = try await feed.events().makeAsyncIterator()
      var quick = try await feed.events().makeAsyncIterator()
      await read(&slow, to: .rows)
      await read(&quick, to: .complete)
      #expect(store.statistics.heldViewCount == 1)
      #expect(store.statistics.oldestViewOwner == "clients that read song")
      #expect(store.statistics.oldestViewAge ?? .zero > .zero)
      await read(&slow, to: .complete)
      #expect(store.statistics.heldViewCount == 0)
      #expect(store.statistics.oldestViewAge == nil)
      try await store.write { try $0.execute("UPDATE song SET title = 'x' WHERE id = 1") }
      #expect(store.statistics.logByteCount > 0)
      try await store.checkpoint(.truncate)
      #expect(store.statistics.logByteCount == 0)
      await read(&quick, to: .changes)
      await read(&slow, to: .changes)
    }
  }

  @Test func contentsAreLetGoOfWithTheClientThatReadsThem() async throws {
    try await StorageKind.file.withSongs(300) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(rowsPerPart: 40))
      do {
        var client = try await feed.events().makeAsyncIterator()
        await read(&client, to: .rows)
        #expect(store.statistics.heldViewCount == 1)
      }
      #expect(store.statistics.heldViewCount == 0)
    }
  }
}
