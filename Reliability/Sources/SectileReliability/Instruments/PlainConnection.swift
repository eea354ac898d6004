internal import GRDBSQLite

/// A connection that knows nothing of Sectile: another program, in this process.
final class PlainConnection {
  /// A statement that failed.
  struct Failure: Error {
    let code: Int32
    let message: String
  }

  private let connection: OpaquePointer

  /// Opens a file that is there, for reading and writing; `busyTimeout` is in milliseconds.
  init(path: String, busyTimeout: Int32 = 5_000) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard let connection = opened, code == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw Failure(code: code, message: "\(path) cannot be opened")
    }
    self.connection = connection
    sqlite3_busy_timeout(connection, busyTimeout)
  }

  deinit {
    sqlite3_close_v2(connection)
  }

  /// Runs statements, and returns how many rows they yielded.
  @discardableResult
  func run(_ sql: String) throws -> Int {
    var rows = 0
    let code = sqlite3_exec(
      connection, sql,
      { rows, _, _, _ in
        rows?.assumingMemoryBound(to: Int.self).pointee += 1
        return 0
      }, &rows, nil)
    guard code == SQLITE_OK else {
      throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }
    return rows
  }

  /// Runs a query, and returns its rows as texts; NULL is an empty one.
  func texts(_ sql: String) throws -> [[String]] {
    var rows: [[String]] = []
    // A list handed over with & would be the address of its elements.
    let code = withUnsafeMutablePointer(to: &rows) { rows in
      sqlite3_exec(
        connection, sql,
        { rows, count, values, _ in
          rows?.assumingMemoryBound(to: [[String]].self).pointee.append(
            (0..<Int(count)).map { values?[$0].map { String(cString: $0) } ?? "" })
          return 0
        }, rows, nil)
    }
    guard code == SQLITE_OK else {
      throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection)))
    }
    return rows
  }
}
