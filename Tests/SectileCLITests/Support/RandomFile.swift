import Foundation
import Sectile
import SectileInspecting
import SectileTestSupport

@testable import SectileCLI

/// Files with tables of all kinds and values of all kinds, made up from a seed.
struct RandomFile {
  /// A table of the file.
  struct Table {
    let name: String
    /// The columns that rows are given values for.
    let columns: [String]
    let sql: String
  }

  private static let keys = [
    "", "k INTEGER PRIMARY KEY", "k TEXT PRIMARY KEY", "k PRIMARY KEY",
    "k INT, l, PRIMARY KEY (l, k)",
    "k INTEGER PRIMARY KEY AUTOINCREMENT", "k TEXT COLLATE NOCASE PRIMARY KEY",
    "k REAL NOT NULL, l TEXT NOT NULL, UNIQUE (k, l)",
  ]
  private static let types = [
    "", "INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC", "VARCHAR(10)", "BOOLEAN", "DATETIME",
    "TEXT COLLATE NOCASE", "INT DEFAULT 5", "TEXT DEFAULT 'x'",
  ]
  private static let texts: [String] = [
    "", "a", "A", "b", "'", "it''s", "1", "1.0", "NULL", "two\nlines", "a\r\nb\tc", "nul\0inside",
    "\"x\"", "e\u{301}", "\u{E9}", "😀", "x'00'", "-- no comment", "\u{1B}[2J", "\u{FFFD}", "007",
  ]

