internal import Sectile
internal import SectileTestSupport

/// Transactions that write down by themselves what they touch: a record beside the change log that
/// owes nothing to it.
///
/// Each statement comes with rows of the table `ledger`, in the same transaction: the table and the
/// key of each row that it touches, and the ends of the log before and after it. So every row that
/// was committed is known, and where the log must name it. The ledger has no primary key, so that
/// no log follows it.
enum Ledger {
  static let migrations = Migrations.inline([
    "V0001_create_entry.sql":
      "CREATE TABLE entry (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, body TEXT NOT NULL)",
    "V0002_create_pair.sql":
      "CREATE TABLE pair (a TEXT, b INTEGER, note TEXT UNIQUE, PRIMARY KEY (a, b)) WITHOUT ROWID",
    // `store` is null where there is no log, and the ends are -1.
    "V0003_create_ledger.sql": """
    CREATE TABLE ledger (writer INTEGER, number INTEGER, store BLOB, "before" INTEGER,
      "after" INTEGER, tbl TEXT, k0, k1);
    CREATE INDEX ledger_open ON ledger (writer) WHERE "after" IS NULL;
    CREATE INDEX ledger_end ON ledger (store, "after")
    """,
  ])

  /// What a row of the ledger has in the place of a table's name where a transaction begins.
  static let beginning = "!"
  /// What stands before the name of a table that is rebuilt.
  static let rebuilding = "!"

  /// Whether the file has a change log, for the connection that asks inside its transaction.
  static let hasLog = "SELECT 1 FROM sqlite_schema WHERE name = 'sectile_log_state'"
}

/// The statements of one writer's transactions, by seed.
struct LedgerWriter {
  /// Who writes: another number for each process; negative for one that is no store.
  let writer: Int
  private(set) var number = 0
  private var random: SeededRandom

  init(_ writer: Int, seed: UInt64) {
    self.writer = writer
    random = SeededRandom(seed: seed)
  }

  /// The statements of the next transaction.
  ///
  /// - Parameter hasLog: Whether the file has a change log.
  /// - Returns: The statements, in order.
  mutating func next(hasLog: Bool) -> [String] {
    var sql = begin(hasLog)
    for _ in 0..<Int.random(in: 1...5, using: &random) { sql += step(hasLog) }
    return sql
  }

  /// The statements of a transaction that changes the schema of a table, and perhaps some of its
  /// rows.
  mutating func rebuild(hasLog: Bool) -> [String] {
    let (table, variants) =
      random.chance(0.6)
      ? ("entry", Self.rebuildsOfEntry) : ("pair", Self.rebuildsOfPair)
    return begin(hasLog) + note("SELECT NULL, NULL", of: Ledger.rebuilding + table, hasLog)
      + (variants.randomElement(using: &random) ?? []) + close(hasLog) + step(hasLog)
  }

  private mutating func begin(_ hasLog: Bool) -> [String] {
    number += 1
    return note("SELECT NULL, NULL", of: Ledger.beginning, hasLog) + close(hasLog)
  }

  // MARK: Statements

  private mutating func step(_ hasLog: Bool) -> [String] {
    let (table, touched, statement) = random.chance(0.6) ? entryStep() : pairStep()
    return touched.flatMap { note($0, of: table, hasLog) } + [statement] + close(hasLog)
  }

  /// A statement, and queries for the keys that it touches.
  private typealias Step = (table: String, touched: [String], statement: String)

