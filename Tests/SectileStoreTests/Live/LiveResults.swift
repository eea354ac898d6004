import SectileCore
import SectileStore
import SectileTestSupport
import Synchronization
import Testing

/// Live results that are compared with everything there is to compare them with: old contents and
/// old items inside `willLoad`, new ones after it, the replayed changesets, a fresh fetch.
final class LiveResults<Item: Identifiable & Equatable & Sendable> where Item.ID: EntityKey {
  let results: SectionedResults<Item>
  let recorder: ChangeRecorder<Item.ID, Item>
  private let checker: PhaseChecker<Item.ID, Item>
  private var fresh: () throws -> SectionedResults<Item>

  /// Loads results, and expects the load to be right.
  init(
    _ results: SectionedResults<Item>, fresh: @escaping () throws -> SectionedResults<Item>
  ) throws {
    self.results = results
    self.fresh = fresh
    checker = PhaseChecker()
    recorder = checker.recorder
    results.delegate = checker
    try results.load()
  }

  /// Compares with a fresh fetch of something else from now on.
  func expectFresh(_ fresh: @escaping () throws -> SectionedResults<Item>) { self.fresh = fresh }

  /// Returns the changes that a closure causes, one a line, and checks everything.
  func changes(
    sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
  ) throws -> [String] {
    recorder.reset()
    try body()
    try check(sourceLocation: sourceLocation)
    return lines
  }

  /// Expects a closure to cause exactly these changes, and checks everything.
  ///
  /// Not `#expect(try changes { … } == …)`: closures inside a macro's argument get the symbol of
  /// closures beside it, and one of the two is lost.
  func expect(
    _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation,
    from body: () throws -> Void
  ) throws {
    let found = try changes(sourceLocation: sourceLocation, of: body)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  /// Expects a closure to cause exactly these changes, without comparing with a fresh fetch.
  func expectLines(
    _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation,
    from body: () throws -> Void
  ) throws {
    recorder.reset()
    try body()
    #expect(lines == expected, sourceLocation: sourceLocation)
  }

  /// The changes since the last reset, one a line.
  var lines: [String] { recorder.changesets.flatMap(\.lines) }

  /// Returns whether replay, results and a fresh fetch agree.
  func agrees() throws -> Bool {
    let fresh = try fresh()
    try fresh.load()
    var after = try fresh.snapshot.materialized()
    after.version = results.version
    return recorder.contents == after && recorder.verify(against: results).isEmpty
      && recorder.violations.isEmpty && checker.problems.isEmpty
  }

  /// Expects replay, results and a fresh fetch to agree.
  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let fresh = try fresh()
    try fresh.load()
    var after = try fresh.snapshot.materialized()
    after.version = results.version
    #expect(recorder.contents == after, sourceLocation: sourceLocation)
    #expect(recorder.verify(against: results) == [], sourceLocation: sourceLocation)
    #expect(recorder.violations == [], sourceLocation: sourceLocation)
    #expect(checker.problems == [], sourceLocation: sourceLocation)
  }
}

extension LiveResults where Item == UntypedRow {
  convenience init(_ plan: FetchPlan, in store: Store) throws {
    try self.init(try store.results(of: plan)) { try store.results(of: plan) }
  }
}

extension LiveResults where Item: Entity {
  convenience init(_ request: FetchRequest<Item>, in store: Store) throws {
    try self.init(try store.results(of: request)) { try store.results(of: request) }
  }

  func setRequest(_ request: FetchRequest<Item>, in store: Store) throws {
    expectFresh { try store.results(of: request) }
    try results.update(to: request)
  }
}

/// A delegate that reads everything in each callback: the old contents and items inside `willLoad`,
/// the new ones after it.
final class PhaseChecker<ItemID: Hashable & Sendable, Item: Equatable & Sendable>:
  DataSourceDelegate
{
  let recorder = ChangeRecorder<ItemID, Item>()
  private let found = Mutex<[String]>([])

  var problems: [String] { found.withLock { $0 } }

  private func check(_ callback: String, _ source: any DataSource<ItemID, Item>) {
    let differences = recorder.verify(against: source).map { "in \(callback): \($0)" }
    found.withLock { $0 += differences }
  }

  func dataSourceWillLoad(_ source: any DataSource<ItemID, Item>) {
    recorder.dataSourceWillLoad(source)
    check("willLoad", source)
  }

  func dataSource(
    _ source: any DataSource<ItemID, Item>, didPartiallyLoad changes: Changeset<ItemID, Item>
  ) {
    recorder.dataSource(source, didPartiallyLoad: changes)
    check("didPartiallyLoad", source)
  }

  func dataSourceDidFinishLoading(_ source: any DataSource<ItemID, Item>) {
    recorder.dataSourceDidFinishLoading(source)
    check("didFinishLoading", source)
  }

  func dataSource(_ source: any DataSource<ItemID, Item>, didFailWith error: any Error) {
    recorder.dataSource(source, didFailWith: error)
    check("didFailWith", source)
  }
}

/// A small table: sections A and B of three rows and one.
enum SmallWorld {
  static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT DEFAULT 'x', u TEXT UNIQUE);
    INSERT INTO item (id, s, k, u) VALUES
      (1, 'A', 1, 'u1'), (2, 'A', 2, 'u2'), (3, 'A', 3, 'u3'), (4, 'B', 1, 'u4');
    """

  static var plan: FetchPlan {
    plan(table: "item", key: ["id"], columns: ["id", "s", "k", "v", "u"])
  }

  /// A plan that groups by `s` and sorts by `k`.
  static func plan(table: String, key: [String], columns: [String]) -> FetchPlan {
    var plan = FetchPlan(table: table, keyColumns: key, itemColumns: columns)
    plan.section = FetchPlan.Section(identity: plan.term("s"))
    plan.sort = [plan.term("k")]
    return plan
  }

  static var configuration: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    return configuration
  }

  /// Runs a test with the table, or with another schema.
  static func run(
    _ kind: StorageKind, schema: String = schema,
    configuration: StoreConfiguration = SmallWorld.configuration,
    _ body: (Store) throws -> Void
  ) throws {
    try withStore(kind, configuration: configuration) { store in
      try store.write { try $0.execute(schema) }
      try body(store)
    }
  }
}
