internal import Sectile
internal import SectileTestSupport

/// What the table must hold after each transaction; every transaction follows from a seed.
///
/// The transaction of number *n* also writes *n* into the table `mark`. So the file itself says how
/// many transactions it holds, and there is exactly one state it may be in: half a transaction, a
/// lost or a foreign row shows.
struct Model {
  /// One step of a transaction.
  enum Step {
    case save(Entry)
    case delete(Int64)
  }

  static let migrations = Migrations.inline([
    "V0001_create_entry.sql":
      "CREATE TABLE entry (id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, body TEXT NOT NULL)",
    "V0002_create_mark.sql": "CREATE TABLE mark (number INTEGER PRIMARY KEY)",
    "V0003_index_entry.sql": "CREATE INDEX entry_on_batch ON entry (batch, body)",
  ])

  let seed: UInt64
  /// How many rows a large transaction saves.
  let bulk: Int
  private(set) var number: Int64 = 0
  private(set) var entries: [Int64: Entry] = [:]

  init(seed: UInt64, bulk: Int = 120) {
    self.seed = seed
    self.bulk = bulk
  }

  /// The model after so many transactions.
  init(seed: UInt64, bulk: Int = 120, after number: Int64) {
    self.init(seed: seed, bulk: bulk)
    while self.number < number { advance() }
  }

  /// The steps of the next transaction.
  var steps: [Step] {
    var random = SeededRandom(seed: seed &+ UInt64(bitPattern: number + 1) &* 0x9E37_79B9)
    let isLarge = random.chance(0.06)
    let count = isLarge ? bulk : Int.random(in: 1...6, using: &random)
    return (0..<count).map { _ in
      let id = Int64.random(in: 1...(isLarge ? 400 : 60), using: &random)
      if random.chance(0.2) { return .delete(id) }
      let length = random.chance(0.05) ? 7_000 : Int.random(in: 0...160, using: &random)
      let letter = ["a", "b", "é", "0"].randomElement(using: &random) ?? "a"
      return .save(
        Entry(
          id: id, batch: Int64.random(in: 0...5, using: &random),
          body: "\(number + 1) \(String(repeating: letter, count: length))"))
    }
  }

  /// Takes the next transaction as done.
  mutating func advance() {
    for step in steps {
      switch step {
      case .save(let entry): entries[entry.id] = entry
      case .delete(let id): entries[id] = nil
      }
    }
    number += 1
  }

  /// Writes the next transaction to a store, without taking it as done.
  func write(to store: Store) throws {
    try store.write { transaction in
      for step in steps {
        switch step {
        case .save(let entry): try transaction.save(entry)
        case .delete(let id): try transaction.delete(Entry.self, key: id)
        }
      }
      try transaction.execute("INSERT INTO mark VALUES (?)", number + 1)
    }
  }

  /// How many transactions a store says it holds.
  static func number(in store: Store) throws -> Int64 {
    try store.read { transaction in
      guard
        case .integer(let number)? = try transaction.query("SELECT max(number) FROM mark").first?
          .values[0]
      else { return 0 }
      return number
    }
  }
}
