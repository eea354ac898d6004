import GRDB
import SectileTestSupport

/// A table that was made by chance.
struct RandomTable {
  struct Column {
    let name: String
    let declaration: String

    var collation: String {
      if declaration.hasSuffix("nocase") { return "NOCASE" }
      return declaration.hasSuffix("rtrim") ? "RTRIM" : "BINARY"
    }

    /// How it compares: the collation and the affinity.
    var comparison: String {
      let letters: [Substring: String] = ["integer": "I", "text": "T", "real": "R", "numeric": "N"]
      return "\(collation):\(letters[declaration.prefix { $0 != " " }] ?? "")"
    }
  }

  let name: String
  let key: [Column]
  /// The columns that can be written, behind the key.
  let values: [Column]
  /// A generated column.
  let generated: Column?

  var columns: [Column] { key + values + (generated.map { [$0] } ?? []) }
  var written: [Column] { key + values }

  /// Selects all rows.
  var selection: String {
    "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM main.\(name)"
  }
}

/// Tables of all kinds: keys of one to four columns, collations, STRICT, WITHOUT ROWID, generated
/// columns, foreign keys, indexes, also of expressions, and a trigger.
struct RandomTables {
  private(set) var tables: [RandomTable] = []
  private(set) var statements: [String] = []
  private var random: SeededRandom
  private let declarations: [String]

  /// Makes tables that SQLite accepts, with or without columns that compare by RTRIM.
  ///
  /// SQLite 3.40.1 misses rows where it looks for these by an automatic index.
  static func accepted(
    random: inout SeededRandom, comparesByRTRIM: Bool = true
  ) throws -> RandomTables {
    while true {
      let tables = RandomTables(random: random.fork(), comparesByRTRIM: comparesByRTRIM)
      let scratch = try DatabaseQueue()
      let isAccepted = try scratch.inDatabase { db -> Bool in
        do {
          for sql in tables.statements { try db.execute(sql: sql) }
          return true
        } catch is DatabaseError { return false }
      }
      if isAccepted { return tables }
    }
  }

  private init(random: SeededRandom, comparesByRTRIM: Bool) {
    self.random = random
    declarations = [
      "integer", "text", "text collate nocase", comparesByRTRIM ? "text collate rtrim" : "text",
      "real", "", "numeric", "integer", "",
    ]
    for number in 0..<pick([2, 3, 4, 5]) { addTable("t\(number)") }
    if self.random.chance(0.4) { addTrigger() }
  }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// The key of a table of a kind.
  private mutating func key(_ kind: String) -> [RandomTable.Column] {
    switch kind {
    case "row id", "index": [.init(name: "id", declaration: "integer")]
    case "text": [.init(name: "id", declaration: pick(Array(declarations[1...3])))]
    default:
      (0..<(["two": 2, "three": 3][kind] ?? 4)).map { number in
        .init(name: "k\(number)", declaration: pick(Array(declarations[0...3])))
      }
    }
  }

  private mutating func addTable(_ name: String) {
    let isStrict = random.chance(0.15)
    let kind = pick([
      "row id", "row id", "row id", "two", "three", "four", "text", "index",
    ])
    let key = key(kind)
    var values: [RandomTable.Column] = []
    for number in 0..<pick([2, 3, 4]) {
      let declaration = pick(declarations)
      let isAny = isStrict && ["", "numeric"].contains(declaration)
      values.append(.init(name: "c\(number)", declaration: isAny ? "any" : declaration))
    }
    var lines = (key + values).map { "\($0.name) \($0.declaration)" }
    if kind == "row id" { lines[0] += " primary key" }
    var generated: RandomTable.Column?
    if random.chance(0.25) {
      generated = .init(name: "g", declaration: isStrict ? "text" : "")
      lines.append(
        "g \(isStrict ? "text" : "") generated always as (c0 || 'x') "
          + pick(["virtual", "stored"]))
    }
    if kind != "row id" {
      lines.append("primary key (\(key.map(\.name).joined(separator: ", ")))")
    }
    let parents = tables.filter { $0.key.count == 1 }
    if !parents.isEmpty, random.chance(0.3) {
      let parent = pick(parents)
      lines.append(
        "foreign key (c0) references \(parent.name)(\(parent.key[0].name)) "
          + "on delete \(pick(["cascade", "set null"])) on update cascade")
    }
    let canBeWithoutRowID = kind != "row id" && kind != "index"
    var options = canBeWithoutRowID && random.chance(0.6) ? ["WITHOUT ROWID"] : []
    if isStrict { options.append("STRICT") }
    statements.append(
      "create table \(name) (\(lines.joined(separator: ", "))) \(options.joined(separator: ", "))")
    let table = RandomTable(name: name, key: key, values: values, generated: generated)
    tables.append(table)
    addIndexes(of: table)
  }

  private mutating func addIndexes(of table: RandomTable) {
    for number in 0..<pick([0, 1, 2]) {
      let columns = table.columns.map(\.name).shuffled(using: &random).prefix(pick([1, 2]))
      statements.append(
        "create \(random.chance(0.15) ? "unique " : "")index ix_\(table.name)_\(number) "
          + "on \(table.name)(\(columns.joined(separator: ", ")))")
    }
    if random.chance(0.25) {
      statements.append("create index ie_\(table.name) on \(table.name)(coalesce(c0, c1))")
    }
  }

  private mutating func addTrigger() {
    let (source, target) = (pick(tables).name, pick(tables).name)
    guard source != target else { return }
    statements.append(
      """
      create trigger tr after \(pick(["insert", "update", "delete"])) on \(source) begin
        update or ignore \(target) set c1 = 2 where c0 is 1; delete from \(target) where c0 is 3;
      end
      """)
  }
}
