#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Synchronization
  import Testing

  @testable import SectilePostgres

  /// A database of its own, and who may do everything in it.
  final class TestDatabase: Sendable {
    private static let count = Atomic(0)

    let server: PostgresServer
    let name: String
    private let connection: PostgresConnection

    /// Makes a database on a server, that which all share if none is named, and runs SQL in it.
    init(_ sql: String = "", on server: PostgresServer? = nil) async throws {
      self.server = try server ?? PostgresServer.shared.get()
      name = "test_\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
      let first = try PostgresConnection(
        PostgresTarget(
          connection: self.server.connection("postgres"), applicationName: "test",
          connectTimeout: .seconds(10)), reconnects: true)
      let statement = "CREATE DATABASE \(name) STRATEGY file_copy"
      _ = try await first.run { try $0.execute(statement) }
      await first.close()
      connection = try PostgresConnection(
        PostgresTarget(
          connection: self.server.connection(name), applicationName: "test",
          connectTimeout: .seconds(10)), reconnects: true)
      if !sql.isEmpty { try await run(sql) }
    }

    /// Runs statements; returns the rows of the last.
    @discardableResult
    func run(_ sql: String) async throws -> [[String?]] {
      try await connection.run { try $0.execute(sql).rows }
    }

    /// Runs statements one after the other, outside of a transaction.
    func run(each statements: [String]) async throws {
      for statement in statements { try await run(statement) }
    }

    func connection(user: String = "app") -> String { server.connection(name, user: user) }

    /// A hub with the tables set up.
    func hub(
      _ replica: String? = nil, user: String = "app",
      options: PostgresHubOptions = .impatient, installing tables: [String] = []
    ) async throws -> PostgresHub {
      let hub = try PostgresHub(
        connection: connection(user: user), name: replica ?? name, options: options)
      if user == "app" { try await hub.install(tables) }
      return hub
    }
  }

  extension PostgresHubOptions {
    /// Options with which a stream asks soon where the server stands.
    static var impatient: PostgresHubOptions {
      var options = PostgresHubOptions()
      options.silenceLimit = .milliseconds(100)
      return options
    }
  }

  /// What a replica has: rows by table and key, as a feed tells.
  struct ReplicaModel {
    struct DoesNotFit: Error, CustomStringConvertible {
      let description: String
    }

    let tables: [String: SyncedTable]
    var rows: [String: [[StoredValue]: [StoredValue]]] = [:]
    var position = HubPosition.zero
    var outcomes: [MutationReceipt] = []
    var heartbeat: Bool = false
    var schemaVersions: ClosedRange<Int>?

    init(_ tables: [SyncedTable]) {
      self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
    }

    /// Reads a snapshot to its end.
    mutating func read(_ snapshot: any HubSnapshot) async throws {
      position = snapshot.token.position
      take(snapshot.controlRecords)
      while let batch = try await snapshot.next() {
        let table = try #require(tables[batch.table])
        for row in batch.rows { rows[batch.table, default: [:]][table.key(of: row)] = row }
      }
      await snapshot.close()
    }

    private mutating func take(_ controlRecords: HubControlRecords) {
      outcomes += controlRecords.outcomes
      if controlRecords.heartbeat != nil { heartbeat = true }
      if let versions = controlRecords.schemaVersions { schemaVersions = versions }
    }

    mutating func apply(_ message: HubMessage) throws {
      switch message {
      case .keepAlive(let position):
        guard position > self.position else { throw DoesNotFit(description: "back to \(position)") }
        self.position = position
      case .transaction(let transaction):
        guard transaction.position > position else {
          throw DoesNotFit(description: "back to \(transaction.position)")
        }
        position = transaction.position
        for change in transaction.changes { try apply(change) }
        take(transaction.controlRecords)
      }
    }

    private mutating func apply(_ change: HubChange) throws {
      let table = try #require(tables[change.table])
      var rows = self.rows.removeValue(forKey: table.name) ?? [:]
      defer { self.rows[table.name] = rows }
      switch change {
      case .insert(_, let row):
        guard rows.updateValue(row, forKey: table.key(of: row)) == nil else {
          throw DoesNotFit(description: "inserted twice: \(row)")
        }
      case .update(_, let oldKey, let values):
        let key = table.keyPositions.map { values[$0] ?? .null }
        guard let old = rows.removeValue(forKey: oldKey ?? key) else {
          throw DoesNotFit(description: "updated, but not there: \(values)")
        }
        rows[key] = zip(values, old).map { $0 ?? $1 }
      case .delete(_, let key):
        guard rows.removeValue(forKey: key) != nil else {
          throw DoesNotFit(description: "deleted, but not there: \(key)")
        }
      case .truncate: rows = [:]
      }
    }

    /// Follows a stream up to a position.
    mutating func follow(_ stream: any HubStream, to end: HubPosition) async throws {
      while position < end {
        for message in try await stream.next(limit: 100) { try apply(message) }
      }
    }
  }

  extension PostgresHub {
    /// Where the hub stands.
    func position() async throws -> HubPosition { try await status().currentPosition }

    /// What a new snapshot of the tables has, which ends what the server kept for the replica.
    func contents(
      of tables: [SyncedTable], as replica: String
    ) async throws -> [String: [[StoredValue]: [StoredValue]]] {
      let other = try PostgresHub(connection: connection, name: replica, options: options)
      var model = ReplicaModel(tables)
      try await model.read(try await other.snapshot(of: tables))
      try await other.detach()
      await other.close()
      return model.rows
    }
  }

  /// The kind of error that a closure throws; nil where it throws none of a hub's.
  func code(of body: () async throws -> Void) async -> HubError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? HubError)?.code
    }
  }
#endif
