import GRDBSQLite
import SectileCore
import SectileTestSupport

@testable import SectileStore

/// Tables with the triggers of a change log, and an oracle: every row that a statement has changed
/// must be named by what the log says since.
final class LogWorld {
  /// What was seen over all statements.
  struct Tally {
    var statements = 0
    var refused = 0
    var changedRows = 0
    var resets = 0
    var tables = 0
    var untracked: [String] = []
    var misses: [String] = []

    var summary: String {
      "\(statements) statements, \(refused) refused, \(changedRows) rows changed, \(resets) resets, "
        + "\(tables) tables, \(untracked.count) not followed, \(misses.count) misses"
    }

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(
        statements: left.statements + right.statements, refused: left.refused + right.refused,
        changedRows: left.changedRows + right.changedRows, resets: left.resets + right.resets,
        tables: left.tables + right.tables, untracked: left.untracked + right.untracked,
        misses: left.misses + right.misses)
    }
  }

  /// The rows of a table by their key, with how often each is there.
  typealias Rows = [[StoredValue]: [[StoredValue]: Int]]

  private struct RollBack: Error {}

  private(set) var tally = Tally()
  private let store: Store
  private let isGuarded: Bool
  private var schema: LogRandomSchema
  private var tracked: [(id: Int64, table: LogRandomSchema.Table)] = []

  /// Makes tables with the triggers, with or without guards.
  init(seed: UInt64, isGuarded: Bool = true) throws {
    self.isGuarded = isGuarded
    store = try Store.inMemory()
    schema = LogRandomSchema(random: SeededRandom(seed: seed))
    try store.write { transaction in
      // Triggers that run each other without end are refused soon.
      sqlite3_limit(transaction.schemaConnection, SQLITE_LIMIT_TRIGGER_DEPTH, 8)
      for sql in LogTables.creation { try transaction.execute(sql) }
      for sql in schema.statements {
        // An index may be of what an index cannot be of.
        if sql.hasPrefix("CREATE TABLE") {
          try transaction.execute(sql)
        } else {
          try? transaction.execute(sql)
        }
      }
      if schema.random.chance(0.3) { try transaction.execute("PRAGMA recursive_triggers = ON") }
    }
    try install()
    tally.tables = schema.tables.count
  }

  private func install() throws {
    tally.untracked = []
    try store.write { transaction in
      let old = try transaction.query(
        "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'sectile_log%'")
      for row in old {
        guard case .text(let name) = row.values[0] else { continue }
        try transaction.execute("DROP TRIGGER \(name)")
      }
      tracked = []
      for (number, table) in schema.tables.enumerated() {
        let schema = try TableSchema(of: table.name, in: transaction)
        guard let schema else { continue }
        switch try LogTriggers.of(schema, id: Int64(number), in: transaction) {
        case .untracked(let reason): tally.untracked.append(reason)
        case .tracked(_, let triggers):
          for trigger in triggers where isGuarded || !trigger.name.contains("guard") {
            try transaction.execute(trigger.sql)
          }
          tracked.append((Int64(number), table))
        }
      }
    }
  }

  /// Runs random statements, and looks after each.
  func run(_ count: Int) throws {
    var before = try rows()
    for _ in 0..<count {
      if schema.random.chance(0.01) {
        // What is in the table may refuse it.
        let sql = schema.uniqueIndex()
        try? store.write { try $0.execute(sql) }
        try install()
        before = try rows()
      }
      let head = try logHead()
      let statements = makeStatements()
      perform(statements.sql, rollingBack: statements.isRolledBack)
      tally.statements += statements.sql.count
      let after = try rows()
      try compare(before, after, since: head, statements.sql)
      before = after
    }
  }

  private func makeStatements() -> (sql: [String], isRolledBack: Bool) {
    guard schema.random.chance(0.1) else { return ([schema.statement()], false) }
    return ([schema.statement(), schema.statement(), schema.statement()], true)
  }

  /// Runs statements in one transaction; of several, all but the last in a savepoint that is
  /// undone.
  private func perform(_ statements: [String], rollingBack isRolledBack: Bool) {
    // OR ROLLBACK ends the transaction.
    try? store.write { transaction in
      if isRolledBack {
        try? transaction.savepoint {
          for sql in statements.dropLast() { attempt(sql, in: transaction) }
          throw RollBack()
        }
      }
      attempt(statements.last ?? "", in: transaction)
    }
  }

  /// Runs a statement of which a part may stand when it is refused: OR FAIL.
  private func attempt(_ sql: String, in transaction: StoreTransaction) {
    do {
      try transaction.execute(sql)
    } catch {
      tally.refused += 1
    }
  }

  private func compare(
    _ before: [Int64: Rows], _ after: [Int64: Rows], since head: Int64, _ statements: [String]
  ) throws {
    let entries = try store.read {
      try $0.query(
        "SELECT tbl, op, k0, k1, k2, k3 FROM sectile_log WHERE seq > ?", values: [.integer(head)]
      ).map(\.values)
    }
    tally.resets += entries.filter { $0[1] == .integer(LogOperation.reset.rawValue) }.count
    for (id, table) in tracked {
      let own = entries.filter { $0[0] == .integer(id) }
      let isReset = own.contains { $0[1] == .integer(LogOperation.reset.rawValue) }
      let named = Set(own.map { Array($0[2..<(2 + table.keys.count)]) })
      let (old, new) = (before[id] ?? [:], after[id] ?? [:])
      for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
        tally.changedRows += 1
        if !isReset && !named.contains(key) {
          tally.misses.append(
            "\(schema.random): \(key) of \(table.name) by \(statements) in \(schema.statements)")
        }
      }
    }
  }

  private func logHead() throws -> Int64 {
    let values = try store.read { try $0.query("SELECT max(seq) FROM sectile_log")[0].values }
    return if case .integer(let head) = values[0] { head } else { 0 }
  }

  private func rows() throws -> [Int64: Rows] {
    try store.read { transaction in
      var result: [Int64: Rows] = [:]
      for (id, table) in tracked {
        let keys = table.keys.map(SQLName.quote).joined(separator: ", ")
        var rows: Rows = [:]
        for row in try transaction.query("SELECT \(keys), * FROM \(SQLName.quote(table.name))") {
          let key = Array(row.values.prefix(table.keys.count))
          rows[key, default: [:]][Array(row.values.dropFirst(table.keys.count)), default: 0] += 1
        }
        result[id] = rows
      }
      return result
    }
  }
}
