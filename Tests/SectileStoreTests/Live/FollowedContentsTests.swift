import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Clients that join results while other connections write.
@Suite(.timeLimit(.minutes(60))) struct FollowedContentsTests {
  private static let schema = """
    CREATE TABLE label (id INTEGER PRIMARY KEY, name);
    WITH RECURSIVE number(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM number WHERE id < 300)
    INSERT INTO label SELECT id, 'a' FROM number;
    """

  private static let filed: [StorageKind] = [.file, .adoptedQueue, .adoptedPool]

  private func withResults(
    _ kind: StorageKind, configuration: StoreConfiguration = SmallWorld.configuration,
    _ body: (Store, SectionedResults<Label>, DatabaseQueue) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: configuration)
    try await store.write { try $0.execute(Self.schema) }
    let results = try store.results(of: SectileStore.FetchRequest<Label>().sort(by: \.id))
    try await results.load()
    var waiting = Configuration()
    waiting.busyMode = .timeout(30)
    let other = try DatabaseQueue(path: folder.file("store.sqlite"), configuration: waiting)
    try await body(store, results, other)
    try await store.close()
  }

  private func rename(_ id: Int, to name: String, by other: DatabaseQueue) async throws {
    try await other.write {
      try $0.execute(sql: "UPDATE label SET name = ? WHERE id = ?", arguments: [name, id])
    }
  }

  /// A snapshot's row is overwritten before anybody reads it.
  @Test(arguments: filed)
  func contentsAreOfOneVersionWhereASnapshotIsOverwritten(_ kind: StorageKind) async throws {
    try await withResults(kind) { store, results, other in
      for round in 1...5 {
        let (snapshot, _) = results.follow()
        try await rename(round * 50, to: "other \(round)", by: other)
        await #expect(throws: StoreError.self) { try await snapshot.materialized() }
        let (contents, changesets) = try await results.followContents()
        #expect(contents.count == 300)
        #expect(contents[ItemPath(section: 0, item: round * 50 - 1)].item.name == "other \(round)")
        try await store.write {
          try $0.execute("UPDATE label SET name = ? WHERE id = 1", "own \(round)")
        }
        try await rename(299, to: "later \(round)", by: other)
        try await store.checkForExternalChanges()
        var shown = contents
        for await changes in changesets {
          try shown.apply(changes)
          if shown.version == results.version { break }
        }
        #expect(try await shown == results.contents())
      }
    }
  }

  /// What a composition shows is read again when the source has heard of what was overwritten.
  @Test(arguments: filed)
  func aSourceThatHoldsNothingIsReadAgain(_ kind: StorageKind) async throws {
    var configuration = SmallWorld.configuration
    configuration.externalChangePolling = .milliseconds(5)
    try await withResults(kind, configuration: configuration) { _, results, other in
      let shown = HeedlessSource(results)
      for round in 1...5 {
        try await rename(round, to: "other \(round)", by: other)
        let (contents, _) = try await shown.followContents()
        #expect(contents.count == 300)
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func whatResultsHaveFailedWithIsThrown(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(Self.schema) }
      let results = try store.results(of: SectileStore.FetchRequest<Label>())
      try await results.load()
      try await store.write { try $0.execute("UPDATE label SET name = x'00' WHERE id = 7") }
      let error = await #expect(throws: StoreError.self) { try await results.followContents() }
      #expect(error?.code == .decodingFailed)
    }
  }

  /// A source that shows what results show, and knows no more of them.
  private final class HeedlessSource: DataSource {
    let name = "heedless"
    private let results: SectionedResults<Label>

    init(_ results: SectionedResults<Label>) { self.results = results }

    var events: DataSourceEvents<Int64, Label> { results.events }
    var snapshot: ResultsSnapshot<Label> { results.snapshot }
    func load() throws { try results.load() }
  }
}
