internal import GRDBSQLite

/// Whether the schema of a file from elsewhere may call what its connection has.
///
/// `PRAGMA trusted_schema = OFF` keeps views, triggers, generated columns, constraints and indexes
/// from whatever is not declared innocuous. SQLite 3.38 to 3.40 declare the functions of JSON
/// wrongly, and their full-text and R*Tree tables not at all: one index on a value in JSON, and
/// nothing of the file is read.
///
/// What protects a file's reader is that nothing with a side effect can be called. So the
/// connection is asked for all that it has: where each function and each module is innocuous, or
/// kept from schemas by SQLite whatever the pragma says, as `load_extension` is, or one of those
/// below, the schema is trusted; where there is a single stranger, it is not.
///
/// An authorizer would not do. SQLite resolves generated columns, constraints and indexes when it
/// reads the schema, and asks no authorizer about them.
enum SchemaTrust {
  /// Trusts the schema where it can call nothing but what is harmless, and else does not.
  ///
  /// Functions that are registered later have to be declared with `SQLITE_DIRECTONLY` or
  /// `SQLITE_INNOCUOUS`.
  ///
  /// - Throws: ``StoreError`` where SQLite does not answer; the schema is not trusted then.
  static func settle(on connection: OpaquePointer) throws(StoreError) {
    try forEachRow(of: "PRAGMA trusted_schema = OFF", on: connection) { _ in }
    guard try strangers(on: connection).isEmpty else { return }
    try forEachRow(of: "PRAGMA trusted_schema = ON", on: connection) { _ in }
  }

  /// Returns the functions and modules that a trusted schema could call, and that are not known to
  /// be harmless.
  ///
  /// - Throws: ``StoreError`` where SQLite does not answer.
  static func strangers(on connection: OpaquePointer) throws(StoreError) -> [String] {
    var strangers: [String] = []
    var functionCount = 0
    // The columns are name, builtin, type, enc, narg and flags.
    try forEachRow(of: "PRAGMA function_list", on: connection) { row in
      functionCount += 1
      if sqlite3_column_int(row, 5) & (SQLITE_INNOCUOUS | SQLITE_DIRECTONLY) != 0 { return }
      let name = firstText(of: row)
      if !harmlessFunctions.contains(name) { strangers.append("\(name)()") }
    }
    try forEachRow(of: "PRAGMA module_list", on: connection) { row in
      let name = firstText(of: row)
      // Those pragmas are tables that change nothing, but for what ANALYZE writes.
      if !name.hasPrefix("pragma_"), !harmlessModules.contains(name) { strangers.append(name) }
    }
    // A library without this pragma does not tell what it has.
    return functionCount == 0 ? ["PRAGMA function_list"] : strangers
  }

  private static func firstText(of row: OpaquePointer) -> String {
    sqlite3_column_text(row, 0).map { String(cString: $0) } ?? ""
  }

  private static func forEachRow(
    of sql: String, on connection: OpaquePointer, _ body: (_ row: OpaquePointer) -> Void
  ) throws(StoreError) {
    var prepared: OpaquePointer?
    var code = sqlite3_prepare_v2(connection, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let statement = prepared else {
      throw .sqlite(code, on: connection, sql: sql)
    }
    defer { sqlite3_finalize(statement) }
    code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      body(statement)
      code = sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw .sqlite(code, on: connection, sql: sql) }
  }

  /// Functions that some versions of SQLite do not declare innocuous, and that only work out a
  /// value or read the file.
  ///
  /// `optimize` puts a full-text index of the file itself in order, as any trigger may write to it.
  private static let harmlessFunctions: Set = [
    // JSON.
    "->", "->>", "json", "json_array", "json_array_length", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_object", "json_patch", "json_quote", "json_remove",
    "json_replace", "json_set", "json_type", "json_valid",
    // Full text.
    "bm25", "fts5", "fts5_get_locale", "fts5_insttoken", "fts5_locale", "fts5_source_id",
    "highlight", "match", "matchinfo", "offsets", "optimize", "snippet",
    // R*Trees.
    "rtreecheck", "rtreedepth", "rtreenode",
    // GRDB's, which change the case of text.
    "swiftCapitalizedString", "swiftLocalizedCapitalizedString", "swiftLocalizedLowercaseString",
    "swiftLocalizedUppercaseString", "swiftLowercaseString", "swiftUppercaseString",
  ]

  /// Modules of SQLite whose tables hold their rows in the file, or only read.
  private static let harmlessModules: Set = [
    "bytecode", "dbstat", "fts3", "fts3tokenize", "fts4", "fts4aux", "fts5", "fts5vocab", "geopoly",
    "json_each", "json_tree", "rtree", "rtree_i32", "sqlite_stmt", "tables_used",
  ]
}