  private mutating func entryStep() -> Step {
    let id = Int.random(in: 1...60, using: &random)
    let batch = Int.random(in: 0...5, using: &random)
    let body = "\(writer) \(number) \(Int.random(in: 0...999, using: &random))"
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      return (
        "entry", ["SELECT \(id), NULL"],
        "INSERT OR REPLACE INTO entry (id, batch, body) VALUES (\(id), \(batch), '\(body)')"
      )
    case 4..<6:
      return (
        "entry", ["SELECT \(id), NULL"],
        "INSERT INTO entry (id, batch, body) VALUES (\(id), \(batch), '\(body)') "
          + "ON CONFLICT (id) DO UPDATE SET body = excluded.body"
      )
    case 6:
      return (
        "entry", ["SELECT id, NULL FROM entry WHERE batch = \(batch)"],
        "UPDATE entry SET body = '\(body)' WHERE batch = \(batch)"
      )
    case 7:
      // The key that was, and the key that is.
      return (
        "entry",
        [
          "SELECT id, NULL FROM entry WHERE id = \(id)",
          "SELECT id + 60, NULL FROM entry WHERE id = \(id)",
        ], "UPDATE OR REPLACE entry SET id = id + 60 WHERE id = \(id)"
      )
    default:
      let id = Int.random(in: 1...120, using: &random)
      return (
        "entry", ["SELECT id, NULL FROM entry WHERE id = \(id)"],
        "DELETE FROM entry WHERE id = \(id)"
      )
    }
  }

  private mutating func pairStep() -> Step {
    let a = ["", "é", "x", "X", "12", "''"].randomElement(using: &random) ?? ""
    let b = Int.random(in: 0...4, using: &random)
    let note = Int.random(in: 0...20, using: &random)
    let isPair = "a = '\(a)' AND b = \(b)"
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<4:
      // REPLACE removes who has the note.
      return (
        "pair", ["SELECT '\(a)', \(b)", "SELECT a, b FROM pair WHERE note = 'n\(note)'"],
        "INSERT OR REPLACE INTO pair (a, b, note) VALUES ('\(a)', \(b), 'n\(note)')"
      )
    case 4:
      return (
        "pair",
        [
          "SELECT a, b FROM pair WHERE \(isPair)",
          "SELECT a, b FROM pair WHERE note = 'n\(note)' "
            + "AND EXISTS (SELECT 1 FROM pair WHERE \(isPair))",
        ], "UPDATE OR REPLACE pair SET note = 'n\(note)' WHERE \(isPair)"
      )
    case 5:
      return (
        "pair",
        [
          "SELECT a, b FROM pair WHERE \(isPair)", "SELECT a, b + 10 FROM pair WHERE \(isPair)",
        ], "UPDATE OR REPLACE pair SET b = b + 10 WHERE \(isPair)"
      )
    case 6:
      return (
        "pair", ["SELECT a, b FROM pair WHERE b % 10 = \(b)"],
        "DELETE FROM pair WHERE b % 10 = \(b)"
      )
    default:
      return random.chance(0.1)
        ? ("pair", ["SELECT a, b FROM pair"], "DELETE FROM pair")
        : (
          "pair", ["SELECT a, b FROM pair WHERE \(isPair)"],
          "UPDATE pair SET note = NULL WHERE \(isPair)"
        )
    }
  }

  // MARK: The ledger

  private func note(_ keys: String, of table: String, _ hasLog: Bool) -> [String] {
    let (store, head) = hasLog ? (Self.store, Self.head) : ("NULL", "-1")
    return [
      "INSERT INTO ledger (writer, number, store, \"before\", tbl, k0, k1) "
        + "SELECT \(writer), \(number), \(store), \(head), '\(table)', * FROM (\(keys))"
    ]
  }

  private func close(_ hasLog: Bool) -> [String] {
    ["UPDATE ledger SET \"after\" = \(hasLog ? Self.head : "-1") WHERE \"after\" IS NULL"]
  }

  private static let store = "(SELECT store FROM sectile_log_state)"
  private static let head = "(SELECT max(seq) FROM sectile_log)"

  private static let rebuildsOfEntry = [
    [
      "CREATE TABLE entry_next (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, body TEXT NOT NULL)",
      "INSERT INTO entry_next SELECT id, batch, body FROM entry", "DROP TABLE entry",
      "ALTER TABLE entry_next RENAME TO entry",
    ],
    ["CREATE UNIQUE INDEX IF NOT EXISTS entry_unique ON entry (body, id)"],
    ["DROP INDEX IF EXISTS entry_unique"],
    ["ALTER TABLE entry ADD COLUMN extra TEXT", "ALTER TABLE entry DROP COLUMN extra"],
    ["ALTER TABLE entry RENAME TO other", "ALTER TABLE other RENAME TO entry"],
  ]
  private static let rebuildsOfPair = [
    [
      "CREATE TABLE pair_next (a TEXT, b INTEGER, note TEXT UNIQUE, PRIMARY KEY (a, b)) WITHOUT ROWID",
      "INSERT INTO pair_next SELECT a, b, note FROM pair", "DROP TABLE pair",
      "ALTER TABLE pair_next RENAME TO pair",
    ],
    ["CREATE UNIQUE INDEX IF NOT EXISTS pair_unique ON pair (b, a) WHERE note IS NOT NULL"],
    ["DROP INDEX IF EXISTS pair_unique"],
  ]
}
