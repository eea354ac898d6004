import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// The sequences of live results end with their store, whatever became of the results.
@Suite(.timeLimit(.minutes(60))) struct SequenceEndTests {
  /// What results have come to when their store is closed.
  enum Course: CaseIterable {
    case loaded, neverLoaded, failed, failedBeforeACommit, cancelled, loadedAgain
  }

  private static let schema = """
    CREATE TABLE label (id INTEGER PRIMARY KEY, name);
    INSERT INTO label VALUES (1, 'a'), (2, 'b');
    """

  private func results(_ course: Course, in store: Store) throws -> SectionedResults<Label> {
    try store.write { try $0.execute(Self.schema) }
    let results = try store.results(of: SectileStore.FetchRequest<Label>().sort(by: \.name))
    switch course {
    case .loaded: try results.load()
    case .neverLoaded: break
    case .failed, .failedBeforeACommit:
      try store.write { try $0.execute("UPDATE label SET name = x'00' WHERE id = 2") }
      #expect(storeError { try results.load() }?.code == .decodingFailed)
      if course == .failedBeforeACommit {
        try store.write { try $0.execute("INSERT INTO label VALUES (3, 'c')") }
      }
    case .cancelled:
      try results.load()
      results.cancel()
    case .loadedAgain:
      try results.load()
      results.cancel()
      try results.load()
    }
    return results
  }

  /// Reads sequences to their ends, and returns how many changesets came.
  private func readToTheEnd(
    _ changesets: ChangesetSequence<Int64, Label>, _ events: DataSourceEvents<Int64, Label>
  ) -> Task<Int, Never> {
    Task {
      var count = 0
      for await _ in changesets { count += 1 }
      for await _ in events {}
      return count
    }
  }

  @Test(arguments: StorageKind.allCases, Course.allCases)
  func sequencesOfAllResultsEnd(_ kind: StorageKind, course: Course) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    let results = try results(course, in: store)
    let following = readToTheEnd(results.changesets, results.events)
    let followed = readToTheEnd(results.follow().changesets, results.events)
    try await store.close()
    #expect(await following.value == 0)
    #expect(await followed.value == 0)
  }

  @Test(arguments: StorageKind.allCases, Course.allCases)
  func sequencesOpenedAfterwardsAreAtTheirEnd(_ kind: StorageKind, course: Course) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    let results = try results(course, in: store)
    try await store.close()
    let following = readToTheEnd(results.changesets, results.events)
    #expect(await following.value == 0)
    let followed = readToTheEnd(results.follow().changesets, results.events)
    #expect(await followed.value == 0)
    let later = try store.results(of: SectileStore.FetchRequest<Label>())
    let late = readToTheEnd(later.changesets, later.events)
    #expect(await late.value == 0)
    // Another iterator of a sequence is a consumer of its own.
    let changesets = results.changesets
    for _ in 0..<2 { for await _ in changesets { Issue.record("a closed store told something") } }
  }

  @Test(arguments: StorageKind.allCases)
  func whatWasToldBeforeIsRead(_ kind: StorageKind) async throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    let results = try results(.neverLoaded, in: store)
    let changesets = results.changesets
    try await results.load()
    try await store.close()
    var contents = SectionedContents<Int64, Label>()
    for await changes in changesets {
      // The rows were not read before the store was closed.
      contents.version = changes.targetVersion
    }
    #expect(contents.version == results.version)
  }

  /// A reader's connection that cannot be closed fails the call, and leaves nothing to be told all
  /// the same.
  @Test func sequencesEndWhereTheStoreIsClosedWithAnError() async throws {
    let folder = try TemporaryFolder()
    let store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
    let results = try results(.loaded, in: store)
    let changesets = results.changesets
    try await store.read { transaction in
      let rows = try Row.fetchCursor(transaction.database, sql: "SELECT 1 UNION SELECT 2")
      // For ever: GRDB lets nobody release it outside.
      _ = Unmanaged.passRetained(rows)
    }
    await #expect(throws: StoreError.self) { try await store.close() }
    for await _ in changesets {}
  }

  @Test func resultsThatAreGoneAreForgotten() {
    let hubs = ResultsHubs()
    for _ in 0..<1_000 { hubs.add(DataSourceEvents<Int, Int>().core) }
    #expect(hubs.count <= 32)
  }
}
