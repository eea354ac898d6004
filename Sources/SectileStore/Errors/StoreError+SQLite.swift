internal import GRDB
internal import GRDBSQLite

extension StoreError {
  /// Returns the error of a connection's last call, with the file the connection has open.
  ///
  /// - Parameters:
  ///   - resultCode: What the call returned.
  ///   - connection: The connection that was called.
  ///   - sql: The statement's text, without values.
  /// - Returns: The error, with its code and hint.
  package static func sqlite(
    _ resultCode: Int32, on connection: OpaquePointer?, sql: String? = nil
  ) -> StoreError {
    guard let connection else {
      return StoreError.closed(file: nil)
    }
    // The extended code and the message belong to the connection's last call, which is ours.
    let extended = sqlite3_extended_errcode(connection)
    let isSame = extended & 0xFF == resultCode & 0xFF
    let message =
      isSame
      ? StoreError.SQLiteFailure.message(of: connection, for: extended)
      : sqlite3_errstr(resultCode).map { String(cString: $0) } ?? "unknown error"
    let failure = StoreError.SQLiteFailure(
      resultCode: isSame ? extended : resultCode, message: message, sql: sql)
    return StoreError(failure, file: file(of: connection))
  }

  /// Returns the file a connection has open; `nil` in memory.
  static func file(of connection: OpaquePointer) -> String? {
    guard let name = sqlite3_db_filename(connection, "main"), name.pointee != 0 else {
      return nil
    }
    return String(cString: name)
  }

  /// Returns GRDB's and SQLite's errors as store errors that name the file, others as they are.
  package static func translating(_ error: any Error, file: String?) -> any Error {
    guard let error = error as? DatabaseError else {
      return error
    }
    return StoreError(error, file: file)
  }

  /// Returns any error as a store error.
  package static func wrapping(_ error: any Error, file: String?) -> StoreError {
    switch error {
    case let error as StoreError:
      error
    case let error as DatabaseError:
      StoreError(error, file: file)
    case is CancellationError:
      StoreError(
        .interrupted, message: "\(file ?? "The store"): the task was cancelled", cause: error)
    default:
      StoreError(.ioError, message: "\(file ?? "The store"): \(error)", cause: error)
    }
  }

  /// Creates the error of a store that is closed.
  package static func closed(file: String?) -> StoreError {
    StoreError(
      .storeClosed, message: "\(file ?? "The store") is closed",
      hint: "Open the store again; a closed store stays closed.")
  }

  init(_ error: DatabaseError, file: String?) {
    let message = error.message ?? "\(error.resultCode)"
    if error.resultCode == .SQLITE_MISUSE, message == "Connection is closed" {
      self = .closed(file: file)
      return
    }
    // GRDB prints the arguments of an error nowhere by default; we do not even keep them.
    let failure = StoreError.SQLiteFailure(
      resultCode: error.extendedResultCode.rawValue, message: message, sql: error.sql)
    self.init(failure, file: file)
  }

  /// Creates the error that SQLite's report stands for.
  package init(_ failure: StoreError.SQLiteFailure, file: String?) {
    let row = Self.row(of: failure)
    let place = file.map { "\($0): " } ?? ""
    self.init(
      row.code, message: place + (row.message ?? failure.message), hint: row.hint, cause: failure)
  }

  /// SQLITE_CORRUPT_VTAB, which Swift does not see.
  private static let corruptVirtualTable = SQLITE_CORRUPT | (1 << 8)

  private typealias Translation = (code: Code, message: String?, hint: String?)