  /// Makes up a table.
  static func table(_ name: String, _ random: inout SeededRandom) -> Table {
    let isStrict = Int.random(in: 0..<6, using: &random) == 0
    let key = isStrict ? "k INTEGER PRIMARY KEY" : pick(keys, &random)
    var parts = key.isEmpty ? [] : [key]
    var names = ["k", "l"].filter { key.contains($0 + " ") || key.contains($0 + ",") }
    if key.hasPrefix("k INTEGER") || key.hasPrefix("k TEXT") || key == "k PRIMARY KEY" {
      names = ["k"]
    }
    var columns: [String] = []
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let type =
        isStrict ? pick(["ANY", "INT", "TEXT", "REAL", "BLOB"], &random) : pick(types, &random)
      let isUnique = Int.random(in: 0..<5, using: &random) == 0
      columns.append("c\(number) \(type)\(isUnique ? " UNIQUE" : "")")
      names.append("c\(number)")
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      columns.append("g AS (c0 || '!') \(isStrict ? "" : "STORED")")
      if isStrict { columns[columns.count - 1] = "g TEXT AS (c0 || '!')" }
    }
    // Constraints of the table come last.
    if let constraint = parts.first?.range(of: ", PRIMARY KEY (") {
      let text = parts[0]
      parts = [String(text[..<constraint.lowerBound])] + columns
      parts.append(String(text[constraint.lowerBound...].dropFirst(2)))
    } else if let constraint = parts.first?.range(of: ", UNIQUE (") {
      let text = parts[0]
      parts = [String(text[..<constraint.lowerBound])] + columns
      parts.append(String(text[constraint.lowerBound...].dropFirst(2)))
    } else {
      parts += columns
    }
    let canBeWithout = key.contains("PRIMARY KEY") && !key.contains("AUTOINCREMENT")
    var ends = isStrict ? ["STRICT"] : []
    if canBeWithout, Int.random(in: 0..<3, using: &random) == 0 { ends.append("WITHOUT ROWID") }
    let end = ends.isEmpty ? "" : " " + ends.joined(separator: ", ")
    return Table(
      name: name, columns: names,
      sql: "CREATE TABLE \(SQLName.quote(name)) (\(parts.joined(separator: ", ")))\(end)")
  }

  /// Makes up a value of any storage class.
  static func value(_ random: inout SeededRandom) -> ExactValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1, 2: .value(.integer(Int64.random(in: -3...9, using: &random)))
    case 3: .value(.integer(pick([.max, .min, 1 << 53 + 1, 0], &random)))
    case 4:
      .value(
        .real(
          pick(
            [
              0.1, -0.0, 1, 1e300, .infinity, -.infinity, Double.leastNonzeroMagnitude, 0.1 + 0.2,
              1e15,
            ], &random)))
    case 5:
      .value(
        .blob((0..<Int.random(in: 0..<3, using: &random)).map { _ in UInt8(random.next() % 256) }))
    case 6:
      .invalidText(
        pick([[0xFF], [0xC3, 0x28], [0x61, 0x00, 0xFE], [0xED, 0xA0, 0x80]], &random))
    default: .value(.text(pick(texts, &random)))
    }
  }

  /// Changes rows of a table at random; some texts are not UTF-8, unless all are to be.
  static func change(
    _ table: Table, _ count: Int, isUTF8: Bool = false, on connection: InspectionConnection,
    _ random: inout SeededRandom
  ) throws {
    let name = SQLName.quote(table.name)
    let columns = table.columns.map(SQLName.quote)
    // In SQLite 3.40 an INSERT OR REPLACE that a STRICT table refuses for a type may have deleted a
    // row already, which damages indexes.
    let policy = table.sql.contains(") STRICT") ? "IGNORE" : "REPLACE"
    let insertion = try connection.prepare(
      "INSERT OR \(policy) INTO \(name) (\(columns.joined(separator: ", "))) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))")
    for _ in 0..<count {
      let choice = Int.random(in: 0..<4, using: &random)
      let column = pick(columns, &random)
      let offset = Int.random(in: 0..<10, using: &random)
      let some = "(SELECT \(column) FROM \(name) LIMIT 1 OFFSET \(offset))"
      do {
        switch choice {
        case 0: try connection.run("DELETE FROM \(name) WHERE \(column) IS \(some)") { _ in }
        case 1:
          let update = try connection.prepare(
            "UPDATE OR IGNORE \(name) SET \(pick(columns, &random)) = ? WHERE \(column) IS \(some)")
          try update.runExactly([value(&random) == .null ? .null : .value(.integer(7))])
        default:
          try insertion.runExactly(
            columns.map { column in
              var value = value(&random)
              if isUTF8, case .invalidText(let bytes) = value { value = .value(.blob(bytes)) }
              // After the largest row id of all there is none, and SQLite undoes everything.
              return column == "\"k\"" && value == .value(.integer(.max)) ? .null : value
            })
        }
      } catch let error as StoreError where error.isConstraint {
        // What the table refuses is no row.
      }
    }
  }

  /// Everything that the tables of a file hold, to the last bit, and the statements of its schema.
  static func contents(_ path: String) throws -> [String] {
    let connection = try InspectionConnection(path: path)
    var lines: [String] = []
    for schema in try TableSchema.all(in: connection) {
      lines.append("\(schema.kind) \(schema.name)")
      guard schema.kind != .view else { continue }
      let hasKey = try !TableShape(of: schema.name, in: path, on: connection).keyColumns.isEmpty
      let ids = hasKey ? [] : schema.rowIDNames.prefix(1)
      let names = (ids + schema.columns.filter { $0.origin != .hidden }.map(\.name))
      let list = names.map(SQLName.quote).joined(separator: ", ")
      let statement = try connection.prepare("SELECT \(list) FROM \(SQLName.quote(schema.name))")
      try statement.start()
      var rows: [String] = []
      while try statement.step() {
        rows.append(
          statement.exactRow.map { value in
            if case .value(.real(let number)) = value { return "\(number.bitPattern)r" }
            return "\(value)"
          }.joined(separator: "|"))
      }
      lines += rows.sorted()
    }
    try connection.run("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1") { row in
      lines.append("\(row[0])")
    }
    try connection.run("PRAGMA user_version") { lines.append("\($0[0])") }
    if try TableListing(of: "sqlite_sequence", in: connection) != nil {
      try connection.run("SELECT name, seq FROM sqlite_sequence ORDER BY 1") {
        lines.append("\($0)")
      }
    }
    return lines
  }

  /// Returns in what two files differ, to the last bit; nothing where they do not.
  static func differences(_ first: String, _ second: String) throws -> [String] {
    let (old, new) = (try contents(first), try contents(second))
    return new.difference(from: old).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }
  }

  static func pick<Element>(_ list: [Element], _ random: inout SeededRandom) -> Element {
    list[Int.random(in: 0..<list.count, using: &random)]
  }
}
