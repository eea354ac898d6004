import SectileCore
import SectileStore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileHub

/// Keys that the hub makes before there is a row.
@Suite(.timeLimit(.minutes(60))) struct KeyReserveTests {
  private static func open(_ bench: ReplicaBench) async throws -> Replica {
    try await bench.open { $0.offlineTables = ["parcel"] }
  }

  private static func ids(_ bench: ReplicaBench, _ replica: Replica) throws -> [StoredValue] {
    try bench.rows(replica, columns: ["id"]).compactMap(\.first)
  }

  private static func count(_ replica: Replica) async throws -> Int {
    try await replica.store.read { try KeyReserve.count(of: "parcel", in: $0) }
  }

  /// The kind of error that a closure throws; nil where it throws none of a hub's.
  private static func code(of body: () async throws -> Void) async -> HubError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? HubError)?.code
    }
  }

  @Test func newKeyIsKnownBeforeTheRowIsWritten() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(4)])
    let replica = try await Self.open(bench)
    let id = try await replica.newKey(of: "parcel", as: Int64.self)
    #expect(id == 5)
    try await replica.write { try $0.insert(into: "parcel", values: ["id": id, "depot": 1]) }
    #expect(try Self.ids(bench, replica) == [4, 5])
    let next = try await replica.newKey(of: "parcel", as: Int64.self)
    #expect(next == 6)
    // Nothing is kept where nobody asked for it.
    #expect(try await Self.count(replica) == 0)
    try await replica.close()
  }

  @Test func keysWhoseAnswerIsLostAreNotGivenOutAgain() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    let other = bench.hub.link(for: "b")
    bench.hub.faults.lostAnswer = 1
    let lost = await Self.code { _ = try await other.reserveKeys(of: "parcel", count: 5) }
    #expect(lost == .unavailable)
    bench.hub.faults.lostAnswer = 0
    let id = try await replica.newKey(of: "parcel", as: Int64.self)
    #expect(id == 6)
    try await replica.close()
  }

  @Test func hubThatDoesNotAnswerIsAskedAgain() async throws {
    let sink = ForgetfulSink()
    let made = try await sink.reserveKeys(of: "parcel", count: 2, within: .seconds(60))
    #expect(made.column == "id")
    #expect(made.values == [30, 31])
  }

  @Test func rowsWithoutAKeyTakeReservedOnesWithoutTheHub() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await replica.reserveKeys(of: "parcel", count: 3)
    bench.hub.isReachable = false
    let own = try await replica.newKey(of: "parcel", as: Int64.self)
    #expect(own == 1)
    try await replica.enqueue { changes in
      try changes.insert(into: "parcel", values: ["depot": 7])
      try changes.insert(into: "parcel", values: ["depot": 8])
    }
    #expect(try Self.ids(bench, replica) == [2, 3])
    let changes = try await replica.outbox().flatMap(\.changes)
    let keys = changes.map { change -> StoredValue? in
      if case .insert(_, let values) = change { values["id"] } else { nil }
    }
    #expect(keys == [2, 3])
    let error = await #expect(throws: HubError.self) {
      try await replica.enqueue { try $0.insert(into: "parcel", values: ["depot": 9]) }
    }
    #expect(error?.code == .keysUsedUp)
    #expect(error?.hint != nil)
    #expect(try await replica.outbox().count == 1)
    bench.hub.isReachable = true
    try await eventually("the hub has made more keys") { try await Self.count(replica) == 3 }
    try await replica.enqueue { try $0.insert(into: "parcel", values: ["depot": 9]) }
    try await eventually("the outbox is empty") { try await replica.outbox().isEmpty }
    #expect(bench.hub.rows(of: "parcel").compactMap(\.first) == [2, 3, 4])
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func reserveOutlivesTheProcessAndIsFilledUpWhereItIsLow() async throws {
    let bench = try ReplicaBench()
    let first = try await Self.open(bench)
    try await first.reserveKeys(of: "parcel", count: 4)
    try await first.close()
    bench.hub.isReachable = false
    let replica = try await Self.open(bench)
    // What is full asks nobody.
    try await replica.reserveKeys(of: "parcel", count: 4)
    var keys: [Int64] = []
    for _ in 0..<3 { keys.append(try await replica.newKey(of: "parcel", as: Int64.self)) }
    #expect(keys == [1, 2, 3])
    bench.hub.isReachable = true
    try await eventually("there are as many as are wanted") { try await Self.count(replica) == 4 }
    let next = try await replica.newKey(of: "parcel", as: Int64.self)
    #expect(next == 4)
    try await replica.reserveKeys(of: "parcel", count: 10)
    #expect(try await Self.count(replica) == 10)
    try await replica.close()
  }

  @Test func entryThatIsRefusedHereTakesNoKey() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await replica.reserveKeys(of: "parcel", count: 2)
    let code = await Self.code {
      try await replica.enqueue { changes in
        try changes.insert(into: "parcel", values: ["depot": 7])
        try changes.insert(into: "parcel", values: ["id": 50])
      }
    }
    #expect(code == .invalidSubscription)
    #expect(try await Self.count(replica) == 2)
    #expect(try Self.ids(bench, replica).isEmpty)
    try await replica.close()
  }

  @Test func keysOfAHubThatMayMakeThemAgainAreGivenUp() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await replica.reserveKeys(of: "parcel", count: 4)
    bench.hub.promoteCopy(lacking: 0)
    try await eventually("the rows were compared, and other keys are there") {
      guard bench.resyncs.contains(where: { $0.reason == .otherTimeline }) else { return false }
      return try await Self.count(replica) == 4
    }
    let next = try await replica.newKey(of: "parcel", as: Int64.self)
    #expect(next == 5)
    try await replica.close()
  }

  @Test func reserveThatIsNotWantedAnyMoreIsGone() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await replica.reserveKeys(of: "parcel", count: 4)
    try await replica.reserveKeys(of: "parcel", count: 0)
    #expect(try await Self.count(replica) == 0)
    let code = await Self.code {
      try await replica.enqueue { try $0.insert(into: "parcel", values: ["depot": 7]) }
    }
    #expect(code == .invalidSubscription)
    try await replica.close()
  }

  @Test func whatCannotBeMadeIsSaid() async throws {
    let tag = SyncedTable(name: "tag", columns: [.init("name", .text)], key: ["name"])
    let bench = try ReplicaBench(tables: [Parcel.table, tag])
    let replica = try await bench.open(["parcel", "tag"]) { $0.writeTimeout = .milliseconds(100) }
    let foreign = await Self.code { _ = try await replica.newKey(of: "depot", as: Int64.self) }
    #expect(foreign == .noSuchTable)
    let unmade = await Self.code { _ = try await replica.newKey(of: "tag", as: String.self) }
    #expect(unmade == .invalidSubscription)
    let mistyped = await Self.code { _ = try await replica.newKey(of: "parcel", as: String.self) }
    #expect(mistyped == .invalidSubscription)
    bench.hub.isReachable = false
    let unreachable = await Self.code { try await replica.reserveKeys(of: "parcel", count: 1) }
    #expect(unreachable == .unavailable)
    try await replica.close()
  }

  @Test func hubThatMakesNoKeysSaysSo() async throws {
    let sink = GatedSink(InMemoryHub(tables: [Parcel.table]), isOpen: true)
    let code = await Self.code { _ = try await sink.reserveKeys(of: "parcel", count: 1) }
    #expect(code == .invalidSubscription)
  }
}

/// A hub whose first two answers are lost.
private final class ForgetfulSink: MutationSink {
  private let asked = Mutex(0)

  func perform(_ mutation: Mutation) async throws -> MutationResult { .applied }

  func reserveKeys(
    of table: String, count: Int
  ) async throws -> (column: String, values: [StoredValue]) {
    let number = asked.withLock { asked in
      asked += 1
      return asked
    }
    guard number > 2 else { throw HubError(.unavailable, message: "The answer is lost") }
    return ("id", (0..<count).map { .integer(Int64(number * 10 + $0)) })
  }
}
