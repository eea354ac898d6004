import Foundation
import GRDB
import SectileCore

@testable import SectileStore

/// A query whose questions are checked.
struct CheckedQuery {
  /// A row's key, folded as the query compares it.
  typealias Key = [String]
  /// The rows of a result by their key, written out.
  typealias Rows = [Key: [String]]

  let sql: SQLFragment
  let key: [String]
  let reading: SelectReading
  /// By what collation each of the key's columns compares.
  let collations: [String]
  private let keyColumns: [Int]

  /// Reads a query; `collations` are those of all its columns, in order.
  init(
    _ sql: SQLFragment, names: [String], key: [String], collations: [String], in db: Database
  ) throws(SelectRefusal) {
    (self.sql, self.key) = (sql, key)
    reading = try SelectReading(sql, in: db)
    keyColumns = key.map { name in names.firstIndex(of: name) ?? 0 }
    self.collations = keyColumns.map { collations[$0] }
  }

  /// Reads the whole query.
  func rows(in db: Database) throws -> Rows {
    var rows: Rows = [:]
    for row in try PlainConnection(db: db).rows(sql) {
      rows[folded(keyColumns.map { row[$0] }, collations), default: []].append(written(row))
    }
    return rows.mapValues { $0.sorted() }
  }

  /// Reads the rows of some keys with the condition placed where the key comes from, and returns
  /// what is not as the whole query has it.
  func misplaced(in db: Database) throws -> (keyCount: Int, problems: [String]) {
    let placement = KeyPlacement.query(of: reading, wanting: keyColumns, always: true, in: db)
    guard let placed = placement else { return (0, []) }
    let statement = PlanStatement(
      SQLFragment("SELECT * FROM ") + placed.inParentheses, numberingKey: keyColumns.count)
    let connection = PlainConnection(db: db)
    // As the store reads it: SQLite gives columns whose arms differ another type in a subquery.
    let rows = try connection.rows(SQLFragment("SELECT * FROM ") + sql.inParentheses)
    func key(_ row: [StoredValue]) -> [StoredValue] { keyColumns.map { row[$0] } }
    var keys: [[StoredValue]] = []
    for row in rows where keys.count < 4 && !keys.contains(key(row)) { keys.append(key(row)) }
    var problems: [String] = []
    for wanted in keys {
      let found = try connection.rows(SQLFragment(statement.sql, wanted + statement.values))
      let name = written(wanted)
      let (here, there) = (
        found.filter { written(key($0)) == name }.map(written).sorted(),
        rows.filter { written(key($0)) == name }.map(written).sorted()
      )
      if here != there {
        problems.append("\(name) is placed by \(placed.sql): \(here) instead of \(there)")
      }
    }
    return (keys.count, problems)
  }

  /// The keys of which the rows are others.
  static func changedKeys(from before: Rows, to after: Rows) -> Set<Key> {
    Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
  }

  /// Equal where the values are, compared by the collations: `a` and `A`, 1 and 1.0.
  func folded(_ values: [StoredValue], _ collations: [String]) -> Key {
    zip(values, collations).map { value, collation in
      switch value {
      case .real(let real):
        Int64(exactly: real).map { "integer \($0)" } ?? "real \(real)"
      case .integer(let integer): "integer \(integer)"
      case .text(let text) where collation == "NOCASE": "text \(text.lowercased())"
      case .text(let text) where collation == "RTRIM":
        "text \(String(text.reversed().drop { $0 == " " }.reversed()))"
      case .text(let text): "text \(text)"
      default: "\(value)"
      }
    }
  }

  private func written(_ row: [StoredValue]) -> String { "\(row.map(writtenExactly))" }
}

/// A value with its storage class: 1 and 1.0 are two.
private func writtenExactly(_ value: StoredValue) -> String {
  switch value {
  case .null: "null"
  case .integer(let value): "integer \(value)"
  case .real(let value): "real \(value)"
  case .text(let text): "text \(text)"
  case .blob(let bytes): "blob \(bytes)"
  }
}

