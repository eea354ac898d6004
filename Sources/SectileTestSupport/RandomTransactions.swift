public import SectileCore
public import SectileStore

/// Random transactions on tables of a test's choosing, the same ones for the same seed.
///
/// They are made of what breaks observers: rows that come and go and come back, keys that change,
/// updates that change nothing, REPLACE, upserts, savepoints that are rolled back, statements that
/// touch many rows, tables emptied at one stroke.
///
/// ```swift
/// var transactions = RandomTransactions(
///   on: [.init("item", key: ["id": [1, 2, 3]], columns: ["name": ["a", "b", nil]])],
///   random: SeededRandom(seed: 42))
/// try store.write { transaction in
///   try RandomTransactions.run(transactions.next(), in: transaction)
/// }
/// ```
///
/// Values are drawn from small pools, so that ties, collisions and returns are frequent. A
/// statement that a constraint refuses is passed over.
public struct RandomTransactions {
  /// A table to write to.
  public struct Table: Sendable {
    let name: String
    let key: [Column]
    let columns: [Column]

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - name: The table's name.
    ///   - key: The columns of the primary key, with the values to draw from.
    ///   - columns: The other columns, with the values to draw from.
    public init(
      _ name: String, key: KeyValuePairs<String, [StoredValue]>,
      columns: KeyValuePairs<String, [StoredValue]>
    ) {
      self.name = name
      self.key = key.map { Column(name: $0.key, values: $0.value) }
      self.columns = columns.map { Column(name: $0.key, values: $0.value) }
    }
  }

  struct Column: Sendable {
    let name: String
    let values: [StoredValue]
  }

  /// One step of a transaction.
  public enum Step: Sendable, CustomStringConvertible {
    /// One statement.
    case statement(SQLFragment)
    /// Steps inside a savepoint, which is rolled back or not.
    case savepoint([Step], isRolledBack: Bool)

    /// The step as SQL with its values written out.
    public var description: String {
      switch self {
      case .statement(let fragment):
        return "\(fragment.sql) \(fragment.values)"
      case .savepoint(let steps, let isRolledBack):
        let inner = steps.map(\.description).joined(separator: "; ")
        return "SAVEPOINT { \(inner) } \(isRolledBack ? "ROLLBACK" : "RELEASE")"
      }
    }
  }

  private let tables: [Table]
  private var random: SeededRandom

  /// Creates a generator.
  public init(on tables: [Table], random: SeededRandom) {
    self.tables = tables
    self.random = random
  }

  /// Returns the steps of the next transaction: one to a dozen of them.
  public mutating func next() -> [Step] {
    steps(random.chance(0.7) ? Int.random(in: 1...4, using: &random) : 12, depth: 0)
  }

  private mutating func steps(_ count: Int, depth: Int) -> [Step] {
    var steps: [Step] = []
    for _ in 0..<count {
      if let step = step(depth: depth) { steps.append(step) }
    }
    return steps
  }

  private mutating func step(depth: Int) -> Step? {
    guard let table = tables.randomElement(using: &random) else { return nil }
    if depth < 2, random.chance(0.08) {
      let steps = steps(Int.random(in: 1...4, using: &random), depth: depth + 1)
      return .savepoint(steps, isRolledBack: random.chance(0.6))
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: return .statement(insertion("INSERT", into: table))
    case 30..<38: return .statement(insertion("INSERT OR REPLACE", into: table))
    case 38..<44: return .statement(upsert(into: table))
    case 44..<72: return .statement(update(table))
    case 72..<76: return .statement(noUpdate(table))
    case 76..<80: return .statement(keyChange(table))
    case 80..<84: return .statement(updateMany(table))
    case 84..<99: return .statement(deletion(from: table))
    default: return .statement(SQLFragment("DELETE FROM \(quoted(table.name))"))
    }
  }

  /// Runs the steps of a transaction; a statement that a constraint refuses is passed over.
  ///
  /// - Throws: Any other ``/Sectile/StoreError``.
  public static func run(_ steps: [Step], in transaction: StoreTransaction) throws {
    for step in steps {
      switch step {
      case .statement(let fragment):
        do throws(StoreError) {
          try transaction.execute(fragment.sql, values: fragment.values)
        } catch {
          guard error.code.isConstraint else { throw error }
        }
      case .savepoint(let steps, let isRolledBack):
        do {
          try transaction.savepoint {
            try run(steps, in: transaction)
            if isRolledBack { throw RolledBack() }
          }
        } catch is RolledBack {}
      }
    }
  }

  private struct RolledBack: Error {}
}

// MARK: - Statements

extension RandomTransactions {
  private mutating func draw(_ column: Column) -> StoredValue {
    column.values.randomElement(using: &random) ?? .null
  }

  private mutating func draw(_ columns: [Column]) -> [StoredValue] {
    var values: [StoredValue] = []
    for column in columns { values.append(draw(column)) }
    return values
  }

  private mutating func insertion(_ verb: String, into table: Table) -> SQLFragment {
    let columns = table.key + table.columns
    let names = columns.map { quoted($0.name) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return SQLFragment(
      "\(verb) INTO \(quoted(table.name)) (\(names)) VALUES (\(marks))",
      draw(columns))
  }

  private mutating func upsert(into table: Table) -> SQLFragment {
    var fragment = insertion("INSERT", into: table)
    let key = table.key.map { quoted($0.name) }.joined(separator: ", ")
    let changes = table.columns.map { "\(quoted($0.name)) = excluded.\(quoted($0.name))" }
    fragment.sql +=
      " ON CONFLICT (\(key)) DO "
      + (changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes.joined(separator: ", "))")
    return fragment
  }

  private mutating func update(_ table: Table) -> SQLFragment {
    guard let column = table.columns.randomElement(using: &random) else {
      return keyChange(table)
    }
    let value = draw(column)
    let (condition, key) = keyCondition(table)
    return SQLFragment(
      "UPDATE \(quoted(table.name)) SET \(quoted(column.name)) = ? WHERE \(condition)",
      [value] + key)
  }

  private mutating func noUpdate(_ table: Table) -> SQLFragment {
    let column = quoted((table.columns.randomElement(using: &random) ?? table.key[0]).name)
    return SQLFragment("UPDATE \(quoted(table.name)) SET \(column) = \(column)")
  }

  private mutating func keyChange(_ table: Table) -> SQLFragment {
    let column = table.key[Int.random(in: table.key.indices, using: &random)]
    let value = draw(column)
    let (condition, key) = keyCondition(table)
    return SQLFragment(
      "UPDATE \(quoted(table.name)) SET \(quoted(column.name)) = ? WHERE \(condition)",
      [value] + key)
  }

  private mutating func updateMany(_ table: Table) -> SQLFragment {
    guard let column = table.columns.randomElement(using: &random),
      let other = table.columns.randomElement(using: &random)
    else { return noUpdate(table) }
    return SQLFragment(
      "UPDATE \(quoted(table.name)) SET \(quoted(column.name)) = ?"
        + " WHERE \(quoted(other.name)) IS ?",
      [draw(column), draw(other)])
  }

  private mutating func deletion(from table: Table) -> SQLFragment {
    let (condition, key) = keyCondition(table)
    return SQLFragment("DELETE FROM \(quoted(table.name)) WHERE \(condition)", key)
  }

  private mutating func keyCondition(_ table: Table) -> (sql: String, values: [StoredValue]) {
    let condition = table.key.map { "\(quoted($0.name)) = ?" }.joined(separator: " AND ")
    return (condition, draw(table.key))
  }

  private func quoted(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
