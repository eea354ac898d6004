internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Transactions of several processes that number themselves in the order in which the file has
/// them.
///
/// What a transaction does follows from its writer and its number there. The row ids of
/// `commit_order` tell in which order they came, and with that what the file held after each; and a
/// row of `entry` shows the last one. So live results say by themselves which commit they are of,
/// and what they must show.
enum CommitOrder {
  /// The row that shows the number of the last commit.
  static let counter: Int64 = 0

  static let migrations = Migrations.inline([
    "V0001_create_entry.sql":
      "CREATE TABLE entry (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, body TEXT NOT NULL)",
    // Without a primary key, so that no log follows it.
    "V0002_create_commit_order.sql": """
    CREATE TABLE commit_order (writer INTEGER, number INTEGER);
    INSERT INTO entry (id, batch, body) VALUES (0, -1, '0000000000')
    """,
  ])

  private enum Step {
    case save(Entry)
    case delete(ClosedRange<Int64>)

    var sql: String {
      switch self {
      case .save(let entry):
        "INSERT OR REPLACE INTO entry (id, batch, body) "
          + "VALUES (\(entry.id), \(entry.batch), '\(entry.body)')"
      case .delete(let ids):
        "DELETE FROM entry WHERE id BETWEEN \(ids.lowerBound) AND \(ids.upperBound)"
      }
    }
  }

  private static func steps(of number: Int64, by writer: Int, seed: UInt64) -> [Step] {
    var random = SeededRandom(
      seed: seed &* 0x1000_0001 &+ UInt64(writer) &* 0x9E37_79B9 &+ UInt64(number) &* 0x85EB_CA6B)
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let id = Int64.random(in: 1...70, using: &random)
      if random.chance(0.2) { return .delete(id...id + Int64.random(in: 0...2, using: &random)) }
      let body = "\(Int.random(in: 0...30, using: &random)) \(writer) \(number)"
      return .save(Entry(id: id, batch: Int64.random(in: 0...6, using: &random), body: body))
    }
  }

  /// The statements of a writer's transaction.
  static func statements(of number: Int64, by writer: Int, seed: UInt64) -> [String] {
    steps(of: number, by: writer, seed: seed).map(\.sql) + [
      "INSERT INTO commit_order (writer, number) VALUES (\(writer), \(number))",
      "UPDATE entry SET body = (SELECT printf('%010d', max(rowid)) FROM commit_order) "
        + "WHERE id = \(counter)",
    ]
  }

  static func fingerprint(of entry: Entry) -> Int { entry.hashValue }

  /// What the file held after each of the commits, by the steps alone: a fingerprint each, that of
  /// none first.
  static func fingerprints(of commits: [(writer: Int, number: Int64)], seed: UInt64) -> [Int] {
    func shown(_ count: Int) -> Entry {
      Entry(id: counter, batch: -1, body: String(format: "%010d", count))
    }
    var entries: [Int64: Entry] = [:]
    // Of the rows but the one that counts: one more row, or one less, is one operation.
    var sum = 0
    var all = [fingerprint(of: shown(0))]
    for (position, commit) in commits.enumerated() {
      for step in steps(of: commit.number, by: commit.writer, seed: seed) {
        switch step {
        case .save(let entry):
          if let former = entries.updateValue(entry, forKey: entry.id) {
            sum ^= fingerprint(of: former)
          }
          sum ^= fingerprint(of: entry)
        case .delete(let ids):
          for id in ids {
            if let former = entries.removeValue(forKey: id) { sum ^= fingerprint(of: former) }
          }
        }
      }
      all.append(sum ^ fingerprint(of: shown(position + 1)))
    }
    return all
  }

  // MARK: Writers

  /// How many processes write, beside the one that follows.
  static let writerCount = 4

  static func open(_ path: String) throws -> Store {
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .seconds(60)
    configuration.synchronous = .off
    // Programs that take no lock write, too: SQLite could lose commits at checkpoints.
    configuration.automaticCheckpointPageCount = 0
    return try Store.open(at: path, configuration: configuration)
  }

  /// Writes until the time has passed: as a store where the number is even, and else as another
  /// program.
  static func write(to path: String, as writer: Int, seed: UInt64, seconds: Int) throws {
    var random = SeededRandom(seed: seed &+ UInt64(writer))
    let end = Date().timeIntervalSince1970 + Double(seconds)
    let store = writer % 2 == 0 ? try open(path) : nil
    let connection = store == nil ? try PlainConnection(path: path, busyTimeout: 60_000) : nil
    try connection?.run("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
    var number: Int64 = 0
    while Date().timeIntervalSince1970 < end {
      number += 1
      let statements = statements(of: number, by: writer, seed: seed)
      try store?.write { transaction in
        for sql in statements { try transaction.execute(sql) }
      }
      try connection?.run("BEGIN IMMEDIATE; " + statements.joined(separator: "; ") + "; COMMIT")
      usleep(UInt32.random(in: 0...6_000, using: &random))
    }
    Child.say("\(number)")
  }
}
