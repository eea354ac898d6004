internal import GRDBSQLite

/// A release of SQLite, and what is known of it.
package struct SQLiteRelease: Hashable, Sendable {
  let major: Int
  let minor: Int
  let patch: Int

  package init(_ major: Int, _ minor: Int, _ patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// The library that this process has loaded.
  package static let linked: SQLiteRelease = {
    let number = Int(sqlite3_libversion_number())
    return SQLiteRelease(number / 1_000_000, number / 1_000 % 1_000, number % 1_000)
  }()

  /// Whether it has the *WAL-reset bug*: a checkpoint that begins while another connection begins
  /// the log anew may take later commits for copied, which are lost then.
  ///
  /// It came with WAL in 3.7.0 and was mended in 3.51.3; of the older series 3.44.6 and 3.50.7 have
  /// the correction, too. A distributor may have corrected a release without a new number: nothing
  /// tells. See https://sqlite.org/wal.html#walresetbug.
  package var hasWALResetBug: Bool {
    switch (major, minor) {
    case (3, 44): patch < 6
    case (3, 50): patch < 7
    case (3, 51): patch < 3
    case (3, 7...49): true
    default: false
    }
  }
}

extension SQLiteRelease: CustomStringConvertible {
  /// As SQLite writes it: `3.40.1`.
  package var description: String { "\(major).\(minor).\(patch)" }
}