/// Finds out which rows a commit has touched, asks the questions of queries, and compares the
/// answers with what has changed.
struct QuestionCheck {
  /// The rows of a table that a commit touched.
  struct Touched {
    var former: [[StoredValue]] = []
    var present: [[StoredValue]] = []
  }

  /// What the questions of a query answer.
  struct Answer {
    /// Whether every row can have changed.
    var isEverything = false
    /// The answered keys, for each part of the key that questions answer.
    var keys: [[Int]: Set<CheckedQuery.Key>] = [:]
    /// The questions that were asked, and the first that SQLite refused.
    var questions: [String] = []
    var failure: String?

    var keyCount: Int { keys.values.reduce(0) { $0 + $1.count } }

    func names(_ key: CheckedQuery.Key) -> Bool {
      isEverything || keys.contains { part, keys in keys.contains(part.map { key[$0] }) }
    }
  }

  /// The rows of all tables, each written out, with how often each is there.
  typealias Contents = [String: [String: (row: [StoredValue], count: Int)]]

  let db: Database
  let tables: [CheckedTable]
  let feed: any TouchedRowFeed
  var leavingOut: Set<QuestionRule> = []

  init(
    _ tables: [CheckedTable], in db: Database, feed: any TouchedRowFeed = TemporaryTableFeed()
  ) throws {
    (self.db, self.tables, self.feed) = (db, tables, feed)
    // SQLite 3.40.1 misses rows where it looks for RTRIM by an automatic index.
    try db.execute(sql: "PRAGMA automatic_index = OFF")
    for table in tables { try feed.declare(table, in: db) }
  }

  func contents() throws -> Contents {
    var contents: Contents = [:]
    for table in tables {
      let list = table.columns.joined(separator: ", ")
      var rows: [String: (row: [StoredValue], count: Int)] = [:]
      for row in try PlainConnection(db: db).rows("SELECT \(list) FROM main.\(table.name)") {
        rows["\(row.map(writtenExactly))", default: (row, 0)].count += 1
      }
      contents[table.name] = rows
    }
    return contents
  }

  /// Returns what has changed since, by tables, and feeds it to what questions read.
  func touch(since before: Contents) throws -> [String: Touched] {
    let after = try contents()
    var touched: [String: Touched] = [:]
    for table in tables {
      let (old, new) = (before[table.name] ?? [:], after[table.name] ?? [:])
      var rows = Touched()
      for name in Set(old.keys).union(new.keys).sorted() {
        let change = (new[name]?.count ?? 0) - (old[name]?.count ?? 0)
        guard change != 0, let row = (old[name] ?? new[name])?.row else { continue }
        if change < 0 {
          rows.former += Array(repeating: row, count: -change)
        } else {
          rows.present += Array(repeating: row, count: change)
        }
      }
      guard !rows.former.isEmpty || !rows.present.isEmpty else { continue }
      touched[table.name] = rows
      try feed.replaceRows(of: table, former: rows.former, present: rows.present, in: db)
    }
    return touched
  }

  /// Asks the questions of a query about touched rows.
  func answer(of query: CheckedQuery, about touched: [String: Touched]) throws -> Answer {
    let tables = Set(query.reading.tables).intersection(touched.keys)
    let derivation = QuestionDerivation(
      query.reading, key: query.key, touched: tables,
      withFormerRows: tables.filter { touched[$0]?.former.isEmpty == false },
      leavingOut: leavingOut
    ) { feed.name(of: $0, hasPresentRows: $1) }
    var answer = Answer()
    // There are none where too many tables were touched at once.
    guard let questions = derivation.questions() else {
      answer.isEverything = true
      return answer
    }
    for question in questions {
      answer.questions.append("\(question.sql.sql) \(question.sql.values)")
      do {
        let rows = try PlainConnection(db: db).rows(question.sql)
        let part = question.keyPositions
        if part.isEmpty {
          if !rows.isEmpty { answer.isEverything = true }
          continue
        }
        let collations = part.map { query.collations[$0] }
        answer.keys[part, default: []].formUnion(rows.map { query.folded($0, collations) })
      } catch let error as StoreError {
        answer.isEverything = true
        answer.failure = answer.failure ?? "\(error), in \(question.sql.sql)"
      }
    }
    return answer
  }
}
