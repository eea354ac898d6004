import Dispatch
import Foundation
import SectileCore
import SectileStore
import SectileTestHelpers
import Testing

/// What a store says to whoever watches over it.
@Suite(.timeLimit(.minutes(60))) struct HealthTests {
  private static let table = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
  private static let plan = FetchPlan(
    table: "item", keyColumns: ["id"], itemColumns: ["id", "name"])

  /// Limits that a disk of any size meets, and a machine that has much to do.
  private static var lenient: Store.Health.Limits {
    var limits = Store.Health.Limits()
    limits.freeByteCount = 0
    limits.readingTime = .seconds(3_600)
    return limits
  }

  private func codes(_ health: Store.Health) -> [Store.Health.Code] { health.reasons.map(\.code) }

  private func json(_ health: Store.Health) throws -> String {
    String(decoding: try JSONEncoder().encode(health), as: UTF8.self)
  }

  @Test(arguments: StorageKind.allCases)
  func aNewStoreIsWell(kind: StorageKind) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute(Self.table) }
      let health = store.health(within: Self.lenient)
      #expect(health.kind == .ok, "\(health)")
      #expect(health.suggestedStatus == 200)
      #expect(try json(health) == #"{"status":"ok"}"#)
      #expect(health.description == "ok")
    }
  }

  @Test func aTaskAsksToo() async throws {
    let store = try Store.inMemory()
    #expect(await store.health(within: Self.lenient).kind == .ok)
    try await store.close()
    #expect(await store.health(within: Self.lenient).kind == .failed)
  }

  @Test(arguments: StorageKind.allCases)
  func aClosedStoreHasFailed(kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder)
    try store.close()
    let health = store.health(within: Self.lenient)
    #expect(health.kind == .failed)
    #expect(health.suggestedStatus == 503)
    #expect(codes(health) == [.closed])
  }

  @Test func aReplacedFileHasFailedAndALinkedOneIsDegraded() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try Store.open(at: path)
    try store.write { try $0.execute(Self.table) }
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("other.sqlite"))
    let linked = store.health(within: Self.lenient)
    #expect(linked.kind == .degraded)
    #expect(codes(linked) == [.fileLinked])
    try FileManager.default.removeItem(atPath: folder.file("other.sqlite"))
    #expect(store.health(within: Self.lenient).kind == .ok)
    #expect(rename(path, path + ".old") == 0)
    let replaced = store.health(within: Self.lenient)
    #expect(replaced.kind == .failed)
    #expect(replaced.reasons.first?.code == .fileReplaced)
    #expect(!replaced.description.contains(folder.path))
    #expect(rename(path + ".old", path) == 0)
    #expect(store.health(within: Self.lenient).kind == .ok)
    try store.close()
  }

  @Test func resultsThatAreOutOfDateAreNamedByTheirTables() throws {
    try withStore(.memory) { store in
      try store.write { transaction in
        try transaction.execute(Self.table)
        try transaction.execute("INSERT INTO item VALUES (1, 'secret')")
      }
      let results = try store.results(of: Self.plan)
      let others = try store.results(of: Self.plan)
      try results.load()
      #expect(store.health(within: Self.lenient).kind == .ok)
      try store.write { try $0.execute("ALTER TABLE item RENAME TO gone") }
      #expect(throws: StoreError.self) { try results.load() }
      let health = store.health(within: Self.lenient)
      #expect(health.kind == .degraded)
      #expect(codes(health) == [.resultsFailed])
      #expect(health.reasons.first?.message.contains("item (") == true, "\(health)")
      #expect(!health.description.contains("secret"))
      try store.write { try $0.execute("ALTER TABLE gone RENAME TO item") }
      try results.load()
      #expect(store.health(within: Self.lenient).kind == .ok)
      withExtendedLifetime(others) {}
    }
  }

  @Test func aLongLogAndAFullDiskAreDegraded() throws {
    try withStore(.file) { store in
      try store.write { try $0.execute(Self.table) }
      var limits = Self.lenient
      limits.logByteCount = 0
      #expect(codes(store.health(within: limits)) == [.logGrowing])
      limits = Self.lenient
      limits.freeByteCount = .max
      let health = store.health(within: limits)
      #expect(health.kind == .degraded)
      #expect(health.suggestedStatus == 200)
      #expect(codes(health) == [.diskNearlyFull])
    }
  }

  @Test func aLongChangeLogIsDegraded() throws {
    try withStore(.file) { store in
      try store.write { try $0.execute(Self.table) }
      try store.changeLog.enable()
      for id in 1...5 {
        try store.write { try $0.execute("INSERT INTO item VALUES (?, 'x')", id) }
      }
      #expect(store.health(within: Self.lenient).kind == .ok)
      var limits = Self.lenient
      limits.changeLogRowCount = 4
      #expect(codes(store.health(within: limits)) == [.changeLogGrowing])
    }
  }

  @Test(arguments: [StorageKind.memory, .file])
  func whoAsksInsideOfAClosureIsAnswered(kind: StorageKind) throws {
    try withStore(kind) { store in
      let health = try store.write { transaction in
        try transaction.execute(Self.table)
        return store.health(within: Self.lenient)
      }
      #expect(health.kind == .ok, "\(health)")
    }
  }

  /// A store in memory has one connection, which somebody keeps.
  @Test func whoAsksIsAnsweredWhileOthersRead() throws {
    let store = try Store.inMemory()
    let (isHeld, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isOver = DispatchSemaphore(value: 0)
    DispatchQueue(label: "somebody").async {
      try? store.read { _ in
        isHeld.signal()
        mayEnd.wait()
      }
      isOver.signal()
    }
    isHeld.wait()
    var limits = Self.lenient
    limits.readingTime = .zero
    let health = store.health(within: limits)
    #expect(health.kind == .degraded)
    #expect(health.suggestedStatus == 200)
    #expect(codes(health) == [.busy])
    mayEnd.signal()
    isOver.wait()
    #expect(store.health(within: Self.lenient).kind == .ok)
    // What nobody has waited for is read all the same.
    try store.close()
  }

  @Test func healthIsReadBack() throws {
    let store = try Store.inMemory()
    for _ in 0..<2 {
      let health = store.health(within: Self.lenient)
      let data = try JSONEncoder().encode(health)
      #expect(try JSONDecoder().decode(Store.Health.self, from: data) == health)
      try store.close()
    }
    let newer = #"{"status":"tired","reasons":[{"code":"late","message":"It is late."}]}"#
    let health = try JSONDecoder().decode(Store.Health.self, from: Data(newer.utf8))
    #expect(health.kind.description == "tired")
    #expect(health.reasons.first?.code.description == "late")
  }
}
