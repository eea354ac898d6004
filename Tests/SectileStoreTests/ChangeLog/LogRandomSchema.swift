import SectileStore
import SectileTestSupport

/// Makes up tables in which REPLACE finds something in its way, one way or another.
struct LogRandomSchema {
  struct Table {
    let name: String
    let keys: [String]
    /// The columns that can be written.
    let columns: [String]
    /// What UPDATE may call the row id.
    let rowIDs: [String]
    let sql: String
  }

  private(set) var tables: [Table] = []
  private(set) var statements: [String] = []
  var random: SeededRandom

  init(random: SeededRandom) {
    self.random = random
    for number in 0..<Int.random(in: 1...3, using: &self.random) {
      let table = makeTable(["t", "Other t", "select"][number])
      tables.append(table)
      statements.append(table.sql)
    }
    for _ in 0..<Int.random(in: 0...2, using: &self.random) { statements.append(uniqueIndex()) }
    for _ in 0..<Int.random(in: 0...2, using: &self.random) { statements.append(userTrigger()) }
  }

  mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  // MARK: - Values

  static let values = [
    "NULL", "-1", "0", "1", "1", "2", "2", "3", "1.0", "2.5", "'1'", "'2'", "'a'", "'A'", "'a '",
    "'b'", "'B'", "x'61'", "x'31'",
  ]

  mutating func value() -> String { pick(Self.values) }

  private mutating func collation() -> String {
    pick(["", "", "", " COLLATE NOCASE", " COLLATE RTRIM", " COLLATE BINARY"])
  }

  private mutating func type(strict: Bool) -> String {
    strict
      ? pick(["INTEGER", "TEXT", "ANY", "ANY", "REAL", "BLOB"])
      : pick(["INTEGER", "TEXT", "", "", "NUMERIC", "REAL", "BLOB", "VARCHAR(9)", "BOOLEAN"])
  }

  // MARK: - Tables

