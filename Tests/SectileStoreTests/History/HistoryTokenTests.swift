import Foundation
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

@Suite(.timeLimit(.minutes(60))) struct HistoryTokenTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(
    _ name: String = "data.sqlite", retention: StoreConfiguration.ChangeLogRetention = .init()
  ) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.changeLogRetention = retention
    let store = try Store.open(at: folder.file(name), configuration: configuration)
    try store.write { try $0.execute("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY)") }
    try store.changeLog.enable()
    return store
  }

  private func insert(_ count: Int, into store: Store) throws {
    for _ in 0..<count { try store.write { try $0.execute("INSERT INTO t DEFAULT VALUES") } }
  }

  private func reset(_ store: Store, _ token: ChangeToken) throws -> ResetReason? {
    let page = try store.history(since: token)
    if page.reset != nil {
      #expect(page.transactions.isEmpty)
      #expect(try store.history(since: page.token).reset == nil)
    }
    return page.reset
  }

  @Test func whatWasRemovedIsSaid() throws {
    let store = try makeStore()
    try insert(3, into: store)
    let early = try store.history(since: nil).transactions[0].token
    try insert(20, into: store)
    let late = try store.history(since: nil).token
    #expect(try store.changeLog.prune(keeping: 5) > 0)
    #expect(try reset(store, early) == .pruned)
    #expect(try reset(store, late) == nil)
    #expect(try !store.history(since: nil).transactions.isEmpty)
  }

  @Test func otherStoresAreSaid() throws {
    let store = try makeStore()
    let other = try makeStore("other.sqlite")
    #expect(try reset(store, other.history(since: nil).token) == .otherStore)
  }

  @Test func aLogThatIsSwitchedOnAgainIsAnother() throws {
    let store = try makeStore()
    try insert(1, into: store)
    let token = try store.history(since: nil).token
    try store.changeLog.disable()
    try store.changeLog.enable()
    #expect(try reset(store, token) != nil)
  }

  @Test func restoredBackupsAreSaid() throws {
    let store = try makeStore()
    try insert(2, into: store)
    let early = try store.history(since: nil).token
    try store.backup(to: folder.file("copy.sqlite"))
    try insert(2, into: store)
    let late = try store.history(since: nil).token
    try store.close()
    let restored = try Store.open(at: folder.file("copy.sqlite"))
    #expect(try reset(restored, early) == nil)
    #expect(try reset(restored, late) == .ahead)
    try insert(8, into: restored)
    #expect(try reset(restored, late) == .rewritten)
    #expect(try restored.history(since: early).transactions.count == 8)
  }

  @Test(arguments: [false, true])
  func theReportOfABackupLeadsToWhatTheCopyLacks(fromATool: Bool) throws {
    let store = try makeStore()
    try insert(2, into: store)
    let copy = folder.file("copy.sqlite")
    let report =
      fromATool
      ? try InspectionConnection(path: folder.file("data.sqlite")).backup(to: copy)
      : try store.backup(to: copy)
    let token = try #require(report.token)
    #expect(try token == store.history(since: nil).token)
    try insert(3, into: store)
    #expect(try store.history(since: token).transactions.count == 3)
    let restored = try Store.open(at: copy)
    #expect(try restored.history(since: token).transactions.isEmpty)
    #expect(try reset(restored, token) == nil)
    #expect(try restored.verifyChangeLog(limit: 1)?.problems.isEmpty == true)
  }

  @Test func aBackupWithoutALogHasNoToken() throws {
    let store = try makeStore()
    try store.changeLog.disable()
    #expect(try store.backup(to: folder.file("copy.sqlite")).token == nil)
  }

  @Test func readersHoldRowsBackUpToACap() throws {
    var retention = StoreConfiguration.ChangeLogRetention()
    retention.rowCount = 5
    retention.heldRowCount = 60
    let store = try makeStore(retention: retention)
    try insert(1, into: store)
    let token = try store.history(since: nil).token
    #expect(try store.changeLog.register("replica", at: token) == nil)
    #expect(try store.changeLog.status()?.readers.map(\.name) == ["replica"])
    try insert(15, into: store)
    try store.changeLog.prune()
    #expect(try reset(store, token) == nil)
    try insert(40, into: store)
    try store.changeLog.prune()
    #expect(try reset(store, token) == .pruned)
    #expect(try store.changeLog.register("replica", at: token) == .pruned)
    #expect(try store.changeLog.unregister("replica"))
    #expect(try !store.changeLog.unregister("replica"))
    try store.changeLog.prune()
    let status = try #require(try store.changeLog.status())
    #expect(status.head - status.oldest < 10)
  }

  @Test func aLeaseIsNotWrittenEachTime() throws {
    let store = try makeStore()
    let token = try store.history(since: nil).token
    try store.changeLog.register("replica", at: token)
    let head = try store.changeLog.status()?.head
    try store.changeLog.register("replica", at: token)
    #expect(try store.changeLog.status()?.head == head)
    try insert(600, into: store)
    try store.changeLog.register("replica", at: store.history(since: nil, limit: 5_000).token)
    #expect(try store.changeLog.status()?.readers.first?.sequence ?? 0 > 1_000)
  }
}
