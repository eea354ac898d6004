import GRDB
import SectileCore

@testable import SectileStore

/// A table as a check needs to know it.
struct CheckedTable {
  let name: String
  let columns: [String]
  /// The columns with their types and collations.
  let declaration: String

  init(name: String, columns: [String], declaration: String) {
    (self.name, self.columns, self.declaration) = (name, columns, declaration)
  }

  init(_ table: RandomTable) {
    // ANY is the affinity NUMERIC outside of STRICT tables; no type is none.
    let columns = table.columns.map { column in
      column.declaration == "any" ? column.name : "\(column.name) \(column.declaration)"
    }
    self.init(
      name: table.name, columns: table.columns.map(\.name),
      declaration: columns.joined(separator: ", "))
  }
}

/// What stands for touched rows in questions.
protocol TouchedRowFeed {
  /// The name in SQL of what holds the touched rows of a table: its former and present ones, or the
  /// former ones only.
  func name(of table: String, hasPresentRows: Bool) -> String
  /// Prepares for a table, before anything is asked.
  func declare(_ table: CheckedTable, in db: Database) throws
  /// Replaces the touched rows of a table.
  func replaceRows(
    of table: CheckedTable, former: [[StoredValue]], present: [[StoredValue]], in db: Database
  ) throws
}

/// Temporary tables, declared as the tables are.
struct TemporaryTableFeed: TouchedRowFeed {
  func name(of table: String, hasPresentRows: Bool) -> String {
    "temp.\(hasPresentRows ? "d" : "o")_\(table)"
  }

  func declare(_ table: CheckedTable, in db: Database) throws {
    for hasPresentRows in [false, true] {
      let name = name(of: table.name, hasPresentRows: hasPresentRows)
      try db.execute(sql: "CREATE TABLE \(name) (\(table.declaration))")
    }
  }

  func replaceRows(
    of table: CheckedTable, former: [[StoredValue]], present: [[StoredValue]], in db: Database
  ) throws {
    let connection = PlainConnection(db: db)
    let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
    for (hasPresentRows, rows) in [(false, former), (true, former + present)] {
      let name = name(of: table.name, hasPresentRows: hasPresentRows)
      try connection.execute(SQLFragment("DELETE FROM \(name)"))
      for row in rows {
        try connection.execute(SQLFragment("INSERT INTO \(name) VALUES (\(marks))", row))
      }
    }
  }
}
