import GRDB
import GRDBSQLite

/// What SQLite's pager counts: the commits of this connection, and each time that it finds that
/// others have committed, or throws its pages away.
///
/// Two equal counts mean that nobody committed in between. To read one takes no statement.
struct PagerVersion: Equatable {
  private let count: UInt32

  /// Reads the count; nil where SQLite does not tell it.
  ///
  /// To notice what others committed, the connection must be inside a transaction.
  init?(_ db: Database) {
    var count: UInt32 = 0
    // Without a name, the main database is asked, and not looked for.
    let code = sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_DATA_VERSION, &count)
    guard code == SQLITE_OK else { return nil }
    self.count = count
  }

  /// Returns the count as it is now, or nil where it is not just one commit ahead of this one.
  func afterOneCommit(in db: Database) -> PagerVersion? {
    guard let now = PagerVersion(db), now.count == count &+ 1 else { return nil }
    return now
  }
}
