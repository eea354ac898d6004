package import GRDB
import GRDBSQLite
import SectileCore

/// The columns of a SELECT from which a plan reads its rows.
package struct SelectedColumns: Sendable {
  /// The columns, as expressions outside of the SELECT name them.
  package let names: [String]
  /// Names that several columns have: outside, only the first is called so.
  private let repeated: Set<String>
  /// What the SELECT is called.
  private let query: String

  /// Takes columns that are known.
  init(_ names: [String], of query: String) {
    (self.names, self.query) = (names, query)
    repeated = []
  }

  /// Finds out the columns of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - name: What it is called.
  ///   - db: The connection.
  /// - Throws: `invalidRequest` for what is not one SELECT, writes, or binds otherwise than by `?`
  ///   marks with a value for each; what SQLite says of the text.
  package init(of query: SQLFragment, named name: String, in db: Database) throws(StoreError) {
    try self.init(of: query, named: name) { sql throws(StoreError) -> Facts in
      Facts(try RawStatement.prepare(sql, on: db))
    }
  }

  /// Finds out the columns of a query by what its statements say of themselves.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - name: What it is called.
  ///   - facts: Prepares a statement.
  /// - Throws: As ``init(of:named:in:)``; what preparing throws.
  init(
    of query: SQLFragment, named name: String, asking facts: (String) throws(StoreError) -> Facts
  ) throws(StoreError) {
    try Self.checkIsOneSelect(query.sql, named: name)
    let alone = try facts(query.sql)
    try Self.check(alone, binding: query.values.count, named: name)
    // SQLite gives columns of a subquery other names than those of a statement, here and there.
    let rows = query.inParentheses.sql
    names = try facts("SELECT * FROM \(rows) AS \(SQLName.quote(name))").columnNames
    repeated = Self.repeatedNames(names, alone: alone.columnNames)
    self.query = name
  }

  /// Returns a column's name as the query writes it.
  ///
  /// - Parameter column: The name, in any case of its letters.
  /// - Returns: The name.
  /// - Throws: `invalidRequest` where the query has no column, or several, of the name.
  func spelling(of column: String) throws(StoreError) -> String {
    try checkIsUnique(column)
    let name = column.lowercased()
    if names.contains(column) { return column }
    if let found = names.first(where: { $0.lowercased() == name }) { return found }
    throw .invalidRequest(
      "The query \(query) has no column \(column).",
      hint: "Its columns are \(names.joined(separator: ", ")). Name another with AS.")
  }

  /// Checks that no two columns have one name.
  ///
  /// - Throws: `invalidRequest`.
  package func checkAreUnique() throws(StoreError) {
    for column in names { try checkIsUnique(column) }
  }

  private func checkIsUnique(_ column: String) throws(StoreError) {
    guard repeated.contains(column.lowercased()) else { return }
    throw .invalidRequest(
      "Two columns of the query \(query) are called \(column).",
      hint: "Name each column once, with AS: SELECT artist.id AS artist_id, track.id.")
  }

  // MARK: - The text

  /// Returns the text of a statement without semicolons, spaces and comments at its end, which
  /// would stand before the parenthesis that closes it.
  static func withoutEnd(_ sql: String) -> String {
    var pieces = SQLPiece.pieces(of: sql)[...]
    while let last = pieces.last, last.kind == .space || last.isSign(";") { pieces.removeLast() }
    return pieces.map(\.text).joined()
  }

  private static func checkIsOneSelect(_ sql: String, named name: String) throws(StoreError) {
    let pieces = SQLPiece.pieces(of: sql).filter { $0.kind != .space }
    guard let first = pieces.first else {
      throw .invalidRequest(
        "The query \(name) holds no statement.", hint: "Write one SELECT statement.")
    }
    guard !pieces.contains(where: { $0.isSign(";") }) else {
      throw .invalidRequest(
        "The query \(name) holds several statements.", hint: "Write one SELECT statement.")
    }
    guard ["SELECT", "VALUES", "WITH"].contains(where: first.isWord) else {
      throw .invalidRequest(
        "The query \(name) is no SELECT.",
        hint: "Write one SELECT statement. WITH before it, and VALUES, are fine.")
    }
  }

  private static func check(
    _ statement: Facts, binding count: Int, named name: String
  ) throws(StoreError) {
    guard statement.isReadOnly, !statement.columnNames.isEmpty else {
      throw .invalidRequest(
        "The query \(name) writes.",
        hint: "Write one SELECT statement; write to tables in Store.write(_:).")
    }
    guard !statement.hasNamedParameters else {
      throw .invalidRequest(
        "A parameter of the query \(name) has a name or a number.",
        hint: "Write plain ? marks in a plan; Query understands names and numbers.")
    }
    guard statement.parameterCount == count else {
      throw .invalidRequest(
        "The query \(name) has \(statement.parameterCount) ? marks, and \(count) values.",
        hint: "Give a value for each ? mark, in their order.")
    }
  }

  /// The names that SQLite made different by a number: `id:1` for a second `id`.
  private static func repeatedNames(_ names: [String], alone: [String]) -> Set<String> {
    var repeated: Set<String> = []
    for (position, name) in names.enumerated() where alone[position] != name {
      guard let colon = name.lastIndex(of: ":"),
        name[colon...].dropFirst().allSatisfy(\.isNumber)
      else { continue }
      let first = name[..<colon].lowercased()
      if names[..<position].contains(where: { $0.lowercased() == first }) { repeated.insert(first) }
    }
    return repeated
  }
}

extension SelectedColumns {
  /// What a prepared statement says of itself.
  struct Facts {
    let columnNames: [String]
    let isReadOnly: Bool
    let parameterCount: Int
    let hasNamedParameters: Bool

    init(_ statement: RawStatement) {
      columnNames = statement.columnNames
      isReadOnly = statement.isReadOnly
      parameterCount = statement.parameterCount
      hasNamedParameters = (0..<statement.parameterCount).contains {
        sqlite3_bind_parameter_name(statement.handle, CInt($0 + 1)) != nil
      }
    }
  }
}
