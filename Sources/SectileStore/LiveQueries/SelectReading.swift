package import GRDB
import SectileCore

/// A SELECT that was understood to its last token.
package struct SelectReading: Sendable {
  /// A table that it reads.
  struct Table: Sendable {
    let schema: TableSchema
    /// The columns that are read, in the table's order.
    let columns: [TableSchema.Column]

    var name: String { schema.name.inSQLLowerCase }
  }

  let query: SelectQuery
  /// The names of its columns, as SQLite calls them.
  package let columnNames: [String]
  /// The tables that it reads, each once, in the order of their names.
  let readTables: [Table]
  /// How the columns of its sources compare.
  let traits: [SelectColumn: ColumnTrait]
  /// What its columns come from.
  let derivedColumns: DerivedColumns

  /// The tables that it reads, in lower case, each once.
  package var tables: [String] { readTables.map(\.name) }

  /// Parses a SELECT and looks up what it names.
  ///
  /// - Parameters:
  ///   - sql: The text, with a `?` for each value.
  ///   - db: The connection, which knows the schema.
  /// - Throws: ``SelectRefusal`` for a shape that is not followed row by row.
  package init(_ sql: SQLFragment, in db: Database) throws(SelectRefusal) {
    let context = SelectParser.Context(SelectSchema(db))
    var parser = try SelectParser(sql, context)
    query = try parser.statement()
    derivedColumns = DerivedColumns(of: query)
    guard let statement = try? RawStatement.prepare(sql.sql, on: db),
      statement.columnCount == query.items.count
    else { throw SelectRefusal("*", .syntax) }
    columnNames = Self.columnNames(of: sql, like: statement, in: db)
    traits = context.traits
    readTables = context.tables.keys.sorted().compactMap { name in
      guard let table = context.tables[name] else { return nil }
      let read = context.columns[name] ?? []
      return Table(
        schema: table.schema, columns: table.schema.columns.filter { read.contains($0.name) })
    }
    for table in readTables {
      // Through an automatic index, SQLite 3.40.1 does not find 'a ' for 'a'; and in a RIGHT JOIN a
      // column that is computed is NULL where an index has it.
      let column = table.columns.first {
        $0.collation == .rtrim || (context.hasRightJoin && $0.origin == .computed)
      }
      if let column { throw SelectRefusal(column.name, .dependsOnPlan) }
    }
  }

  /// What the columns are called by whoever reads from the query: without `COLLATE` behind a name,
  /// for one.
  private static func columnNames(
    of sql: SQLFragment, like statement: RawStatement, in db: Database
  ) -> [String] {
    let outer = try? RawStatement.prepare("SELECT * FROM (\(sql.sql))", on: db)
    guard let outer, outer.columnCount == statement.columnCount else {
      return statement.columnNames
    }
    return outer.columnNames
  }

  /// Whether values of a column of its rows that compare as equal are the same.
  func isExact(_ position: Int) -> Bool {
    query.items[position].trait.isExact || derivedColumns.isConstant(position, of: query)
  }

  /// Whether values of a column that compare as equal are the same.
  func isExact(_ column: SelectColumn) -> Bool {
    traits[column]?.isExact == true && derivedColumns.hasOneTrait(column)
  }

  /// Where the columns of a key stand among those of a row; nil where one is missing.
  func positions(of key: [String]) -> [Int]? {
    let positions = key.compactMap { name in
      columnNames.firstIndex { $0.inSQLLowerCase == name.inSQLLowerCase }
    }
    return positions.count == key.count ? positions : nil
  }
}
