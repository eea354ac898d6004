import GRDB
import SectileCore

/// What a schema says to a parser: tables, views, functions; each is read once.
final class SelectSchema {
  /// A table of the file's own.
  struct Table {
    let schema: TableSchema

    var name: String { schema.name }

    /// The columns that `*` means, and how each compares.
    var columns: [(name: String, trait: ColumnTrait)] {
      schema.columns.map { column in
        (
          column.name,
          ColumnTrait(affinity: schema.affinity(of: column), collation: column.collation)
        )
      }
    }

    /// Returns whether rows have no two with the same values in some columns, given in lower case.
    func isKey(_ columns: Set<String>) -> Bool {
      let key = Set(schema.keyColumns.map { $0.inSQLLowerCase })
      if !columns.isDisjoint(with: schema.rowIDNames) { return true }
      // Of other tables with row ids, a key may be NULL any number of times.
      let isWhole = schema.listing.isWithoutRowID || schema.rowIDColumn != nil
      return isWhole && !key.isEmpty && key.isSubset(of: columns)
    }
  }

  /// What a name in FROM stands for.
  enum Source {
    case table(Table)
    /// The text of a CREATE VIEW.
    case view(String)
  }

  private struct Function {
    let isAggregate: Bool
    let argumentCount: Int64
  }

  let db: Database
  private var sources: [String: Source] = [:]
  private var functions: [String: [Function]]?
  private var temporary: Set<String>?

  init(_ db: Database) { self.db = db }

  /// Returns what a name in FROM stands for.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - isQualified: Whether it says that it is one of the file's own.
  /// - Returns: The table or view.
  /// - Throws: ``SelectRefusal`` for a table that is temporary, virtual or not there.
  func source(_ name: String, isQualified: Bool) throws(SelectRefusal) -> Source {
    let lower = name.inSQLLowerCase
    if !isQualified, temporaryNames.contains(lower) { throw SelectRefusal(name, .table) }
    if let known = sources[lower] { return known }
    guard let schema = try? TableSchema(of: name, in: db) else { throw SelectRefusal(name, .table) }
    let source: Source
    switch schema.kind {
    case .table where schema.name.inSQLLowerCase != "sqlite_schema":
      source = .table(Table(schema: schema))
    case .view:
      guard let sql = viewText(schema.name) else { throw SelectRefusal(name, .table) }
      source = .view(sql)
    case .virtual, .shadow: throw SelectRefusal(name, .virtualTable)
    case .table: throw SelectRefusal(name, .table)
    }
    sources[lower] = source
    return source
  }

  private func viewText(_ name: String) -> String? {
    let rows = try? db.schemaRows(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE",
      [.text(name)])
    guard case .text(let sql)?? = rows?.first?.first else { return nil }
    return sql
  }

  /// Names that mean something else than a table of the file's own.
  private var temporaryNames: Set<String> {
    if let temporary { return temporary }
    let rows = try? db.schemaRows("SELECT lower(name) FROM temp.sqlite_schema", [])
    let names = Set((rows ?? []).map { $0[0].schemaText })
    temporary = names
    return names
  }

  /// Returns whether a function is an aggregate of several rows; nil where there is no such
  /// function.
  func isAggregate(_ name: String, argumentCount: Int) -> Bool? {
    let lower = name.inSQLLowerCase
    let named = allFunctions[lower] ?? []
    let fitting = named.filter { $0.argumentCount == Int64(argumentCount) }
    if let exact = fitting.first { return exact.isAggregate }
    return named.first { $0.argumentCount < 0 }?.isAggregate
  }

  private var allFunctions: [String: [Function]] {
    if let functions { return functions }
    var found: [String: [Function]] = [:]
    let rows = try? db.schemaRows("SELECT lower(name), type, narg FROM pragma_function_list", [])
    for row in rows ?? [] {
      guard case .integer(let count) = row[2] else { continue }
      // `w` is an aggregate that may have a window, `a` one that may not.
      found[row[0].schemaText, default: []].append(
        Function(isAggregate: row[1] != .text("s"), argumentCount: count))
    }
    functions = found
    return found
  }
}
