public import FoundationEssentials
public import SectileCore
public import SectileHub
internal import Synchronization

/// A hub in memory: tables, a log of commits, and whatever goes wrong with real ones.
///
/// It follows the rules of a hub that replicas rely on: commits in one order, a log that is kept
/// for each replica up to what the replica has confirmed, mutations that are performed once. Tests
/// have it fail: connections break, answers are lost, the log is given up, a copy that lacks the
/// last commits takes its place.
///
/// ```swift
/// let hub = InMemoryHub(tables: [SyncedTable(name: "parcel", columns: […], key: ["id"])])
/// try hub.commit([.insert(table: "parcel", values: ["id": .integer(1)])])
/// let link = hub.link(for: "a")
/// let replica = try await Replica.open(at: path, following: link, tables: ["parcel"])
/// hub.loseLog(of: "a", because: "wal_removed")
/// ```
///
/// Conditions of subscriptions are closures here, by their text.
public final class InMemoryHub: Sendable {
  /// Whether a row, with all columns of its table, meets a condition.
  public typealias Condition = @Sendable (_ row: [StoredValue]) -> Bool

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Who waits is resumed outside of it.
  private let state: Mutex<InMemoryHubState>
  let conditions: [String: Condition]

  /// Creates a hub whose tables are empty.
  ///
  /// - Parameters:
  ///   - tables: Its tables, with all columns. One named `SyncedTable.revisionColumn` counts the
  ///     changes of its row.
  ///   - conditions: What conditions of subscriptions mean, by their text.
  ///   - seed: Where its random numbers begin: positions, and faults that happen by chance.
  public init(tables: [SyncedTable], conditions: [String: Condition] = [:], seed: UInt64 = 0) {
    self.conditions = conditions
    state = Mutex(InMemoryHubState(tables: tables, random: SeededRandom(seed: seed)))
  }

  /// The way of one replica to the hub.
  ///
  /// - Parameter name: The replica's name, by which the hub keeps its log for it.
  /// - Returns: The way.
  public func link(for name: String) -> InMemoryHubConnection { InMemoryHubConnection(self, name) }

  /// What goes wrong by chance, from now on.
  public var faults: InMemoryHubFaults {
    get { state.withLock { $0.faults } }
    set { change { $0.faults = newValue } }
  }

  /// How far its log goes.
  public var position: HubPosition { state.withLock { $0.position } }

  /// How many commits its log has.
  public var commitCount: Int { state.withLock { $0.log.count } }

  /// The rows of a table that meet a condition, in the order of their keys, with all columns.
  public func rows(of table: String, where condition: String? = nil) -> [[StoredValue]] {
    let filter = condition.flatMap { conditions[$0] }
    return state.withLock { $0.sortedRows(of: table) }.filter { filter?($0) ?? true }
  }

  // MARK: - Writing

  /// Commits changes as a client that is no replica.
  ///
  /// - Throws: `MutationRejection`'s message as `HubError` with the code `rejected`; nothing is
  ///   committed then.
  public func commit(_ changes: [RowMutation]) throws {
    try change { state throws(HubError) in
      if let rejection = state.commit(changes, by: nil) {
        throw HubError(.rejected, message: rejection.message, rejection: rejection)
      }
    }
  }

  /// Performs a mutation, as a client whose answer is lost: also while nobody can reach the hub.
  ///
  /// - Throws: `HubError`: `mutationOutOfOrder`, `mutationReused`.
  @discardableResult
  public func perform(_ mutation: Mutation) throws -> MutationResult {
    try change { state throws(HubError) in try state.perform(mutation) }
  }

  /// Commits that all rows of a table go away.
  public func truncate(_ table: String) { change { $0.truncate(table) } }

  /// Commits a sign of life.
  public func beat(at date: Date = Date()) { change { $0.beat(at: date) } }

  /// Commits which versions of the schema the hub supports from here on.
  public func support(versions: ClosedRange<Int>) {
    change { state in
      state.versions = versions
      state.append(HubControlRecords(schemaVersions: versions))
    }
  }

