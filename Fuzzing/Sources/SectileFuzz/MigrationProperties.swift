import GRDB
import GRDBSQLite
import Sectile

@testable import SectileStore

/// A migration: its name in the first line, behind it what the file holds.
///
/// Names are told by the documented rule. A file that is refused or fails leaves the schema as it
/// was, and no open transaction; one that is applied is in the ledger.
enum MigrationProperties {
  /// How many steps of SQLite's virtual machine a file may take, in thousands.
  private static let stepLimit = 100

  static func check(_ input: FuzzInput) throws {
    let parts = input.bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self)
    let file = Migrations.File(name: name, bytes: parts.count > 1 ? Array(parts[1]) : [])
    require(
      file.version == version(in: Array(name.utf8), leastDigits: input.isControl ? 3 : 4),
      "the version of \(name) is \(file.version.map { "\($0)" } ?? "none")")
    guard let migration = try attempt(StoreError.self, { try Migration(file) }) else { return }
    require(migration.checksum.utf8.count == 64, "a checksum of another length")
    var rest = Array(migration.sql.utf8)[...]
    let first = try attempt(StoreError.self) {
      try InspectionConnection.inMemory().nextStatement(of: &rest) != nil
    }
    require(first != false, "a file without a statement is taken for one with")
    try apply(file)
  }

  /// The rule, byte by byte: `^V[0-9]{4,}(_[a-z0-9]+){2,}\.sql$`.
  private static func version(in name: [UInt8], leastDigits: Int) -> Int64? {
    guard name.first == UInt8(ascii: "V"), name.suffix(4).elementsEqual(".sql".utf8) else {
      return nil
    }
    let words = name.dropFirst().dropLast(4).split(
      separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard words.count >= 3, words[0].count >= leastDigits, words[0].allSatisfy(digits.contains),
      words.dropFirst().allSatisfy({ word in
        !word.isEmpty && word.allSatisfy { digits.contains($0) || letters.contains($0) }
      })
    else { return nil }
    return Int64(String(decoding: words[0], as: UTF8.self))
  }

  private static func apply(_ file: Migrations.File) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // A file may run for ever, ask for a text of a gigabyte, or attach files of any name.
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 1 << 20)
      stepCount = 0
      sqlite3_progress_handler(
        db.sqliteConnection, 1_000,
        { _ in
          MigrationProperties.stepCount += 1
          return MigrationProperties.stepCount > MigrationProperties.stepLimit ? 1 : 0
        }, nil)
    }
    let queue = try DatabaseQueue(configuration: configuration)
    let store = try Store(adopting: queue)
    let migrator = Migrator(.files([file]))
    let before = try schema(of: queue)
    let applied = try attempt(StoreError.self) { try migrator.apply(to: store) }
    stepCount = 0
    require(
      queue.unsafeRead { !$0.isInsideTransaction }, "\(file.name) leaves a transaction open")
    // Whoever edits the ledger, or SQLite's own schema, gets what he asked for.
    let sql = String(decoding: file.bytes, as: UTF8.self).lowercased()
    if sql.contains("sectile_migration") || sql.contains("schema") { return }
    if let applied {
      require(applied == [file.name], "\(applied) were applied")
      let status = try attempt(StoreError.self) { try migrator.status(of: store) }
      require(status?.applied.map(\.name) == [file.name], "\(file.name) is not in the ledger")
    } else {
      require(try schema(of: queue) == before, "\(file.name) failed, and left something behind")
    }
  }

  /// Counted on the thread of the queue, one at a time.
  nonisolated(unsafe) private static var stepCount = 0

  private static func schema(of queue: DatabaseQueue) throws -> [String] {
    try queue.unsafeRead {
      try String.fetchAll(
        $0,
        sql: """
          SELECT quote(type) || quote(name) || quote(sql) FROM sqlite_schema
          UNION ALL SELECT quote(type) || quote(name) || quote(sql) FROM temp.sqlite_schema
          """)
    }
  }
}
