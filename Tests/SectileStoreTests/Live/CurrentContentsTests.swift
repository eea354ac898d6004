import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Reads of all that results show are of one commit, whoever writes.
@Suite(.timeLimit(.minutes(60))) struct CurrentContentsTests {
  typealias Contents = SectionedContents<UntypedRow.ID, UntypedRow>

  private static let rowCount = 40

  /// What the table holds after so many commits: each moves something from one row to another.
  private struct Model {
    struct Row: Equatable {
      var (s, k, v) = ("A", 100, 0)
    }

    var rows: [Int: Row] = [:]

    init(commits: Int) {
      for id in 1...rowCount { rows[id] = Row() }
      guard commits > 0 else { return }
      for number in 1...commits { apply(number) }
    }

    mutating func apply(_ number: Int) {
      let (from, to, amount) = Self.move(number)
      rows[from]?.k -= amount
      rows[to]?.k += amount
      rows[to]?.s = Self.section(number)
      rows[to]?.v = number
    }

    static func move(_ number: Int) -> (from: Int, to: Int, amount: Int) {
      let to = number * 7 % rowCount
      return (from: (to + 13) % rowCount + 1, to: to + 1, amount: number % 5)
    }

    static func section(_ number: Int) -> String { ["A", "B", "C"][number % 3] }

    static func sql(_ number: Int) -> String {
      let (from, to, amount) = move(number)
      return """
        UPDATE item SET k = k + CASE id WHEN \(to) THEN \(amount) ELSE -\(amount) END,
          s = CASE id WHEN \(to) THEN '\(section(number))' ELSE s END,
          v = CASE id WHEN \(to) THEN \(number) ELSE v END
        WHERE id IN (\(from), \(to));
        """
    }
  }

  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k INTEGER, v INTEGER);
    WITH RECURSIVE number(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM number WHERE id < 40)
    INSERT INTO item SELECT id, 'A', 100, 0 FROM number;
    """

  private static let plan: FetchPlan = {
    var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "v"])
    plan.batchSize = 5
    return plan
  }()

  private static func integer(_ value: StoredValue?) -> Int {
    if case .integer(let number)? = value { Int(number) } else { -1 }
  }

  /// The number of the commit that left these contents; an error where it was none.
  private static func commit(of contents: Contents) throws -> Int {
    var rows: [Int: Model.Row] = [:]
    for section in contents.sections {
      var last = (Int.min, 0)
      for row in section.rows {
        let (values, id) = (row.item.row, integer(row.item.row["id"]))
        guard case .text(let s)? = values["s"], section.header.identity == .text(s) else {
          throw Wrong(description: "\(values) is in \(section.header)")
        }
        rows[id] = Model.Row(s: s, k: integer(values["k"]), v: integer(values["v"]))
        guard last < (integer(values["k"]), id) else {
          throw Wrong(description: "\(values) comes after \(last)")
        }
        last = (integer(values["k"]), id)
      }
    }
    let number = rows.values.map(\.v).max() ?? 0
    guard rows == Model(commits: number).rows else {
      throw Wrong(description: "\(rows) is not what commit \(number) left")
    }
    return number
  }

  private struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Somebody who writes until told to stop.
  private final class Writer: Sendable {
    private let state = Mutex<(isOver: Bool, count: Int)>((false, 0))
    private let end = DispatchSemaphore(value: 0)

    var count: Int { state.withLock { $0.count } }

    /// - Parameters:
    ///   - pause: The microseconds between two commits.
    ///   - write: Commits with a number.
    init(every pause: UInt32, _ write: @escaping @Sendable (Int) throws -> Void) {
      Thread.detachNewThread { [self] in
        while !state.withLock({ $0.isOver }) {
          let number = state.withLock(\.count) + 1
          // A lock of others: tried again.
          if (try? write(number)) != nil { state.withLock { $0.count = number } }
          if pause > 0 { usleep(pause) }
        }
        end.signal()
      }
    }

    func stop() {
      state.withLock { $0.isOver = true }
      end.wait()
    }
  }

  /// Opens a store, and makes somebody else's connection to its file.
  private func open(
    _ kind: StorageKind, in folder: TemporaryFolder
  ) throws -> (store: Store, other: DatabaseQueue?) {
    let path = folder.file("store.sqlite")
    var waiting = Configuration()
    waiting.busyMode = .timeout(30)
    let store =
      switch kind {
      case .memory, .file: try kind.open(in: folder, configuration: SmallWorld.configuration)
      case .adoptedQueue:
        try Store(
          adopting: DatabaseQueue(path: path, configuration: waiting),
          configuration: SmallWorld.configuration)
      case .adoptedPool:
        try Store(
          adopting: DatabasePool(path: path, configuration: waiting),
          configuration: SmallWorld.configuration)
      }
    try store.write { try $0.execute(Self.schema) }
    guard kind != .memory else { return (store, nil) }
    waiting.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    return (store, try DatabaseQueue(path: path, configuration: waiting))
  }

  // MARK: - Beside others

  @Test(arguments: StorageKind.allCases, [0, 50_000] as [UInt32])
  func hundredReadsBesideOthersAreEachOfOneCommit(_ kind: StorageKind, pause: UInt32) throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(kind, in: folder)
    let results = try store.results(of: Self.plan)
    try results.load()
    let writer = Writer(every: kind == .adoptedQueue ? max(pause, 500) : pause) { number in
      if let other {
        try other.write { try $0.execute(sql: Model.sql(number)) }
      } else {
        try store.write { try $0.execute(Model.sql(number)) }
      }
    }
    defer { writer.stop() }
    #expect(waitedUntil { writer.count > 0 })
    let rounds = pause == 0 ? 100 : 20
    var last = 0
    for round in 0..<rounds {
      let before = writer.count
      let number = try Self.commit(of: results.contents())
      // Not older than what was there when it was asked for, and never older than the one before.
      #expect(number >= before && number >= last, "round \(round)")
      last = number
      if pause > 0 { usleep(pause / 2) }
    }
    #expect(last > 0)
  }

  @Test(arguments: [StorageKind.file, .adoptedPool])
  func readsOfManyThreadsBesideOthersAreEachOfOneCommit(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(kind, in: folder)
    let results = try store.results(of: Self.plan)
    try results.load()
    let writer = Writer(every: 300) { number in
      try other?.write { try $0.execute(sql: Model.sql(number)) }
    }
    defer { writer.stop() }
    let problems = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<12 {
        do {
          _ = try Self.commit(of: results.contents())
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
  }

  @Test func readsBesideAnotherProcessAreEachOfOneCommit() throws {
    guard let shell = ForeignProgram.shellPath(for: #function) else { return }
    let folder = try TemporaryFolder()
    let (store, _) = try open(.file, in: folder)
    let results = try store.results(of: Self.plan)
    try results.load()
    let script = (1...4_000).map(Model.sql).joined(separator: "\n")
    try folder.write(
      "PRAGMA busy_timeout = 30000; PRAGMA synchronous = OFF;\n" + script, to: "script.sql")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = [folder.file("store.sqlite"), ".read \(folder.file("script.sql"))"]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var commits: [Int] = []
    repeat {
      commits.append(try Self.commit(of: results.contents()))
    } while commits.count < 100 || process.isRunning
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(commits == commits.sorted())
    #expect(try Self.commit(of: results.contents()) == 4_000)
    try store.close()
  }

  @Test func hundredTasksReadEachOneCommit() async throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(.file, in: folder)
    let results = try store.results(of: Self.plan)
    try await results.load()
    let writer = Writer(every: 1_000) { number in
      try other?.write { try $0.execute(sql: Model.sql(number)) }
    }
    defer { writer.stop() }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { try await Self.commit(of: results.contents()) }
      }
      for try await number in group { #expect(number >= 0) }
    }
  }

  // MARK: - What comes after

  @Test(arguments: [StorageKind.memory, .file, .adoptedPool])
  func whatIsDeliveredAfterwardsLeadsOnFromTheContents(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(kind, in: folder)
    let results = try store.results(of: Self.plan)
    let changesets = Mutex<[Changeset<UntypedRow.ID, UntypedRow>]>([])
    let token = results.observe(on: .immediate) { event in
      if case .didPartiallyLoad(let changes) = event { changesets.withLock { $0.append(changes) } }
    }
    try results.load()
    let writer = Writer(every: 200) { number in
      // Now the store, now somebody else.
      if let other, number % 3 != 0 {
        try other.write { try $0.execute(sql: Model.sql(number)) }
      } else {
        try store.write { try $0.execute(Model.sql(number)) }
      }
    }
    var joined: [Contents] = []
    for _ in 0..<30 { joined.append(try results.contents()) }
    writer.stop()
    let last = try results.contents()
    #expect(last.version == results.version)
    token.cancel()
    for var contents in joined {
      for changes in changesets.withLock({ $0 }) where changes.sourceVersion >= contents.version {
        try contents.apply(changes)
      }
      #expect(contents == last)
    }
    #expect(try Self.commit(of: last) == writer.count)
  }

  @Test(arguments: [StorageKind.file, .adoptedPool, .adoptedQueue])
  func whatOthersWroteIsInTheContentsAndDelivered(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(kind, in: folder)
    let live = try LiveResults<UntypedRow>(Self.plan, in: store)
    live.recorder.reset()
    try other?.write { try $0.execute(sql: Model.sql(1)) }
    // The version that is shown cannot be read any more, and says so.
    let snapshot = live.results.snapshot
    try expectStoreError(.itemChangedElsewhere) { try snapshot.materialized() }
    #expect(try Self.commit(of: live.results.contents()) == 1)
    #expect(live.recorder.changesets.count == 1)
    try live.check()
    #expect(try Self.commit(of: live.results.snapshot.materialized()) == 1)
  }

  @Test(arguments: StorageKind.allCases)
  func contentsAreThoseOfTheSnapshotWhereNobodyWrites(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let (store, _) = try open(kind, in: folder)
    let results = try store.results(of: Self.plan)
    #expect(try results.contents() == Contents())
    try results.load()
    for number in 1...5 {
      try store.write { try $0.execute(Model.sql(number)) }
      let contents = try results.contents()
      #expect(try contents == results.snapshot.materialized())
      #expect(try Self.commit(of: contents) == number)
    }
    results.cancel()
    try store.write { try $0.execute(Model.sql(6)) }
    #expect(try results.contents().version == results.version)
  }

  @Test func contentsInsideACallbackAreTheNewest() throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(.file, in: folder)
    let results = try store.results(of: Self.plan)
    try results.load()
    let found = Mutex<[(commit: Int, version: Int, shown: Int)]>([])
    let token = results.observe(on: .immediate) { [weak results] event in
      guard case .didPartiallyLoad = event, let results, found.withLock({ $0.isEmpty }) else {
        return
      }
      try? other?.write { try $0.execute(sql: Model.sql(2)) }
      if let contents = try? results.contents(), let commit = try? Self.commit(of: contents) {
        let shown = results.version
        found.withLock { $0.append((commit, contents.version, shown)) }
      }
    }
    try store.write { try $0.execute(Model.sql(1)) }
    token.cancel()
    let (commit, version, shown) = try #require(found.withLock { $0.first })
    #expect(commit == 2 && version == shown + 1)
    #expect(results.version == version)
  }

  // MARK: - Where there is nothing to read

  @Test func closedStoresAndClosuresOfTheStoreRefuse() async throws {
    let folder = try TemporaryFolder()
    let (store, _) = try open(.file, in: folder)
    let results = try store.results(of: Self.plan)
    try await results.load()
    try await store.write { _ in
      _ = try expectStoreError(.reentrantAccess) { try results.contents() }
    }
    try await store.close()
    try await expectStoreError(.storeClosed) { try await results.contents() }
  }

  @Test func aTaskThatWasCancelledDoesNotRead() async throws {
    let folder = try TemporaryFolder()
    let (store, _) = try open(.file, in: folder)
    let results = try store.results(of: Self.plan)
    try await results.load()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await results.contents().count
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: - Snapshots

  /// A row whose decoding has somebody else write, once.
  struct Row: Entity, Equatable {
    static let whileDecoding = Mutex<(@Sendable () -> Void)?>(nil)

    static var schema: EntitySchema<Row> {
      EntitySchema("item", primaryKey: "id", attributes: .init("id", \.id), .init("v", \.v))
    }

    var id: Int64
    var v: Int64

    init(row: inout RowReader) throws {
      id = try row.next()
      v = try row.next()
      Self.whileDecoding.withLock { $0.take() }?()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(v)
    }
  }

  // One after the other: what is written while decoding is one variable.
  @Test(.serialized, arguments: [StorageKind.file, .adoptedPool])
  func aSnapshotIsReadInOneTransaction(_ kind: StorageKind) throws {
    let folder = try TemporaryFolder()
    let (store, other) = try open(kind, in: folder)
    let results = try store.results(of: FetchRequest<Row>().batchSize(5))
    try results.load()
    let snapshot = results.snapshot
    Row.whileDecoding.withLock {
      $0 = { try? other?.write { try $0.execute(sql: "UPDATE item SET v = 7") } }
    }
    #expect(
      try snapshot.materialized().sections.flatMap { $0.rows.map(\.item.v) }
        == Array(repeating: 0, count: Self.rowCount))
    #expect(Row.whileDecoding.withLock { $0 } == nil)
    #expect(
      try results.contents().sections.flatMap { $0.rows.map(\.item.v) }
        == Array(repeating: 7, count: Self.rowCount))
  }
}