  /// Adds a column to a table, with one value in all rows.
  public func addColumn(_ column: SyncedTable.Column, to table: String, value: StoredValue) {
    change { $0.addColumn(column, to: table, value) }
  }

  /// Changes rows of a table as the definition of a column does: no commit tells it.
  ///
  /// What the hub says of the table's definition (`HubState.definition`) is another text then.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - change: Returns what a row becomes, under the same key; nil for one that goes away.
  public func redefine(_ table: String, _ change: ([StoredValue]) -> [StoredValue]?) {
    let old = rows(of: table)
    let new = old.map(change)
    self.change { $0.redefine(table, replacing: old, with: new) }
  }

  /// Whether the hub tells its tables' definitions; without them nobody finds out about
  /// ``redefine(_:_:)``.
  public var tellsDefinitions: Bool {
    get { state.withLock { $0.tellsDefinitions } }
    set { change { $0.tellsDefinitions = newValue } }
  }

  // MARK: - What goes wrong

  /// Breaks all connections, once.
  public func breakConnections() { change { $0.connection += 1 } }

  /// Whether it can be reached at all.
  public var isReachable: Bool {
    get { state.withLock { $0.isReachable } }
    set {
      change { state in
        state.isReachable = newValue
        if !newValue { state.connection += 1 }
      }
    }
  }

  /// Gives up the log that it keeps for a replica.
  public func loseLog(of replica: String, because reason: String = "wal_removed") {
    change { state in
      state.slots[replica]?.lostBecause = reason
      state.connection += 1
    }
  }

  /// Forgets that it keeps a log for a replica.
  public func forget(_ replica: String) {
    change { state in
      state.slots[replica] = nil
      state.connection += 1
    }
  }

  /// Has a copy take its place that lacks the last commits, and keeps no log for anybody.
  ///
  /// - Parameter count: How many commits the copy lacks.
  public func promoteCopy(lacking count: Int) {
    change { state in
      state.undo(count)
      state.timeline += 1
      state.slots = [:]
      state.connection += 1
    }
  }

  /// Puts the hub back to what it was some commits ago, of the same history, as putting back the
  /// image of a disk does.
  public func restoreBackup(before count: Int) {
    change { state in
      state.undo(count)
      for name in state.slots.keys {
        let confirmed = state.slots[name]?.confirmed ?? .zero
        state.slots[name]?.confirmed = min(confirmed, state.position)
      }
      state.connection += 1
    }
  }

  // MARK: - For its links

  func change<Result, Failure: Error>(
    _ body: (inout sending InMemoryHubState) throws(Failure) -> sending Result
  ) throws(Failure) -> Result {
    var waiters: [CheckedContinuation<Void, Never>] = []
    defer { for waiter in waiters { waiter.resume() } }
    return try state.withLock { state throws(Failure) in
      defer {
        waiters = Array(state.waiters.values)
        state.waiters = [:]
      }
      return try body(&state)
    }
  }

  /// Waits until something has changed since a count of changes was read, or the task is cancelled.
  func wait(for condition: @Sendable (InMemoryHubState) -> Bool) async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if condition(state) || Task.isCancelled { return true }
          state.waiters[number] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}

/// What goes wrong with a hub in memory, by chance: each a probability from 0 to 1.
public struct InMemoryHubFaults: Hashable, Sendable {
  /// That a connection breaks while a stream is read from.
  public var brokenStream = 0.0
  /// That a connection breaks while rows are copied.
  public var brokenSnapshot = 0.0
  /// That a mutation does not arrive.
  public var lostMutation = 0.0
  /// That the answer to a mutation does not arrive, though it was performed.
  public var lostAnswer = 0.0
  /// That a confirmation does not arrive.
  public var lostConfirmation = 0.0
  /// That a value which was not changed is left out of an update, as large ones are.
  public var leftOutValue = 0.0

  /// Creates a hub's faults: none.
  public init() {}
}
