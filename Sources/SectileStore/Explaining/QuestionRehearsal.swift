import GRDB
import SectileCore

/// An empty copy of a schema on which the questions of a query are planned, as SQLite does it while
/// live results follow the query: with its touched rows, and without automatic indexes.
struct QuestionRehearsal {
  /// The copy.
  let copy: SchemaCopy
  /// What stands in FROM for the touched rows of a table, by its name in lower case.
  private let shadows: [String: String]

  /// Copies a schema, and lets touched rows of some tables be known there.
  ///
  /// - Throws: What reading the schema throws.
  init(of tables: [SelectReading.Table], in db: Database) throws {
    let copy = try SchemaCopy(of: db)
    try copy.takeStatistics(of: db)
    let known = try db.schemaRows("SELECT name FROM main.sqlite_schema", [])
    var taken = Set(known.map { $0[0].schemaText.inSQLLowerCase })
    var shadows: [String: String] = [:]
    try copy.withDatabase { copy in
      try RawStatement.prepare("PRAGMA automatic_index = OFF", on: copy).run()
      for table in tables {
        let name = taken.insertName("touched_\(table.name)")
        let formerName = taken.insertName("former_\(table.name)")
        // Its rows last as long as the copy.
        _ = try TouchedTable(of: table.schema, named: name, formerName: formerName, in: copy)
        shadows[table.name] = name
      }
    }
    self.copy = copy
    self.shadows = shadows
  }

  /// Returns what is asked about touched rows of one table alone; nil where that would be too many
  /// questions.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - reading: The query.
  ///   - key: The columns that tell its rows apart.
  /// - Returns: The questions.
  func questions(
    about table: SelectReading.Table, of reading: SelectReading, key: [String]
  ) -> [Question]? {
    QuestionDerivation(reading, key: key, touched: [table.name], withFormerRows: []) { name, _ in
      shadows[name].map { SQLName.quote($0) } ?? SQLName.table(name)
    }.questions()
  }

  /// Returns how SQLite runs a statement; nothing where the copy lacks what the statement names.
  func steps(of statement: SQLFragment) -> [QueryPlanStep] {
    (try? copy.withDatabase { try QueryPlanStep.steps(of: statement, in: $0) }) ?? []
  }
}
