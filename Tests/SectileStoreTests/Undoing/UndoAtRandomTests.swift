import Foundation
import GRDBSQLite
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Random tables with whatever a schema may have, and random transactions on them, which are undone
/// and done again.
@Suite(.timeLimit(.minutes(60))) struct UndoAtRandomTests {
  @Test(arguments: SeededRandom.batches(debug: 40, release: 400, of: 5))
  func everyTransactionIsTakenBackToTheLastBit(_ seeds: Range<UInt64>) throws {
    var tally = UndoWorld.Tally()
    for seed in seeds {
      var world = UndoWorld(seed: seed)
      try world.run(&tally)
    }
    #expect(tally.problems.isEmpty, "\(tally.problems.count): \(tally.problems.first ?? "")")
    // Otherwise nothing was tried.
    #expect(tally.undone > 5 * seeds.count, "\(tally.summary)")
    #expect(tally.undoneBesideOthers + tally.conflicts > 0, "\(tally.summary)")
    #expect(tally.rows > 6 * seeds.count, "\(tally.summary)")
    if ProcessInfo.processInfo.environment["SECTILE_RANDOM_SEEDS"] != nil { print(tally.summary) }
  }
}

/// One seed: tables, where they are, and what happens to them.
struct UndoWorld {
  /// What was seen over all transactions.
  struct Tally {
    var undone = 0
    var rows = 0
    var empty = 0
    var refused: [String: Int] = [:]
    var conflicts = 0
    var undoneBesideOthers = 0
    var problems: [String] = []

    var summary: String {
      "\(undone) undone, \(rows) rows, \(empty) empty, refused: \(refused), beside others: \(undoneBesideOthers) "
        + "undone, \(conflicts) conflicts, \(problems.count) problems"
    }
  }

