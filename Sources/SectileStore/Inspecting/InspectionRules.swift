internal import GRDBSQLite

/// What SQL from outside may do on a read-only connection: an allow-list, since a list of what is
/// forbidden would be wrong with the next SQLite.
///
/// `sqlite3_stmt_readonly` does not help: it holds ATTACH and `PRAGMA query_only = OFF` for
/// reading.
enum InspectionRules {
  /// Installs the rules as the connection's authorizer, for all statements from now on.
  static func install(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { _, action, first, second, _, _ in
        let first = first.map { String(cString: $0) }
        let second = second.map { String(cString: $0) }
        return InspectionRules.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
      }, nil)
  }

  /// Returns whether an action, with its two details as SQLite's authorizer gets them, is allowed.
  static func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      true
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      // Virtual tables prepare such statements when they connect, and EXPLAIN may ask about them.
      // What is run fails: the file is open for reading, and there is no other.
      true
    case SQLITE_FUNCTION:
      !forbiddenFunctions.contains((second ?? "").lowercased())
    case SQLITE_PRAGMA:
      allowsPragma((first ?? "").lowercased(), hasArgument: second != nil)
    default:
      false
    }
  }

  private static func allowsPragma(_ name: String, hasArgument: Bool) -> Bool {
    describingPragmas.contains(name) || (!hasArgument && readingPragmas.contains(name))
  }

  /// Functions that reach outside of the database.
  private static let forbiddenFunctions: Set = ["load_extension", "fts3_tokenizer"]

  /// Pragmas that only describe; their argument names a table or a limit.
  private static let describingPragmas: Set = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  /// Pragmas that tell a setting without an argument and change it with one.
  private static let readingPragmas: Set = [
    "application_id", "auto_vacuum", "busy_timeout", "cache_size", "cell_size_check",
    "collation_list", "compile_options", "data_version", "database_list", "encoding",
    "foreign_keys", "freelist_count", "function_list", "journal_mode", "journal_size_limit",
    "locking_mode", "max_page_count", "mmap_size", "module_list", "page_count", "page_size",
    "pragma_list", "query_only", "recursive_triggers", "schema_version", "secure_delete",
    "synchronous", "temp_store", "trusted_schema", "user_version", "wal_autocheckpoint",
  ]
}
