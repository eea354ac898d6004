/// The tables of the change log.
///
/// They are not STRICT: other programs write the file, too, some of them with an older SQLite. The
/// key columns have no type, so that they keep integers, reals, texts and blobs apart.
package enum LogTables {
  /// What happened, in the order in which it happened.
  package static let log = "sectile_log"
  /// The tables that are followed, and the numbers by which the log names them.
  package static let tables = "sectile_log_table"
  /// The log itself: one row.
  package static let state = "sectile_log_state"
  /// Who reads the log, and how far.
  package static let readers = "sectile_log_reader"

  /// What columns held before rows of ``log``, for the tables of ``audit``; see ``LogValues``.
  package static let values = "sectile_log_value"
  /// The tables whose values are kept, by their numbers.
  package static let audit = "sectile_log_audit"

  /// All of them; the last two are only where values are kept, or were.
  static let names = [log, tables, state, readers, values, audit]

  /// The columns of ``log`` that hold a key.
  package static let keyColumns = ["k0", "k1", "k2", "k3"]

  /// The statements that create the tables where they are not there.
  package static let creation = [
    """
    CREATE TABLE IF NOT EXISTS sectile_log (
      seq INTEGER PRIMARY KEY, tbl INTEGER, op INTEGER, k0, k1, k2, k3, salt INTEGER)
    """,
    """
    CREATE TABLE IF NOT EXISTS sectile_log_table (
      id INTEGER PRIMARY KEY, name TEXT, keys TEXT, triggers TEXT, since INTEGER)
    """,
    """
    CREATE TABLE IF NOT EXISTS sectile_log_state (
      one INTEGER PRIMARY KEY, store BLOB, epoch INTEGER, pruned_to INTEGER, pruned_salt INTEGER,
      format INTEGER, all_tables INTEGER)
    """,
    """
    CREATE TABLE IF NOT EXISTS sectile_log_reader (name TEXT PRIMARY KEY, seq INTEGER, seen_at TEXT)
    """,
  ]

  /// The statements that create the tables of values where they are not there.
  ///
  /// Place 0 holds when a statement ran; the others are columns, by where they stand in their
  /// table.
  package static let valueCreation = [
    """
    CREATE TABLE IF NOT EXISTS sectile_log_value (
      seq INTEGER, place INTEGER, name TEXT, old, new, PRIMARY KEY (seq, place)) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS sectile_log_audit (tbl INTEGER PRIMARY KEY, since INTEGER)",
  ]

  /// Whether a table, or a trigger, has a name as the log's own, or as what else tells about this
  /// one file: ``CollationVersions``.
  package static func isOwn(_ table: String) -> Bool {
    let name = table.lowercased()
    return name == log || name.hasPrefix(log + "_") || name == CollationVersions.table
  }
}
