import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// What became of the rows of live results, by their keys.
@Suite(.timeLimit(.minutes(60))) struct ResultsByKeyTests {
  /// The rows that a changeset says something about.
  private static func touched(_ changes: Changeset<Int64, Song>) -> [Int64] {
    changes.deletes.map(\.id) + changes.inserts.map(\.id) + changes.moves.map(\.id)
      + changes.updates.map(\.id)
  }

  /// From any version to any later one, also where rows of it have been overwritten since.
  @Test(arguments: StorageKind.allCases, [1, 2, 3])
  func keyedChangesLeadFromVersionToVersion(kind: StorageKind, seed: UInt64) async throws {
    try await kind.withSongs(25) { store, results in
      var random = SeededRandom(seed: seed)
      var transactions = Song.transactions(SeededRandom(seed: seed + 100))
      var versions = [results.snapshot]
      var contents = [try await results.snapshot.materialized()]
      for _ in 0..<25 {
        let steps = transactions.next()
        try await store.write { try RandomTransactions.run(steps, in: $0) }
        if results.version == contents[contents.count - 1].version { continue }
        versions.append(results.snapshot)
        contents.append(try await results.snapshot.materialized())
      }
      for _ in 0..<60 {
        let target = Int.random(in: versions.indices, using: &random)
        let source = Int.random(in: 0...target, using: &random)
        var ids = Self.touched(versions[target].changes(since: versions[source]))
        ids += (0..<3).map { _ in Int64.random(in: 1...40, using: &random) }
        let changes = try KeyedChanges(to: versions[target], touching: ids)
        #expect(try contents[source].applying(changes) == contents[target], "seed \(seed)")
      }
      #expect(versions.count > 10)
    }
  }

  @Test func moreThanABatchIsRead() async throws {
    try await StorageKind.file.withSongs(1_300) { _, results in
      let changes = try KeyedChanges(to: results.snapshot, touching: 0..<1_400)
      #expect(changes.upserts.count == 1_300)
      #expect(changes.deletes.count == 100)
      let contents = try await results.snapshot.materialized()
      #expect(try SectionedContents<Int64, Song>().applying(changes) == contents)
    }
  }
}
