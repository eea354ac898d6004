import Foundation
import SectileCore
import SectileHub
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

/// A hub in memory, a folder for the file of a replica, and what the replica told.
final class ReplicaBench: Sendable {
  let hub: InMemoryHub
  let folder: TemporaryFolder
  private let told = Mutex<[ReplicaEvent]>([])

  init(
    tables: [SyncedTable] = [Parcel.table], conditions: [String: InMemoryHub.Condition] = [:],
    seed: UInt64 = 0
  )
    throws
  {
    hub = InMemoryHub(tables: tables, conditions: conditions, seed: seed)
    folder = try TemporaryFolder()
  }

  var path: String { folder.file("replica.sqlite") }

  /// What was told so far.
  var events: [ReplicaEvent] { told.withLock { $0 } }

  /// Why rows were compared so far.
  var resyncs: [ReplicaResync] { events.compactMap(\.resync) }

  var configuration: ReplicaConfiguration {
    var configuration = ReplicaConfiguration()
    configuration.store.synchronous = .off
    configuration.retryDelays = .milliseconds(1)...Duration.milliseconds(20)
    configuration.writeTimeout = .seconds(10)
    configuration.idleInterval = .milliseconds(20)
    configuration.heartbeatInterval = nil
    configuration.onEvent = { [weak self] event in self?.told.withLock { $0.append(event) } }
    return configuration
  }

  func open(
    _ tables: [TableSubscription] = ["parcel"], at path: String? = nil, named name: String = "a",
    _ change: (inout ReplicaConfiguration) -> Void = { _ in }
  ) async throws -> Replica {
    var configuration = configuration
    change(&configuration)
    return try await Replica.open(
      at: path ?? self.path, following: hub.link(for: name), tables: tables,
      configuration: configuration)
  }

  /// The rows of a table in a replica, with the named columns, in the order of their first one.
  func rows(
    _ replica: Replica, _ table: String = "parcel", columns: [String] = ["*"]
  ) throws -> [[StoredValue]] {
    try replica.store.read { transaction in
      try transaction.query("SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1")
    }.map(\.values)
  }

  /// Puts the replica's file back to what a copy of it has, which is gone then.
  func putBack(from copy: String) throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try FileManager.default.moveItem(atPath: copy, toPath: path)
  }

  /// Waits until a replica has all that the hub has committed.
  func catchUp(_ replica: Replica) async throws {
    try await eventually("the replica has what the hub has") {
      (replica.status.token?.position ?? .zero) >= self.hub.position
    }
  }
}

/// Waits until something is so; fails where that takes four minutes.
func eventually(
  _ what: String, _ condition: () async throws -> Bool,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let end = ContinuousClock.now + .seconds(240)
  while try await !condition() {
    guard ContinuousClock.now < end else {
      Issue.record("it never came about that \(what)", sourceLocation: sourceLocation)
      throw CancellationError()
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
