import Foundation
import SectileTestHelpers
import Synchronization
import Testing

/// A database of PostgreSQL with parcels, for commands that are run as programs.
struct HubDatabase {
  private static let count = Atomic(0)

  let server: PostgresServer
  let name: String

  /// Makes a database on a server, that which all tests share if none is named.
  init(
    on server: PostgresServer? = nil,
    _ sql: String = """
    CREATE TABLE depot (id int PRIMARY KEY, name text);
    CREATE TABLE parcel (id int, depot int, state text, PRIMARY KEY (id, depot));
    INSERT INTO depot VALUES (1, 'north'), (2, 'south');
    INSERT INTO parcel SELECT n, 1 + n % 2, 'new' FROM generate_series(1, 10) AS n;
    """
  ) throws {
    self.server = try server ?? PostgresServer.shared.get()
    name = "cli_\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
    try Self.run(
      "CREATE DATABASE \(name) STRATEGY file_copy", at: self.server.connection("postgres"))
    if !sql.isEmpty { try run(sql) }
  }

  func connection(user: String = "app") -> String { server.connection(name, user: user) }

  /// Runs SQL; returns the rows as text.
  @discardableResult
  func run(_ sql: String) throws -> String { try Self.run(sql, at: connection()) }

  @discardableResult
  private static func run(_ sql: String, at connection: String) throws -> String {
    let programs = try #require(PostgresServer.programs)
    let run = try ProgramRun(
      "\(programs)/psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection, "-c", sql])
    try #require(run.code == 0, "\(String(decoding: run.errors, as: UTF8.self))")
    return String(decoding: run.output, as: UTF8.self)
  }
}