  private let seed: UInt64
  private let kind: StorageKind
  private let hasLog: Bool
  private var random: SeededRandom
  private var schema: LogRandomSchema
  /// The statements of the transaction that was run last, with a mark before those that were taken
  /// back in it.
  private var statements: [String] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed &+ 0x5EC7)
    kind = StorageKind.allCases.randomElement(using: &random) ?? .memory
    hasLog = random.chance(0.5)
    schema = LogRandomSchema(random: SeededRandom(seed: seed))
  }

  mutating func run(_ tally: inout Tally) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: SmallWorld.configuration)
    try fill(store)
    let other = kind == .memory ? nil : try ForeignConnection(folder.file("store.sqlite"))
    try other?.execute("PRAGMA foreign_keys = 1")
    var stack: [(undo: Store.Undo, before: DatabaseDump)] = []
    for _ in 0..<12 where tally.problems.isEmpty {
      let before = try DatabaseDump(of: store)
      guard let undo = try write(to: store, before, &tally) else { continue }
      let after = try DatabaseDump(of: store)
      if undo.isEmpty != (before == after) { report("\(undo) is no change", &tally) }
      guard let redo = try takeBack(undo, in: store, &tally) else { break }
      try compare(store, before, "undone", &tally)
      guard let back = try takeBack(redo, in: store, &tally) else { break }
      try compare(store, after, "done again", &tally)
      tally.undone += 1
      tally.rows += undo.rowCount
      if undo.isEmpty { tally.empty += 1 }
      stack.append((back, before))
      if random.chance(0.3) {
        try undoBesideOthers(back, from: before, to: after, in: store, other, &tally)
        stack = []
      }
    }
    try undoAll(stack, in: store, &tally)
    while tally.problems.isEmpty, let (undo, before) = stack.popLast() {
      try store.undo(undo)
      try compare(store, before, "undone in turn", &tally)
    }
    try check(store, &tally)
    other?.close()
    try store.close()
  }

  /// Undoes transactions that came one after another in one transaction, and does them again.
  private func undoAll(
    _ stack: [(undo: Store.Undo, before: DatabaseDump)], in store: Store, _ tally: inout Tally
  ) throws {
    guard tally.problems.isEmpty, let first = stack.first else { return }
    let after = try DatabaseDump(of: store)
    do {
      let redo = try store.undo(stack.map { $0.undo })
      try compare(store, first.before, "undone at one stroke", &tally)
      try store.undo(redo)
      try compare(store, after, "done again at one stroke", &tally)
    } catch let error as StoreError {
      report("not undone at one stroke: \(error.detailedDescription)", &tally)
    }
  }

  /// Undoes what must be undoable.
  private func takeBack(
    _ undo: Store.Undo, in store: Store, _ tally: inout Tally
  ) throws -> Store.Undo? {
    do {
      return try store.undo(undo)
    } catch let error as StoreError {
      let rows = undo.tables.flatMap { table in
        table.changes.map { change in
          func text(_ row: Range<Int>?) -> String {
            row.map { table.withColumns(of: $0) { "\($0.map(\.value))" } } ?? "none"
          }
          return "\(table.rows.table) \(change.key): \(text(change.before)) → \(text(change.after))"
        }
      }
      report("\(error): \(rows.joined(separator: "\n"))", &tally)
      return nil
    }
  }

  private func report(_ problem: String, _ tally: inout Tally) {
    let tables = schema.statements.joined(separator: ";\n")
    let last = statements.joined(separator: ";\n")
    tally.problems.append(
      "seed \(seed), \(kind), log: \(hasLog): \(problem)\n\(tables)\nThe last transaction:\n\(last)"
    )
  }

  private func compare(
    _ store: Store, _ expected: DatabaseDump, _ what: String, _ tally: inout Tally
  ) throws {
    let dump = try DatabaseDump(of: store)
    if dump != expected { report("\(what): \(dump.difference(from: expected))", &tally) }
  }

  private mutating func fill(_ store: Store) throws {
    let statements = schema.statements
    let isRecursive = random.chance(0.3)
    try store.write { transaction in
      // Triggers that run each other without end are refused soon.
      sqlite3_limit(transaction.schemaConnection, SQLITE_LIMIT_TRIGGER_DEPTH, 8)
      try transaction.execute(
        """
        CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT, a);
        CREATE TABLE bare (a, b);
        """)
      for sql in statements {
        // An index may be of what an index cannot be of.
        if sql.hasPrefix("CREATE TABLE") {
          try transaction.execute(sql)
        } else {
          try? transaction.execute(sql)
        }
      }
      if isRecursive { try transaction.execute("PRAGMA recursive_triggers = ON") }
    }
    if hasLog { try store.changeLog.enable(allowsAdopted: true) }
    for _ in 0..<30 {
      let sql = statement()
      try? store.write { try $0.execute(sql) }
    }
    // Rows that were written before are too short from now on.
    for column in ["z INTEGER DEFAULT 7", "y TEXT NOT NULL DEFAULT 'y'", "x REAL DEFAULT 1"]
    where random.chance(0.5) {
      try store.write { try $0.execute("ALTER TABLE t ADD COLUMN \(column)") }
    }
  }

  private mutating func statement() -> String {
    let value = LogRandomSchema.values.randomElement(using: &random) ?? "1"
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return "INSERT INTO auto (a) VALUES (\(value))"
    case 1: return "DELETE FROM auto WHERE a = \(value)"
    case 2: return "INSERT INTO bare VALUES (\(value), \(value)), (\(value), 1)"
    case 3: return "UPDATE bare SET b = \(value), rowid = rowid + 100 WHERE a = \(value)"
    case 4: return "UPDATE t SET z = NULL WHERE a > \(value)"
    default: return schema.statement()
    }
  }

  /// Runs a transaction; nil where it was refused, and changed nothing.
  private mutating func write(
    to store: Store, _ before: DatabaseDump, _ tally: inout Tally
  ) throws -> Store.Undo? {
    struct RollBack: Error {}
    let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      (sql: statement(), isUndone: random.chance(0.15))
    }
    statements = steps.map { ($0.isUndone ? "- " : "+ ") + $0.sql }
    do {
      return try store.writeUndoably { transaction in
        for step in steps {
          try? transaction.savepoint {
            try transaction.execute(step.sql)
            if step.isUndone { throw RollBack() }
          }
        }
      }.undo
    } catch let error as StoreError {
      tally.refused["\(error.code)", default: 0] += 1
      let expected: [StoreError.Code] = [.notUndoable, .transactionEnded, .foreignKeyConstraint]
      if !expected.contains(error.code) { report(error.detailedDescription, &tally) }
      try compare(store, before, "refused with \(error.code)", &tally)
      return nil
    }
  }

  /// Undoes something while somebody else has written.
  private mutating func undoBesideOthers(
    _ undo: Store.Undo, from before: DatabaseDump, to after: DatabaseDump, in store: Store,
    _ other: ForeignConnection?, _ tally: inout Tally
  ) throws {
    let statements = (0..<4).map { _ in statement() }
    let sql = statements.joined(separator: "; ")
    for statement in statements {
      if let other, random.chance(0.5) {
        try? other.commit(statement)
      } else {
        try? store.write { try $0.execute(statement) }
      }
    }
    let now = try DatabaseDump(of: store)
    // Numbers that others were given later stay.
    let expected = now.withoutSequences.undoing(
      from: before.withoutSequences, to: after.withoutSequences)
    do {
      try store.undo(undo)
      tally.undoneBesideOthers += 1
      guard let expected else { return report("undone in spite of \(sql)", &tally) }
      let dump = try DatabaseDump(of: store).withoutSequences
      if dump != expected {
        report("undone beside \(sql): \(dump.difference(from: expected))", &tally)
      }
    } catch let error as StoreError where error.code == .editConflict {
      tally.conflicts += 1
      if expected != nil, error.message.contains("was changed") {
        report("\(error.message) after \(sql)", &tally)
      }
      try compare(store, now, "refused beside \(sql)", &tally)
    }
  }

  private func check(_ store: Store, _ tally: inout Tally) throws {
    let findings = try store.read { transaction in
      try transaction.query("PRAGMA integrity_check").map { $0.values[0] }
        + transaction.query("PRAGMA foreign_key_check").map { $0.values[0] }
    }
    if findings != ["ok"] { report("found \(findings)", &tally) }
    if let log = try store.verifyChangeLog(limit: 5), !log.problems.isEmpty {
      report("the log has \(log.problems)", &tally)
    }
  }
}