  /// The table from result codes to codes and hints.
  private static func row(of failure: StoreError.SQLiteFailure) -> Translation {
    switch failure.primaryResultCode {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      (
        .busy, "\(failure.message): another connection holds a lock",
        "Try again when the other connection is done, or raise StoreConfiguration.busyTimeout."
      )
    case SQLITE_READONLY:
      (
        .readOnly, nil,
        "Write in store.write, open the store without isReadOnly, "
          + "and check that the file and its folder may be written."
      )
    case SQLITE_FULL:
      (
        .diskFull, nil,
        "Free space on the disk (or raise PRAGMA max_page_count), then repeat the write; "
          + "nothing of it was stored."
      )
    case SQLITE_CORRUPT where failure.resultCode == corruptVirtualTable:
      (
        .corrupt, nil,
        "A full-text index no longer fits its table: rows were replaced or deleted without its triggers, say. "
          + "Make it anew: INSERT INTO documents_text (documents_text) VALUES ('rebuild'), with its own name."
      )
    case SQLITE_CORRUPT where failure.message.contains(" - unsafe use of "):
      (.corrupt, nil, schemaHint(for: failure.message))
    case SQLITE_CORRUPT:
      (
        .corrupt, nil,
        "Keep the file: a failing disk can look like this. Run PRAGMA integrity_check on a copy, "
          + "then restore a backup, or save what is readable with sectile salvage."
      )
    case SQLITE_NOTADB:
      (
        .notADatabase, "the file is not a SQLite database",
        "Check the path. An encrypted database, or one cut short, looks like this too."
      )
    case SQLITE_CANTOPEN where hasTooManyFiles:
      (
        .cannotOpen, "too many files are open",
        "Raise the limit of open files (ulimit -n, LimitNOFILE), or open fewer stores at a time: a store"
          + " has a handful open, and one for each of its readers."
      )
    case SQLITE_CANTOPEN:
      (
        .cannotOpen, nil,
        "Check that the folder exists and that this user may read and write it and the file."
      )
    case SQLITE_CONSTRAINT:
      constraint(failure)
    case SQLITE_INTERRUPT:
      (.interrupted, nil, nil)
    case SQLITE_IOERR, SQLITE_NOLFS:
      (
        .ioError, "\(failure.message) (\(failure.resultCode))",
        "Check the disk and the system log. The outcome of a commit that failed this way is "
          + "known only after reading the rows again."
      )
    case SQLITE_NOMEM:
      (.outOfMemory, nil, "Free memory, or lower StoreConfiguration.cacheByteCount.")
    case SQLITE_AUTH, SQLITE_PERM:
      (.notAuthorized, nil, "The connection's authorizer refuses this statement.")
    case SQLITE_SCHEMA:
      (.schemaChanged, nil, "Run the statement again.")
    case SQLITE_TOOBIG:
      (.tooBig, nil, "SQLite holds values and rows of up to 1,000,000,000 bytes.")
    case SQLITE_ABORT:
      (
        .transactionEnded, "the transaction was rolled back before its closure ended",
        "Nothing was stored. Let errors of statements leave the closure instead of catching them."
      )
    default:
      (
        .statementFailed, nil,
        schemaHint(for: failure.message)
          ?? failure.sql.map { "The statement is: \(excerpt(of: $0))" }
      )
    }
  }

  /// At most how many characters of a statement a hint repeats.
  private static let excerptLength = 500

  private static func excerpt(of sql: String) -> String {
    let start = sql.prefix(excerptLength)
    return start.endIndex == sql.endIndex ? sql : start + "…"
  }

  private static func constraint(_ failure: StoreError.SQLiteFailure) -> Translation {
    switch ConstraintKind(rawValue: failure.resultCode >> 8) {
    case .unique, .primaryKey, .rowID:
      (
        .uniqueConstraint, nil,
        "Another row has this value. Use save to replace it, or choose another key."
      )
    case .foreignKey,
      .trigger where failure.message.hasPrefix("FOREIGN KEY"):
      (
        .foreignKeyConstraint, nil,
        "Insert the parent row before its children; delete children before their parent, "
          + "or declare ON DELETE CASCADE. PRAGMA foreign_key_check lists orphans."
      )
    case .notNull:
      (
        .notNullConstraint, nil,
        "Give the column a value, or a DEFAULT in the schema. For a row that is there already, an entity "
          + "without the column is updated, not saved."
      )
    case .check:
      (.checkConstraint, nil, "The message names the CHECK that is false for this row.")
    default:
      (.otherConstraint, nil, nil)
    }
  }
}

/// Which constraint failed: the second byte of an extended result code, `SQLITE_CONSTRAINT_…`,
/// whose macros Swift does not import.
private enum ConstraintKind: Int32 {
  case check = 1
  case foreignKey = 3
  case notNull = 5
  case primaryKey = 6
  case trigger = 7
  case unique = 8
  case rowID = 10
}
