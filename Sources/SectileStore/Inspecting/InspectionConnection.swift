internal import CSQLite
internal import Foundation
internal import GRDBSQLite
package import SectileCore

/// A connection of its own for looking into any SQLite file with SQL from outside.
///
/// A ``Store`` trusts its caller; this connection does not. Unless it is opened for writing it is
/// read-only three times over: the file is opened so, `query_only` is on, and an allow-list of
/// actions refuses what slips past both (ATTACH, `VACUUM INTO`, pragmas that set something). In
/// either mode the schema in the file reaches nothing with a side effect (``SchemaTrust``), and the
/// file is neither created nor migrated.
///
/// ```swift
/// let connection = try InspectionConnection(path: "packages.sqlite")
/// try connection.run("SELECT name, version FROM package") { row in print(row) }
/// ```
///
/// Text that is not UTF-8 is shown with replacement characters: a tool should show a damaged row
/// instead of stopping at it. Use a connection on one thread at a time.
package final class InspectionConnection {
  /// What a connection may do.
  package enum Access: Hashable, Sendable {
    /// Reads; every attempt to change something fails.
    case readOnly
    /// Reads and writes a file that exists.
    case readWrite
    /// Reads and writes, and creates the file where there is none.
    case create
  }

  /// The file's path.
  package let path: String
  /// What the connection may do.
  package let access: Access
  /// Whether the file was opened as one that nobody changes: without locks and without its log.
  package let isImmutable: Bool

  /// Stops the statement that runs; may be used from any thread.
  package let interrupter: Interrupter

  let connection: OpaquePointer
  // Used on the connection's own thread, like the connection.
  /// The files that are only read, and had no write-ahead log beside them when they were opened.
  var filesWithoutLog: [String] = []
  private var progress: ProgressHandler?
  /// The lock of writers; nil where nothing is written, and in memory.
  let writerLock: WriterLock?
  /// Whether this connection has it.
  var isLockHeld = false

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path; never a URI, never a name for memory.
  ///   - access: What the connection may do.
  ///   - isImmutable: Whether to take the file for one that nobody changes, as on a medium that
  ///     cannot be written: SQLite then neither locks it nor looks at a log beside it. Where
  ///     somebody does change it, what is read may be wrong.
  ///   - toleratesDamage: Whether to read a file that is shorter than it says, or whose schema
  ///     names what is not there, as far as it goes.
  ///   - busyTimeout: How long to wait for another connection's lock.
  /// - Throws: ``StoreError`` with the code `cannotOpen` where there is no such file,
  ///   `notADatabase` where it holds something else, or another code for what SQLite reports.
  /// - Precondition: What is immutable or damaged is only read.
  package convenience init(
    path: String, access: Access = .readOnly, isImmutable: Bool = false,
    toleratesDamage: Bool = false, busyTimeout: Duration = .seconds(5)
  ) throws(StoreError) {
    precondition(
      access == .readOnly || !(isImmutable || toleratesDamage),
      "\(access) does not suit an immutable or damaged file")
    try Self.check(path, mayBeMissing: access == .create)
    try self.init(
      opening: isImmutable ? Self.uri(of: path, isImmutable: true) : Self.plainName(of: path),
      as: path, access: access, isImmutable: isImmutable, toleratesDamage: toleratesDamage,
      busyTimeout: busyTimeout)
  }

  /// Opens a database of its own in memory, writable and empty.
  ///
  /// - Returns: The connection; its ``path`` is `:memory:`.
  /// - Throws: ``StoreError`` where there is no memory for it.
  package static func inMemory() throws(StoreError) -> InspectionConnection {
    try InspectionConnection(
      opening: ":memory:", as: ":memory:", access: .create, busyTimeout: .zero)
  }

  private init(
    opening name: String, as path: String, access: Access, isImmutable: Bool = false,
    toleratesDamage: Bool = false, busyTimeout: Duration
  ) throws(StoreError) {
    self.path = path
    self.access = access
    self.isImmutable = isImmutable
    if access == .readOnly, !isImmutable, !FileManager.default.fileExists(atPath: path + "-wal") {
      filesWithoutLog = [path]
    }

    var handle: OpaquePointer?
    let mode =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    // A plain name never begins like a URI; those of files that are attached do.
    let flags = mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(name, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = StoreError.SQLiteFailure(
        resultCode: handle.map { sqlite3_extended_errcode($0) } ?? code,
        message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
      sqlite3_close_v2(handle)
      throw StoreError(failure, file: path)
    }
    connection = handle
    writerLock =
      access == .readOnly
      ? nil
      : WrittenFile(of: handle).map {
        WriterLock(of: $0, waiting: Int(Self.milliseconds(busyTimeout)), nil)
      }
    interrupter = Interrupter(handle, writerLock)

    sqlite3_busy_timeout(handle, Self.milliseconds(busyTimeout))
    if toleratesDamage {
      // What SQLite calls so makes it read such files; nothing is written all the same.
      try execute("PRAGMA writable_schema = ON")
    } else {
      sectile_set_defensive(handle)
    }
    try FirstLetter.register(on: handle)
    try SchemaTrust.settle(on: handle)
    if access == .readOnly {
      try execute("PRAGMA query_only = ON")
      sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.lengthLimit)
      sqlite3_hard_heap_limit64(3 * Int64(Self.lengthLimit))
      InspectionRules.install(on: handle)
    }
    // The first look at the file: SQLite opens lazily.
    do {
      try execute("SELECT count(*) FROM sqlite_schema")
    } catch {
      guard access == .readOnly, let failure = error.cause as? StoreError.SQLiteFailure else {
        throw error
      }
      throw StoreError.unusableLog(failure, of: path) ?? error
    }
  }

  deinit {
    interrupter.end()
    sqlite3_close_v2(connection)
    filesWithoutLog.forEach(Self.removeEmptyLog)
    if access != .readOnly { Self.rollBackJournal(of: path) }
  }

  /// Lowers how many bytes a value may have, one that an expression makes included.
  ///
  /// - Parameter byteCount: The number; one above the connection's own limit changes nothing.
  package func limitValues(to byteCount: Int) {
    sqlite3_limit(
      connection, SQLITE_LIMIT_LENGTH, min(Self.lengthLimit, Int32(clamping: byteCount)))
  }

  /// Has functions that compare each part of one text with another refuse long ones.
  package func boundTextWork() { TextWork.bound(on: connection) }

  /// Runs statements, one after the other, up to the first that fails.
  ///
  /// - Parameters:
  ///   - sql: One or more statements.
  ///   - columns: Hears the column names of each statement that yields rows, before its rows.
  ///   - row: Hears each row.
  /// - Returns: How many rows the statements changed.
  /// - Throws: ``StoreError``; or what a closure throws, which ends the run.
  @discardableResult
  package func run(
    _ sql: String, columns: (_ names: [String]) throws -> Void = { _ in },
    row: (_ values: [StoredValue]) throws -> Void
  ) throws -> Int {
    let changesBefore = changeCount
    var rest = Array(sql.utf8)[...]
    while let statement = try nextStatement(of: &rest) {
      defer { statement.reset() }
      try statement.start()
      var values = try statement.next()
      if !statement.columnNames.isEmpty { try columns(statement.columnNames) }
      while let found = values {
        try row(found)
        values = try statement.next()
      }
    }
    return changeCount - changesBefore
  }

  /// Returns the first value that statements yield; nil where there is none.
  ///
  /// - Throws: ``StoreError``.
  package func firstValue(_ sql: String) throws -> StoredValue? {
    var value: StoredValue?
    try run(sql) { value = value ?? $0.first }
    return value
  }

  /// How many rows were changed through this connection so far, those of triggers included.
  package var changeCount: Int { Int(sqlite3_total_changes64(connection)) }

  /// How many rows the last statement that ended changed itself, without its triggers.
  package var lastChangeCount: Int { Int(sqlite3_changes64(connection)) }

  /// How many columns a statement reads of a row at most.
  package var columnCountLimit: Int { Int(sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, -1)) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// Prepares the first statement of a text, and takes it off the text.
  ///
  /// - Parameter text: SQL in UTF-8; what comes after the statement stays, with a NUL at its end.
  /// - Returns: The statement; nil where there is nothing left but space and comments.
  /// - Throws: ``StoreError`` for SQL that SQLite refuses.
  package func nextStatement(
    of text: inout ArraySlice<UInt8>
  ) throws(StoreError) -> InspectionStatement? {
    // SQLite copies all of a text that has no NUL at its end, for each statement of it.
    if let last = text.last, last != 0 { text.append(0) }
    while !text.isEmpty {
      var statement: OpaquePointer?
      var consumed = text.count
      let code = text.withUnsafeBytes { bytes in
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(
          connection, start, Int32(clamping: bytes.count), &statement, &tail)
        if let start, let tail { consumed = tail - start }
        return code
      }
      guard code == SQLITE_OK else {
        throw failure(sql: String(decoding: text.dropLast(), as: UTF8.self))
      }
      text = text.dropFirst(max(consumed, 1))
      if let statement { return InspectionStatement(statement, on: self) }
    }
    return nil
  }

  /// Prepares one statement, to be run with different values.
  ///
  /// - Parameter sql: One statement.
  /// - Returns: The statement.
  /// - Throws: ``StoreError``: `statementFailed` where the text holds no statement or several, or
  ///   what SQLite refuses.
  package func prepare(_ sql: String) throws(StoreError) -> InspectionStatement {
    var rest = Array(sql.utf8)[...]
    guard let statement = try nextStatement(of: &rest), try nextStatement(of: &rest) == nil else {
      throw StoreError(
        .statementFailed, message: "\(path): one statement is needed: \(sql)",
        hint: "Write one statement.")
    }
    return statement
  }

  /// SQLite's keywords, in upper case.
  package static var keywords: [String] {
    (0..<sqlite3_keyword_count()).compactMap { position in
      var start: UnsafePointer<CChar>?
      var count: Int32 = 0
      guard sqlite3_keyword_name(position, &start, &count) == SQLITE_OK, let start else {
        return nil
      }
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns whether a text ends a statement: it has its semicolon, outside of quotes, comments and
  /// triggers.
  package static func isComplete(_ sql: String) -> Bool { sqlite3_complete(sql) != 0 }

  /// Calls a closure again and again while statements run.
  ///
  /// - Parameters:
  ///   - steps: After how many steps of SQLite's virtual machine to call it; a million take some
  ///     hundredths of a second.
  ///   - body: Returns whether to go on; false interrupts the statement. Nil calls nothing any
  ///     more. It must not use the connection.
  package func setProgress(every steps: Int = 1_000_000, _ body: (() -> Bool)?) {
    progress = body.map(ProgressHandler.init)
    sqlite3_progress_handler(
      connection, progress == nil ? 0 : Int32(clamping: steps),
      { handler in
        guard let handler else { return 0 }
        return Unmanaged<ProgressHandler>.fromOpaque(handler).takeUnretainedValue().body() ? 0 : 1
      }, progress.map { Unmanaged.passUnretained($0).toOpaque() })
  }

  private final class ProgressHandler {
    let body: () -> Bool

    init(_ body: @escaping () -> Bool) {
      self.body = body
    }
  }

  private func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(sql: sql) }
  }

  // MARK: - Failures

  func failure(sql: String?) -> StoreError {
    let offset = sqlite3_error_offset(connection)
    let code = sqlite3_extended_errcode(connection)
    let failure = StoreError.SQLiteFailure(
      resultCode: code, message: StoreError.SQLiteFailure.message(of: connection, for: code),
      sql: sql,
      offset: sql == nil || offset < 0 ? nil : Int(offset))
    let error = StoreError(failure, file: path)
    guard access == .readOnly, error.code == .notAuthorized || error.code == .readOnly else {
      return error
    }
    if failure.resultCode != failure.primaryResultCode,
      let error = StoreError.unusableLog(failure, of: path)
    {
      // Not the statement is refused: SQLite needs to write before it can read.
      return error
    }
    return StoreError(
      .notAuthorized, message: "\(path): a read-only connection refuses this statement",
      hint: "Open the file for writing to change it.", cause: failure)
  }

  /// How many bytes a value may have in a file that is only looked into.
  ///
  /// No deadline stops a single call of a function, `zeroblob` or `printf` in a view for example;
  /// what it may make is bounded instead. Reading one value takes SQLite up to three times its
  /// size, to which it is bounded for the whole process.
  package static let lengthLimit: Int32 = 384 << 20

  static func check(_ path: String, mayBeMissing: Bool) throws(StoreError) {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      if mayBeMissing { return }
      throw StoreError(
        .cannotOpen, message: "\(path): there is no such file",
        hint: "Check the path; what is only read is never created.")
    }
    if isDirectory.boolValue {
      throw StoreError(
        .cannotOpen, message: "\(path) is a directory", hint: "Name a file in it.")
    }
    // Opening a pipe for reading waits for a writer, without end.
    if let problem = StorePath.problemOfKind(path) { throw problem }
  }

  private static func milliseconds(_ duration: Duration) -> Int32 {
    Int32(clamping: Int64(duration.waitable / .milliseconds(1)))
  }
}
