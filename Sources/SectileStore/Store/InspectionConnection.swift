internal import CSQLite
internal import Foundation
internal import GRDBSQLite
public import SectileCore

/// A connection of its own for looking into any SQLite file with SQL from outside.
///
/// A ``Store`` trusts its caller; this connection does not. Unless it is opened for writing it is
/// read-only three times over: the file is opened so, `query_only` is on, and an allow-list of
/// actions refuses what slips past both (ATTACH, `VACUUM INTO`, pragmas that set something). In
/// either mode the schema in the file is not trusted, and the file is neither created nor migrated.
///
/// ```swift
/// let connection = try InspectionConnection(path: "packages.sqlite")
/// try connection.run("SELECT name, version FROM package") { row in print(row) }
/// ```
///
/// Text that is not UTF-8 is shown with replacement characters: a tool should show a damaged row
/// instead of stopping at it. Use a connection on one thread at a time.
public final class InspectionConnection {
  /// What a connection may do.
  public enum Access: Hashable, Sendable {
    /// Reads; every attempt to change something fails.
    case readOnly
    /// Reads and writes.
    case readWrite
  }

  /// The file's path.
  public let path: String
  /// What the connection may do.
  public let access: Access

  private let connection: OpaquePointer

  /// Opens a file that exists.
  ///
  /// - Parameters:
  ///   - path: The file's path; never a URI, never a name for memory.
  ///   - access: What the connection may do.
  ///   - busyTimeout: How long to wait for another connection's lock.
  /// - Throws: ``StoreError`` with the code `cannotOpen` where there is no such file, `notADatabase`
  ///   where it holds something else, or another code for what SQLite reports.
  public init(
    path: String, access: Access = .readOnly, busyTimeout: Duration = .seconds(5)
  ) throws(StoreError) {
    self.path = path
    self.access = access
    try Self.check(path)

    var handle: OpaquePointer?
    let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    // SQLite takes some names as special; with a folder before them they are plain paths.
    let plainPath = path.hasPrefix("/") ? path : "./" + path
    let code = sqlite3_open_v2(plainPath, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = SQLiteFailure(
        resultCode: handle.map { sqlite3_extended_errcode($0) } ?? code,
        message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
      sqlite3_close_v2(handle)
      throw StoreError(failure, file: path)
    }
    connection = handle

    sqlite3_busy_timeout(handle, Self.milliseconds(busyTimeout))
    sectile_set_defensive(handle)
    try execute("PRAGMA trusted_schema = OFF")
    if access == .readOnly {
      try execute("PRAGMA query_only = ON")
      sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
      InspectionRules.install(on: handle)
    }
    // The first look at the file: SQLite opens lazily.
    try execute("SELECT count(*) FROM sqlite_schema")
  }

  deinit {
    sqlite3_close_v2(connection)
  }

  /// Runs statements, one after the other, up to the first that fails.
  ///
  /// - Parameters:
  ///   - sql: One or more statements.
  ///   - columns: Hears the column names of each statement that yields rows, before its rows.
  ///   - row: Hears each row.
  /// - Returns: How many rows the statements changed.
  /// - Throws: ``StoreError``; or what a closure throws, which ends the run.
  @discardableResult
  public func run(
    _ sql: String, columns: (_ names: [String]) throws -> Void = { _ in },
    row: (_ values: [StoredValue]) throws -> Void
  ) throws -> Int {
    let changesBefore = sqlite3_total_changes64(connection)
    var rest = Array(sql.utf8)[...]
    while !rest.isEmpty {
      let (statement, consumed) = try prepare(rest)
      rest = rest.dropFirst(consumed)
      // Nothing but space and comments.
      guard let statement else { continue }
      defer { sqlite3_finalize(statement) }
      try step(statement, columns: columns, row: row)
    }
    return Int(sqlite3_total_changes64(connection) - changesBefore)
  }

  // MARK: - Statements

  private func prepare(
    _ text: ArraySlice<UInt8>
  ) throws(StoreError) -> (statement: OpaquePointer?, consumed: Int) {
    var statement: OpaquePointer?
    var consumed = text.count
    let code = text.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(connection, start, Int32(bytes.count), &statement, &tail)
      if let start, let tail { consumed = tail - start }
      return code
    }
    guard code == SQLITE_OK else {
      throw failure(sql: String(decoding: text, as: UTF8.self))
    }
    return (statement, max(consumed, 1))
  }

  private func step(
    _ statement: OpaquePointer, columns: ([String]) throws -> Void,
    row: ([StoredValue]) throws -> Void
  ) throws {
    let count = sqlite3_column_count(statement)
    if count > 0 {
      try columns(
        (0..<count).map { column in
          sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else {
        let sql = sqlite3_sql(statement).map { String(cString: $0) }
        throw failure(sql: sql)
      }
      try row((0..<count).map { Self.value(of: statement, at: $0) })
    }
  }

  private static func value(of statement: OpaquePointer, at column: Int32) -> StoredValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER:
      return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT:
      return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default:
      return .null
    }
  }

  private func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(sql: sql) }
  }

  // MARK: - Failures

  private func failure(sql: String?) -> StoreError {
    let failure = SQLiteFailure(
      resultCode: sqlite3_extended_errcode(connection),
      message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    let error = StoreError(failure, file: path)
    guard access == .readOnly, error.code == .notAuthorized || error.code == .readOnly else {
      return error
    }
    return StoreError(
      .notAuthorized, message: "\(path): a read-only connection refuses this statement",
      hint: "Open the file for writing to change it.", cause: failure)
  }

  private static func check(_ path: String) throws(StoreError) {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw StoreError(
        .cannotOpen, message: "\(path): there is no such file",
        hint: "Check the path; inspecting never creates a file.")
    }
    if isDirectory.boolValue {
      throw StoreError(
        .cannotOpen, message: "\(path) is a directory", hint: "Name a file inside of it.")
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int32 {
    Int32(clamping: Int64(duration / .milliseconds(1)))
  }
}
