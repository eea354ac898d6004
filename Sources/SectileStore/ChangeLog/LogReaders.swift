internal import GRDB
internal import SectileCore

/// Those who said how far they have read the change log: what comes behind is kept for them, for a
/// while.
struct LogReaders {
  /// A reader.
  struct Entry {
    let name: String
    let sequence: Int64
    /// When it was heard of last, in milliseconds since 1970; nil where that cannot be read.
    let seenAt: Int64?
  }

  private let db: Database

  init(of db: Database) { self.db = db }

  /// All readers, by name.
  ///
  /// - Throws: What reading throws.
  func all() throws -> [Entry] {
    try db.schemaRows("\(Self.selection) ORDER BY name", []).map(Self.entry)
  }

  /// A reader; nil where there is none of this name.
  ///
  /// - Throws: What reading throws.
  /// - Complexity: O(log *n*) for *n* readers.
  func entry(named name: String) throws -> Entry? {
    try db.schemaRows("\(Self.selection) WHERE name = ?", [.text(name)]).first.map(Self.entry)
  }

  private static let selection = """
    SELECT name, seq, CAST(round((julianday(seen_at) - 2440587.5) * 86400000) AS INTEGER)
    FROM main.sectile_log_reader
    """

  private static func entry(_ row: [StoredValue]) -> Entry {
    let sequence = if case .integer(let sequence) = row[1] { sequence } else { Int64(0) }
    let seenAt: Int64? = if case .integer(let time) = row[2] { time } else { nil }
    return Entry(name: row[0].schemaText, sequence: sequence, seenAt: seenAt)
  }

  /// The least place of those who were heard of since a time; nil where there are none.
  ///
  /// - Throws: What reading throws.
  func oldestPlace(liveSince time: Int64) throws -> Int64? {
    try all().filter { $0.seenAt.map { $0 >= time } ?? false }.map(\.sequence).min()
  }

  /// Takes note of how far a reader has come, now.
  ///
  /// - Throws: What writing throws.
  func note(_ name: String, at sequence: Int64) throws {
    try db.execute(
      sql: """
        INSERT INTO main.sectile_log_reader (name, seq, seen_at)
        VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, seen_at = excluded.seen_at
        """, arguments: [name, sequence])
    // What is written here others need not look for.
    try LogOperation.note.append(in: db)
  }

  /// Forgets a reader.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: What writing throws.
  func remove(_ name: String) throws -> Bool {
    try db.execute(sql: "DELETE FROM main.sectile_log_reader WHERE name = ?", arguments: [name])
    guard db.changesCount > 0 else { return false }
    try LogOperation.note.append(in: db)
    return true
  }
}
