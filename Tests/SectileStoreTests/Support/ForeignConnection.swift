import GRDBSQLite
import SectileCore
import SectileStore
import SectileTestSupport

/// A connection of another program: SQLite as it comes, with nothing of GRDB's or of ours.
final class ForeignConnection {
  struct Failure: Error, CustomStringConvertible {
    let code: CInt
    let description: String

    var isConstraint: Bool { code & 0xFF == SQLITE_CONSTRAINT }
  }

  private var handle: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw failure(sqlite3_extended_errcode(handle), path)
    }
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit { sqlite3_close_v2(handle) }

  func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Runs statements, in transactions of their own unless they say otherwise.
  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, sql) }
  }

  /// Runs statements in one transaction.
  func commit(_ sql: String) throws {
    do {
      try execute("BEGIN IMMEDIATE; \(sql); COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// The first column of the first row, as an integer.
  func integer(_ sql: String) throws -> Int64 {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW else {
      throw failure(sqlite3_extended_errcode(handle), sql)
    }
    return sqlite3_column_int64(statement, 0)
  }

  /// Runs the steps of a random transaction; a statement that a constraint refuses is passed over.
  func run(_ steps: [RandomTransactions.Step], depth: Int = 0) throws {
    for step in steps {
      switch step {
      case .statement(let fragment):
        do {
          try execute(fragment)
        } catch let failure as Failure where failure.isConstraint {}
      case .savepoint(let steps, let isRolledBack):
        try execute("SAVEPOINT s\(depth)")
        try run(steps, depth: depth + 1)
        if isRolledBack { try execute("ROLLBACK TO s\(depth)") }
        try execute("RELEASE s\(depth)")
      }
    }
  }

  /// Runs one statement with its values.
  func execute(_ fragment: SQLFragment) throws {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let code = sqlite3_prepare_v2(handle, fragment.sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw failure(code, fragment.sql) }
    for (position, value) in fragment.values.enumerated() {
      bind(value, at: CInt(position + 1), of: statement)
    }
    guard sqlite3_step(statement) == SQLITE_DONE else {
      throw failure(sqlite3_extended_errcode(handle), fragment.sql)
    }
  }

  private func bind(_ value: StoredValue, at position: CInt, of statement: OpaquePointer?) {
    // SQLITE_TRANSIENT: SQLite takes a copy.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, position)
    case .integer(let value): sqlite3_bind_int64(statement, position, value)
    case .real(let value): sqlite3_bind_double(statement, position, value)
    case .text(let text): sqlite3_bind_text(statement, position, text, -1, copied)
    case .blob(let bytes):
      sqlite3_bind_blob(statement, position, bytes, CInt(bytes.count), copied)
    }
  }

  private func failure(_ code: CInt, _ sql: String) -> Failure {
    Failure(code: code, description: "\(String(cString: sqlite3_errmsg(handle))), in: \(sql)")
  }
}
