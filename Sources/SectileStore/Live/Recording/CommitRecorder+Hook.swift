import CSQLite
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

// SQLite calls the recorder here, for each row that is about to change.
extension CommitRecorder {
  /// Installs the hook on a connection, which keeps the recorder alive until it is closed.
  ///
  /// - Throws: `connectionTaken` where the connection has such a hook already: SQLite knows one of
  ///   them only, and the other observer would fall silent.
  func attach(to db: Database) throws {
    guard let connection = db.sqliteConnection else { return }
    let recorder = Unmanaged.passUnretained(self).toOpaque()
    if let other = sqlite3_preupdate_hook(connection, Self.hook, recorder) {
      // Another recorder's hook is put back. A foreign one cannot be: SQLite tells its context
      // only.
      let isRecorder = Self.attached.withLock { $0.contains(UInt(bitPattern: other)) }
      _ = sqlite3_preupdate_hook(connection, isRecorder ? Self.hook : nil, other)
      throw isRecorder
        ? StoreError.adoptedTwice(StoreError.file(of: connection)) : StoreError.connectionTaken
    }
    Self.attached.withLock { _ = $0.insert(UInt(bitPattern: recorder)) }
    // Lives as long as the connection: its destructor is what releases the recorder.
    let code = sqlite3_create_function_v2(
      connection, "sectile_recorder", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(self).toOpaque(),
      { context, _, _ in sqlite3_result_null(context) }, nil, nil,
      { pointer in
        if let pointer { Unmanaged<CommitRecorder>.fromOpaque(pointer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Removes the hook from a connection that lives on.
  func detach(from db: Database) {
    guard let connection = db.sqliteConnection else { return }
    _ = sqlite3_preupdate_hook(connection, nil, nil)
    sqlite3_create_function_v2(
      connection, "sectile_recorder", 0, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  private static let hook:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, CInt, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, CLongLong, CLongLong
    ) -> Void = { context, connection, operation, schema, table, oldRowID, newRowID in
      guard let context, let connection, let schema, let table else { return }
      Unmanaged<CommitRecorder>.fromOpaque(context).takeUnretainedValue().record(
        PreUpdate(
          connection: connection, operation: operation, oldRowID: oldRowID, newRowID: newRowID),
        schema: schema, table: table)
    }

  // MARK: A row

  /// The name of the log's table, which no row has to make a C string of.
  private static let logTable: StaticString = "sectile_log"

  @inline(__always)
  private static func isLog(_ table: UnsafePointer<CChar>) -> Bool {
    logTable.utf8Start.withMemoryRebound(to: CChar.self, capacity: logTable.utf8CodeUnitCount + 1) {
      strcmp(table, $0) == 0
    }
  }

  @inline(__always)
  private func record(
    _ row: PreUpdate, schema: UnsafePointer<CChar>, table: UnsafePointer<CChar>
  ) {
    if let journal { journal.record(row, schema: schema, table: table) }
    if Self.isLog(table), strcmp(schema, "main") == 0 { return log.note(row) }
    guard !watches.isEmpty, strcmp(schema, "main") == 0 else { return }
    if let last, lastName.withCString({ strcmp($0, table) }) == 0 {
      last.record(row)
      return
    }
    let name = String(cString: table)
    guard let watch = tables[name.lowercased()] else { return }
    (last, lastName) = (watch, name)
    watch.record(row)
  }
}

extension LogWatch {
  /// The position of the column `salt`.
  private static let saltColumn: Int32 = 7

  /// Takes note of a row of the log that is about to be written.
  fileprivate func note(_ row: PreUpdate) {
    guard row.operation == SQLITE_INSERT else { return }
    note(row.newRowID) { sqlite3_value_int64(row.value(.after, Self.saltColumn)) }
  }
}

extension StoreError {
  /// The error of a connection that another store has.
  static func adoptedTwice(_ file: String?) -> StoreError {
    StoreError(
      .connectionTaken,
      message: "\(file ?? "The connection in memory") was adopted a second time: another store has "
        + "this connection already.",
      hint: "Keep the store that adopted it first and use it everywhere, or open a connection of "
        + "its own for each store.")
  }

  static let connectionTaken = StoreError(
    .connectionTaken,
    message: "The connection has a pre-update hook already, which is of no store.",
    hint: "Use no other observer of the pre-update hook on an adopted connection, such as SQLite's "
      + "session extension.")
}
