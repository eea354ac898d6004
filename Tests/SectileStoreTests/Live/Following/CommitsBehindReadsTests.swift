import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Others commit between the end of a transaction that the store has not begun, or of a load, and
/// what the store reads behind it, and again while it reads.
@Suite(.timeLimit(.minutes(60))) struct CommitsBehindReadsTests {
  enum Kind: CaseIterable { case queue, pool }

  enum Action: CaseIterable { case load, update, foreignWrite }

  /// How many ends of transactions a load has, and one more.
  private static let ends = 0..<5

  /// Hears of the end of each transaction before the store does.
  private final class EarlyObserver: TransactionObserver, Sendable {
    private let action = Mutex<(skipped: Int, run: @Sendable () -> Void)?>(nil)

    /// Calls a closure once, at the end of a transaction, behind some others.
    func arm(skipping skipped: Int, _ run: @escaping @Sendable () -> Void) {
      action.withLock { $0 = (skipped, run) }
    }

    func disarm() { action.withLock { $0 = nil } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ db: Database) {
      let due: (@Sendable () -> Void)? = action.withLock { action in
        guard let (skipped, run) = action else { return nil }
        action = skipped == 0 ? nil : (skipped - 1, run)
        return skipped == 0 ? run : nil
      }
      due?()
    }

    func databaseDidRollback(_ db: Database) {}
  }

  /// An adopted database of twenty rows, and somebody else who has it open.
  private struct World {
    let folder: TemporaryFolder
    let writer: any DatabaseWriter
    let store: Store
    let observer = EarlyObserver()
    let meddler = Meddler()
    let results: SectionedResults<UntypedRow>
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()

    init(_ kind: Kind) throws {
      folder = try TemporaryFolder()
      let path = folder.file("store.sqlite")
      let compare = try #require(meddler.collation.compare)
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        db.add(
          collation: DatabaseCollation("meddling") { left, right in
            switch compare(left, right) {
            case ..<0: .orderedAscending
            case 0: .orderedSame
            default: .orderedDescending
            }
          })
      }
      switch kind {
      case .queue: writer = try DatabaseQueue(path: path, configuration: configuration)
      case .pool: writer = try DatabasePool(path: path, configuration: configuration)
      }
      try writer.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.execute(
          sql: """
            CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, v INTEGER DEFAULT 0);
            INSERT INTO item (id, s) WITH RECURSIVE n (i) AS
              (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
              SELECT i, printf('s%03d', i) FROM n;
            """)
      }
      writer.add(transactionObserver: observer, extent: .databaseLifetime)
      store = try writer.adopted(SmallWorld.configuration)
      results = try store.results(of: Self.plan(meddler.collation))
      results.delegate = recorder
    }

    /// All rows, without a limit: a window would be read by one statement.
    static func plan(_ collation: TextCollation, filter: String? = nil) -> FetchPlan {
      var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "v"])
      plan.sort = [plan.term("s", collation: collation)]
      plan.filter = filter.map { SQLFragment($0) }
      return plan
    }

    /// Has others move a row at the end of a transaction, and another one as soon as texts are
    /// compared after it.
    func arm(
      skipping skipped: Int, first: (id: Int, s: String), second: (id: Int, s: String)
    ) throws {
      let (path, meddler) = (folder.file("store.sqlite"), meddler)
      @Sendable func move(_ row: (id: Int, s: String)) {
        do {
          try ForeignConnection(path).execute(
            "UPDATE item SET s = '\(row.s)' WHERE id = \(row.id)")
        } catch {
          Issue.record(error)
        }
      }
      observer.arm(skipping: skipped) {
        move(first)
        meddler.arm { move(second) }
      }
    }

    /// Loads, and waits for what is done behind a load.
    func load() throws {
      try results.load()
      results.tracker.awaitDigests()
    }

    func disarm() {
      observer.disarm()
      meddler.disarm()
    }

    /// Compares results, what was told of them, and the file.
    func check(_ location: SourceLocation = #_sourceLocation) throws {
      let ids = try store.read {
        try $0.query("SELECT id FROM item ORDER BY s COLLATE BINARY").map(\.values)
      }
      let shown = try results.snapshot.materialized()
      #expect(shown.sections.flatMap(\.rows).map(\.id.keyValues) == ids, sourceLocation: location)
      #expect(recorder.contents.sections == shown.sections, sourceLocation: location)
      #expect(recorder.violations == [], sourceLocation: location)
    }
  }

  @Test(arguments: Kind.allCases, Action.allCases)
  func whatIsReadBehindATransactionIsOneState(_ kind: Kind, _ action: Action) throws {
    for skipped in Self.ends {
      let world = try World(kind)
      try world.load()
      try world.arm(skipping: skipped, first: (3, "s900"), second: (7, "s800"))
      switch action {
      case .load: try world.results.load()
      case .update:
        try world.results.update(to: World.plan(world.meddler.collation, filter: "\"v\" >= 0"))
      case .foreignWrite:
        try world.writer.write { try $0.execute(sql: "UPDATE item SET v = 1 WHERE id = 1") }
      }
      world.disarm()
      try world.results.load()
      try world.store.checkForExternalChanges()
      try world.check()
      try world.store.close()
    }
  }

  /// A row that goes away and comes back looks like one that never moved.
  ///
  /// Not of a queue, which holds no state while it tells of a load: there a row may be changed by
  /// then.
  @Test(arguments: [Kind.pool])
  func digestsBehindALoadAreOfTheRowsThatItRead(_ kind: Kind) throws {
    for skipped in 0..<8 {
      let world = try World(kind)
      try world.arm(skipping: skipped, first: (3, "s900"), second: (3, "s003"))
      try world.load()
      world.disarm()
      try world.store.checkForExternalChanges()
      try world.check()
      try world.store.close()
    }
  }
}
