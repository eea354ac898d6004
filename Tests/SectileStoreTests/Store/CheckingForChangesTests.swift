import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileCore
@testable import SectileStore

/// What a call of `checkForExternalChanges()` finds has been told when the call returns.
@Suite(.timeLimit(.minutes(60))) struct CheckingForChangesTests {
  /// A delegate that stays in a callback until it is told to go on.
  private final class SlowDelegate: DataSourceDelegate {
    let entered = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    private let state = Mutex((stays: false, ends: 0))
    private let inside: @Sendable () -> Void

    /// - Parameter inside: Called in the callback in which it stays.
    init(inside: @escaping @Sendable () -> Void = {}) { self.inside = inside }

    var endCount: Int { state.withLock { $0.ends } }

    func stayInNext() { state.withLock { $0.stays = true } }

    func dataSource(
      _ source: any DataSource<UntypedRow.ID, UntypedRow>,
      didPartiallyLoad changes: Changeset<UntypedRow.ID, UntypedRow>
    ) {
      guard state.withLock({ exchange(&$0.stays, with: false) }) else { return }
      inside()
      entered.signal()
      goOn.wait()
    }

    func dataSourceDidFinishLoading(_ source: any DataSource<UntypedRow.ID, UntypedRow>) {
      state.withLock { $0.ends += 1 }
    }
  }

  private struct World: Sendable {
    let folder: TemporaryFolder
    let store: Store
    let results: SectionedResults<UntypedRow>

    init(_ delegate: any DataSourceDelegate<UntypedRow.ID, UntypedRow>) throws {
      folder = try TemporaryFolder()
      store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
      try store.write { try $0.execute(SmallWorld.schema) }
      results = try store.results(of: SmallWorld.plan)
      results.delegate = delegate
      try results.load()
    }

    func writeElsewhere(_ sql: String) throws {
      try ForeignConnection(folder.file("store.sqlite")).execute(sql)
    }
  }

  @Test func aCallWaitsForWhoeverIsTelling() throws {
    let delegate = SlowDelegate()
    let world = try World(delegate)
    let ends = delegate.endCount
    try world.writeElsewhere("UPDATE item SET v = 'elsewhere' WHERE id = 2")
    delegate.stayInNext()
    Thread.detachNewThread { try? world.store.checkForExternalChanges() }
    delegate.entered.wait()
    let isBack = Atomic(false)
    let told = Atomic(0)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { try world.store.checkForExternalChanges() } catch { Issue.record(error) }
      told.store(delegate.endCount - ends, ordering: .relaxed)
      isBack.store(true, ordering: .sequentiallyConsistent)
      end.signal()
    }
    // It waits in line behind the one that is told, or is back already.
    while !world.results.isAwaited, !isBack.load(ordering: .sequentiallyConsistent) {
      sched_yield()
    }
    delegate.goOn.signal()
    end.wait()
    #expect(told.load(ordering: .relaxed) == 1)
    let item = try world.results.item(at: ItemPath(section: 0, item: 1))
    #expect(item.row["v"] == .text("elsewhere"))
    try world.store.close()
  }

  @Test func aCallInsideACallbackDoesNotWaitForIt() throws {
    let store = Mutex<Store?>(nil)
    let delegate = SlowDelegate {
      do { try store.withLock { $0 }?.checkForExternalChanges() } catch { Issue.record(error) }
    }
    let world = try World(delegate)
    store.withLock { $0 = world.store }
    delegate.goOn.signal()
    delegate.stayInNext()
    try endingInTime {
      try world.store.write { try $0.execute("UPDATE item SET v = 'own' WHERE id = 2") }
    }
    store.withLock { $0 = nil }
    try world.store.close()
  }

  @Test func aCallBehindACancelledLoadReturns() throws {
    let delegate = SlowDelegate()
    let world = try World(delegate)
    try world.writeElsewhere("UPDATE item SET v = 'elsewhere' WHERE id = 2")
    delegate.stayInNext()
    Thread.detachNewThread { try? world.store.checkForExternalChanges() }
    delegate.entered.wait()
    let isBack = Atomic(false)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      do { try world.store.checkForExternalChanges() } catch { Issue.record(error) }
      isBack.store(true, ordering: .sequentiallyConsistent)
      end.signal()
    }
    while !world.results.isAwaited, !isBack.load(ordering: .sequentiallyConsistent) {
      sched_yield()
    }
    // Waits for the callback, and drops what stands behind it before.
    Thread.detachNewThread { world.results.cancel() }
    end.wait()
    delegate.goOn.signal()
    try endingInTime { try world.store.close() }
  }

  @Test(arguments: [StorageKind.file, .adoptedQueue, .adoptedPool])
  func whatIsWrittenThroughGRDBIsToldByTheCall(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    let results = try store.results(of: SmallWorld.plan)
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    results.delegate = recorder
    try results.load()
    let writer = store.databaseWriter
    for number in 0..<100 {
      try writer.write { try $0.execute(sql: "UPDATE item SET v = \(number) WHERE id = 2") }
      try store.checkForExternalChanges()
      try recorder.check(against: results)
      let item = try results.item(at: ItemPath(section: 0, item: 1))
      try #require(item.row["v"] == .text("\(number)"))
    }
    try store.close()
  }

  /// GRDB knows nothing of the rows that a function writes.
  @Test(
    arguments: [StorageKind.file, .adoptedQueue, .adoptedPool],
    ["SELECT put(?)", "UPDATE item SET v = put(?) WHERE id = 3"])
  func whatAFunctionWritesIsToldByTheCall(_ kind: StorageKind, sql: String) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    let writer = store.databaseWriter
    writer.writeWithoutTransaction { db in
      // Its address, since a pointer is not Sendable.
      let connection = UInt(bitPattern: db.sqliteConnection)
      db.add(
        function: DatabaseFunction("put", argumentCount: 1) { values in
          let number = Int64.fromDatabaseValue(values[0]) ?? -1
          let update = "UPDATE item SET v = 'f\(number)' WHERE id = 2"
          let code = sqlite3_exec(OpaquePointer(bitPattern: connection), update, nil, nil, nil)
          guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
          }
          return "g\(number)"
        })
    }
    let results = try store.results(of: SmallWorld.plan)
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    results.delegate = recorder
    try results.load()
    for number in 0..<30 {
      try writer.write { try $0.execute(sql: sql, arguments: [number]) }
      try store.checkForExternalChanges()
      try recorder.check(against: results)
      let item = try results.item(at: ItemPath(section: 0, item: 1))
      try #require(item.row["v"] == .text("f\(number)"))
    }
    try store.close()
  }

  @Test(
    arguments: [
      "DROP TRIGGER sectile_log_1_delete", "CREATE UNIQUE INDEX pair ON item (s, k)",
      """
      CREATE TABLE other (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT, u TEXT UNIQUE);
      INSERT INTO other SELECT * FROM item; DROP TABLE item; ALTER TABLE other RENAME TO item
      """,
    ], [true, false])
  func aCallMendsTheChangeLogThatOthersHaveCutOff(_ sql: String, follows: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(SmallWorld.schema) }
    try store.changeLog.enable()
    let results = try store.results(of: SmallWorld.plan)
    if follows { try results.load() }
    let other = try ForeignConnection(folder.file("store.sqlite"))
    try other.commit(sql)
    #expect(try store.changeLog.status()?.tables.allSatisfy(\.isIntact) == false)
    try store.checkForExternalChanges()
    #expect(try store.changeLog.status()?.tables.allSatisfy(\.isIntact) == true)
    let token = try store.history().token
    try other.execute("DELETE FROM item WHERE id = 4")
    let changes = try store.history(since: token).transactions.flatMap(\.changes)
    #expect(changes.map(\.operation) == [.delete])
    other.close()
    try store.close()
  }
}

extension SectionedResults {
  /// Whether something waits behind the change that is being told.
  fileprivate var isAwaited: Bool { tracker.hub.state.withLock { !$0.tickets.isEmpty } }
}
