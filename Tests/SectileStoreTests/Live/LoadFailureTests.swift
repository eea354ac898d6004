import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Who hears of a load that fails, and of a failure that stands.
@Suite(.timeLimit(.minutes(60))) struct LoadFailureTests {
  private static let schema = """
    CREATE TABLE label (id INTEGER PRIMARY KEY, name);
    INSERT INTO label VALUES (1, 'a'), (2, x'00'), (3, 'c');
    """

  /// Requests whose first rows are read in different ways.
  enum Form: CaseIterable {
    case plain, sorted, sectioned, filtered, limited, aggregating, sectionAggregates

    var request: SectileStore.FetchRequest<Label> {
      let request = SectileStore.FetchRequest<Label>()
      return switch self {
      case .plain: request
      case .sorted: request.sort(by: \.name)
      case .sectioned: request.sectioned(by: \.id)
      case .filtered: request.filter { $0.id > 1 }
      case .limited: request.limit(2)
      case .aggregating: request.aggregating(.sum(\.id))
      case .sectionAggregates: request.sectioned(by: \.id).aggregating(.count())
      }
    }
  }

  @Test(arguments: StorageKind.allCases, Form.allCases)
  func aLoadThrowsWhatItMeetsAndDeliversIt(_ kind: StorageKind, form: Form) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let results = try store.results(of: form.request)
      let recorder = ChangeRecorder<Int64, Label>()
      recorder.allowFailures()
      results.delegate = recorder
      #expect(storeError { try results.load() }?.code == .decodingFailed)
      #expect(recorder.errors.compactMap { ($0 as? StoreError)?.code } == [.decodingFailed])
      #expect((results.failure as? StoreError)?.code == .decodingFailed)
      #expect(results.numberOfItems == 0)
      #expect(storeError { _ = try results.contents() }?.code == .decodingFailed)
      // What is shown stays readable.
      #expect(try results.snapshot.materialized().count == 0)
      try store.write { try $0.execute("UPDATE label SET name = 'b' WHERE id = 2") }
      try results.load()
      #expect(results.failure == nil)
      #expect(try results.contents().sections == results.snapshot.materialized().sections)
      #expect(try results.contents().count > 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func anAsynchronousLoadThrowsIt(_ kind: StorageKind) async throws {
    try await withStore(kind, configuration: SmallWorld.configuration) { store in
      try await store.write { try $0.execute(Self.schema) }
      let results = try store.results(of: SectileStore.FetchRequest<Label>())
      await #expect(throws: StoreError.self) { try await results.load() }
      await #expect(throws: StoreError.self) { try await results.loadAndWait() }
      await #expect(throws: StoreError.self) { try await results.contents() }
    }
  }

  /// The first batch is there already when the rest cannot be read.
  @Test(arguments: StorageKind.allCases)
  func theRestOfAFirstLoadIsHeardOf(_ kind: StorageKind) throws {
    let schema =
      "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT, u TEXT);"
      + (1...9).map { "INSERT INTO item VALUES (\($0), 'A', \($0), 'x', NULL);" }.joined()
    try SmallWorld.run(kind, schema: schema) { store in
      var plan = SmallWorld.plan
      plan.batchSize = 3
      let results = try store.results(of: plan)
      let isBegun = Mutex(false)
      let token = results.observe(on: .immediate) { event in
        guard case .didPartiallyLoad = event, !isBegun.withLock({ exchange(&$0, with: true) })
        else { return }
        try? store.write { try $0.execute("ALTER TABLE item RENAME COLUMN v TO w") }
      }
      #expect(storeError { try results.load() } != nil)
      token.cancel()
      #expect(results.failure != nil)
      #expect(storeError { _ = try results.contents() } != nil)
      #expect(results.numberOfItems == 3)
    }
  }

  /// What a callback loads is loaded when it has returned: the call cannot know.
  @Test(arguments: StorageKind.allCases)
  func aLoadInsideACallbackTellsThoseWhoListen(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let others = try store.results(of: SectileStore.FetchRequest<Label>())
      let codes = Mutex<[StoreError.Code]>([])
      let token = others.observe(on: .immediate) { event in
        guard case .didFail(let error as StoreError) = event else { return }
        codes.withLock { $0.append(error.code) }
      }
      let results = try store.results(of: SectileStore.FetchRequest<Label>().filter { $0.id != 2 })
      let thrown = Mutex(0)
      let first = results.observe(on: .immediate) { event in
        guard case .didFinishLoading = event else { return }
        do { try others.load() } catch { thrown.withLock { $0 += 1 } }
      }
      try results.load()
      #expect(thrown.withLock { $0 } == 0)
      #expect(codes.withLock { $0 } == [.decodingFailed])
      withExtendedLifetime((token, first)) {}
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aChangedRequestThatCannotBeReadIsThrown(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try LiveResults<Label>(
        SectileStore.FetchRequest<Label>().filter { $0.id != 2 }, in: store)
      live.recorder.allowFailures()
      let code = storeError { try live.results.update(to: SectileStore.FetchRequest<Label>()) }?
        .code
      #expect(code == .decodingFailed)
      #expect(live.recorder.errors.count == 1)
      // They stay with the request they had, and that is read.
      #expect(live.results.failure == nil)
      #expect(try live.results.contents().count == 2)
      try live.expect(["R+ [0,2] #4"]) {
        try store.write { try $0.execute("INSERT INTO label VALUES (4, 'd')") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func contentsThrowAFailureUntilItIsMended(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE label (id INTEGER PRIMARY KEY, name);
      INSERT INTO label VALUES (1, 'a'), (2, 'b');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try LiveResults<Label>(
        SectileStore.FetchRequest<Label>().sort(by: \.name), in: store)
      live.recorder.allowFailures()
      try store.write { try $0.execute("UPDATE label SET name = x'00' WHERE id = 2") }
      for _ in 0..<3 {
        #expect(storeError { _ = try live.results.contents() }?.code == .decodingFailed)
        #expect((live.results.failure as? StoreError)?.code == .decodingFailed)
      }
      #expect(live.recorder.errors.count == 1)
      #expect(live.results.numberOfItems == 2)
      #expect(try live.results.item(at: ItemPath(section: 0, item: 0)).name == "a")
      try store.write { try $0.execute("UPDATE label SET name = 'z' WHERE id = 2") }
      #expect(live.results.failure == nil)
      #expect(try live.results.contents().count == 2)
      try live.check()
    }
  }

  /// A row that another program wrote, with a NULL in its key.
  @Test(arguments: [StorageKind.file, .adoptedQueue, .adoptedPool])
  func contentsThrowWhatAnotherProgramCaused(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write {
      try $0.execute(
        "CREATE TABLE child (a, b, v, PRIMARY KEY (a, b)); INSERT INTO child VALUES (1, 'x', 0)")
    }
    let plan = FetchPlan(table: "child", keyColumns: ["a", "b"], itemColumns: ["a", "b", "v"])
    let results = try store.results(of: plan)
    try results.load()
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    try other.write { try $0.execute(sql: "INSERT INTO child VALUES (NULL, 'y', 0), (3, 'z', 0)") }
    #expect(storeError { _ = try results.contents() }?.code == .decodingFailed)
    try other.write { try $0.execute(sql: "UPDATE child SET v = 1 WHERE b = 'x'") }
    #expect(storeError { _ = try results.contents() }?.code == .decodingFailed)
    #expect(results.numberOfItems == 1)
    try other.write { try $0.execute(sql: "DELETE FROM child WHERE a IS NULL") }
    #expect(try results.contents().count == 2)
    #expect(results.failure == nil)
    try store.close()
  }

  @Test(arguments: StorageKind.allCases)
  func aPathOfResultsThatAreNotLoadedSaysSo(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let results = try store.results(of: SmallWorld.plan)
      let path = ItemPath(section: 0, item: 0)
      let error = #expect(throws: DataSourceError.self) { try results.item(at: path) }
      #expect(error?.code == .noSuchPath)
      #expect(
        error?.message == "There is no item at [0,0]: the results of item are not loaded yet.")
      #expect(error?.hint?.contains("load()") == true)
      try results.load()
      _ = try results.item(at: path)
      let other = #expect(throws: DataSourceError.self) {
        try results.item(at: ItemPath(section: 7, item: 0))
      }
      #expect(other?.message == "There is no item at [7,0].")
    }
  }
}