  private mutating func makeTable(_ name: String) -> Table {
    let strict = random.chance(0.15)
    var withoutRowID = random.chance(0.3)
    var definitions: [String] = []
    var constraints: [String] = []
    var keys: [String]
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      keys = ["id"]
      definitions = ["id INTEGER PRIMARY KEY" + pick(["", "", " DESC", " ON CONFLICT REPLACE"])]
    case 2, 3:
      keys = ["id"]
      definitions = [
        "id \(type(strict: strict))\(collation()) PRIMARY KEY"
          + pick(["", " ON CONFLICT REPLACE"])
          + pick(["", " NOT NULL DEFAULT 'a'", " NOT NULL DEFAULT 1"])
      ]
    default:
      keys = pick([["id", "k"], ["k", "id"], ["k", "a", "id"]])
      definitions = [
        "id \(type(strict: strict))\(collation())",
        "k \(type(strict: strict))\(collation()) NOT NULL DEFAULT 2",
      ]
      let list = keys.map { $0 + collation() }.joined(separator: ", ")
      constraints.append("PRIMARY KEY (\(list))")
    }
    if definitions[0].contains("DESC") { withoutRowID = false }
    let isComposite = keys.count > 1
    var columns = isComposite ? ["id", "k"] : ["id"]
    for column in ["a", "b", "c"] {
      columns.append(column)
      definitions.append(
        "\(column) \(type(strict: strict))\(collation())\(notNull())\(uniqueColumn(0.3))")
    }
    let parents = tables.filter { $0.keys.count == 1 }
    if !parents.isEmpty, random.chance(0.6) {
      let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "CASCADE"]
      columns.append("p")
      definitions.append(
        "p \(strict ? pick(["ANY", "INTEGER", "TEXT"]) : pick(["", "INTEGER", "TEXT", "REAL"]))"
          + uniqueColumn(0.3) + " REFERENCES \"\(pick(parents).name)\" ON DELETE \(pick(actions))"
          + " ON UPDATE \(pick(actions))" + pick(["", " DEFERRABLE INITIALLY DEFERRED"]))
    }
    if random.chance(0.4) {
      definitions.append(
        "\"the g\" \(strict ? "ANY" : pick(["", "TEXT", "INTEGER"]))\(collation())"
          + pick([" AS", " GENERATED ALWAYS AS"])
          + " (\(expression())) \(pick(["VIRTUAL", "STORED"]))" + uniqueColumn(0.6))
    }
    if random.chance(0.4) {
      constraints.append(
        "UNIQUE (\(pick(["a, b", "b, c", "c, a", "id, b"])))"
          + pick(["", " ON CONFLICT REPLACE", " ON CONFLICT IGNORE"]))
    }
    let options = [withoutRowID ? "WITHOUT ROWID" : "", strict ? "STRICT" : ""]
      .filter { !$0.isEmpty }.joined(separator: ", ")
    return Table(
      name: name, keys: keys, columns: columns,
      rowIDs: withoutRowID ? [] : ["rowid", "_rowid_", "oid"],
      sql:
        "CREATE TABLE \"\(name)\" (\((definitions + constraints).joined(separator: ", "))) \(options)"
    )
  }

  private mutating func notNull() -> String {
    pick(["", "", "", "", " NOT NULL", " NOT NULL ON CONFLICT REPLACE"])
      + pick([
        "", "", " DEFAULT 1", " DEFAULT 'a'", " DEFAULT (abs(-2))", " DEFAULT -1.5", " DEFAULT b",
      ])
  }

  private mutating func uniqueColumn(_ chance: Double) -> String {
    random.chance(chance) ? " UNIQUE" + pick(["", "", " ON CONFLICT REPLACE"]) : ""
  }

  private mutating func expression() -> String {
    pick([
      "lower(a)", "a || b", "coalesce(a, 'x')", "a = '1'", "CASE WHEN a = '1' THEN b ELSE c END",
      "CASE a WHEN '1' THEN b END", "length(a)", "nullif(a, 'A')", "abs(c)", "c + 1",
      "b IN ('1', 2)",
      "b BETWEEN '1' AND '3'", "CAST(b AS TEXT)", "a IS NULL", "typeof(c)", "a > b", "max(a, b)",
      "CASE WHEN b IS NOT NULL THEN c END", "id || a", "quote(b) /* , ( */", "a LIKE 'A'",
    ])
  }

  // MARK: - What stands on them

  mutating func uniqueIndex() -> String {
    let table = pick(tables)
    let name = "i\(UInt32.random(in: 0..<UInt32.max, using: &random))"
    var terms: [String] = []
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      terms.append(
        (random.chance(0.5) ? pick(["a", "b", "c", "\"A\"", "[b]"]) : "(\(expression()))")
          + collation() + pick(["", " DESC", " ASC "]))
    }
    let condition = pick([
      "", "", "", " WHERE c > 1", " WHERE a = '1'", " WHERE b IS NOT NULL",
      " WHERE \"\(table.name)\".b = 1 -- why", " WHERE length(a) = 1 AND c < 3",
    ])
    return "CREATE UNIQUE INDEX \(name) ON \"\(table.name)\" (\(terms.joined(separator: ", ")))"
      + condition
  }

  private mutating func userTrigger() -> String {
    let table = pick(tables)
    let target = pick(tables)
    let name = "user\(UInt32.random(in: 0..<UInt32.max, using: &random))"
    let event = pick([
      "AFTER INSERT", "AFTER INSERT", "BEFORE INSERT", "AFTER UPDATE OF a", "AFTER DELETE",
      "BEFORE DELETE",
    ])
    let row = event.contains("DELETE") ? "OLD" : "NEW"
    let action = pick([
      "INSERT OR REPLACE INTO \"\(target.name)\" (id, a, b) VALUES (\(value()), \(row).b, \(value()))",
      "UPDATE OR REPLACE \"\(target.name)\" SET b = \(row).a WHERE c = \(row).c",
      "UPDATE OR IGNORE \"\(target.name)\" SET b = \(value()) WHERE id = \(row).id",
      "DELETE FROM \"\(target.name)\" WHERE b = \(row).b AND id <> \(row).id",
      "REPLACE INTO \"\(target.name)\" (a, b, c) SELECT b, a, c FROM \"\(table.name)\" LIMIT 2",
    ])
    return """
      CREATE TRIGGER \(name) \(event) ON "\(table.name)"
      WHEN (SELECT count(*) FROM "\(target.name)") < 12 BEGIN \(action); END
      """
  }

  // MARK: - Statements

  mutating func statement() -> String {
    let table = pick(tables)
    let name = "\"\(table.name)\""
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: return insertion(into: table, name)
    case 5..<9:
      var changes: [String] = []
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        changes.append("\(pick(table.columns + table.rowIDs.prefix(1))) = \(newValue(in: table))")
      }
      if !table.rowIDs.isEmpty, random.chance(0.1) {
        changes = ["\(pick(table.rowIDs)) = \(newValue(in: table))"]
      }
      return "UPDATE \(verb())\(name) SET \(changes.joined(separator: ", "))\(condition(table))"
    default:
      return "DELETE FROM \(name)\(random.chance(0.15) ? "" : condition(table, always: true))"
    }
  }

  private mutating func verb() -> String {
    pick(["", "OR ABORT ", "OR FAIL ", "OR IGNORE ", "OR REPLACE ", "OR REPLACE ", "OR ROLLBACK "])
  }

  private mutating func newValue(in table: Table) -> String {
    random.chance(0.7) ? value() : pick(["a", "b", "c + 1", "id", "-c", "lower(b)"])
  }

  private mutating func condition(_ table: Table, always: Bool = false) -> String {
    guard always || random.chance(0.8) else { return "" }
    return " WHERE \(pick(table.columns)) \(pick(["=", "IS", "=", ">"])) \(value())"
  }

  private mutating func insertion(into table: Table, _ name: String) -> String {
    var columns = table.columns.filter { _ in random.chance(0.85) }
    if columns.isEmpty { columns = ["a"] }
    let start =
      (random.chance(0.2) ? "REPLACE " : "INSERT \(verb())")
      + "INTO \(name) (\(columns.joined(separator: ", ")))"
    if random.chance(0.1) {
      let values = columns.map { _ in newValue(in: table) }.joined(separator: ", ")
      return "\(start) SELECT \(values) FROM \(name) WHERE true LIMIT 3"
    }
    let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      "(\(columns.map { _ in value() }.joined(separator: ", ")))"
    }
    let insertion = "\(start) VALUES \(rows.joined(separator: ", "))"
    guard random.chance(0.25) else { return insertion }
    let column = pick(table.columns)
    return insertion + " ON CONFLICT DO "
      + pick([
        "NOTHING", "UPDATE SET \(column) = excluded.\(pick(table.columns))",
        "UPDATE SET \(column) = \(value()) WHERE a IS NOT excluded.a",
      ])
  }
}
