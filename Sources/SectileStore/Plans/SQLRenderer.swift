internal import SectileCore

/// Writes expressions as SQL and remembers what they need: joins, and the tables they read.
///
/// One renderer serves all expressions of one plan, so that each relationship is joined once. A
/// join or a subquery's table is known by its own name where that is free, else by its name and a
/// number. Each subquery opens a scope with its own FROM clause; a column is looked up in the scope
/// its source belongs to, so a condition inside a subquery may use columns of the outer row.
package struct SQLRenderer {
  /// One FROM clause.
  private struct Scope {
    var root: SQLSource
    var joins: [FetchPlan.Join] = []
  }

  private var scopes: [Scope]
  private var joinsOfSubqueries: [SQLSource: [FetchPlan.Join]] = [:]
  private var aliases: [SQLSource: String]
  private var takenNames: Set<String>
  private var fragment = SQLFragment("")

  /// Whether full-text tables are asked about one row at a time.
  private let asksByRow: Bool

  /// What the expressions read, in the order in which they met it.
  package private(set) var reads = SQLReads()

  /// Creates a renderer for expressions on a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - asksByRow: Whether full-text tables are asked about one row at a time: faster for a few
  ///     rows, and much slower for all of them.
  package init(table: String, asksByRow: Bool = false) {
    self.asksByRow = asksByRow
    let base = SQLSource.base(table)
    scopes = [Scope(root: base)]
    aliases = [base: table]
    takenNames = [table.inSQLLowerCase]
  }

  /// The joins the rendered expressions need.
  package var joins: [FetchPlan.Join] { scopes[0].joins }

  /// Returns an expression as SQL.
  package mutating func render(
    _ expression: SQLExpression
  ) throws(StoreError) -> SQLFragment {
    let outer = fragment
    fragment = SQLFragment("")
    defer { fragment = outer }
    try write(expression)
    return fragment
  }
}

// MARK: - Writing

extension SQLRenderer {
  private mutating func write(_ expression: SQLExpression) throws(StoreError) {
    switch expression {
    case .column(let source, let name):
      fragment.sql += SQLName.quote(try alias(of: source), name)
      reads.add(name, of: source)
    case .value(let value):
      fragment.sql += "?"
      fragment.values.append(value)
    case .constant(let text):
      fragment.sql += text
    case .fragment(let written, let tables):
      fragment.sql += written.sql
      // A comment at the end of the caller's SQL must not swallow what follows.
      if written.sql.contains("--") { fragment.sql += "\n" }
      fragment.values += written.values
      reads.add(everythingOf: tables)
    case .all(let parts): try write(parts, joinedBy: " AND ", whenEmpty: "1")
    case .any(let parts): try write(parts, joinedBy: " OR ", whenEmpty: "0")
    case .call(let name, let arguments):
      fragment.sql += "\(name)("
      try writeList(arguments)
      fragment.sql += ")"
    case .aggregate(let name, let operand): try write(.call(name, [operand]))
    case .cast(let operand, let type):
      fragment.sql += "CAST("
      try write(operand)
      fragment.sql += " AS \(type))"
    case .related(let subquery): try write(subquery)
    case .match(let key, let table, let query):
      try write(key, matching: query, in: table)
    case .rank(let key, let table, let query):
      try write(rankOf: key, matching: query, in: table)
    case .invalid(let error): throw error
    case .prefix, .suffix, .infix, .mixfix, .list: try writeOperator(expression)
    }
  }

  private mutating func write(
    _ key: SQLExpression, matching query: String, in table: String
  ) throws(StoreError) {
    let name = SQLName.quote(table)
    if asksByRow {
      fragment.sql += "EXISTS (SELECT 1 FROM \(SQLName.table(table)) WHERE \(name).rowid = "
      try writeOperand(key)
      fragment.sql += " AND \(name) MATCH ?)"
    } else {
      try writeOperand(key)
      fragment.sql += " IN (SELECT rowid FROM \(SQLName.table(table)) WHERE \(name) MATCH ?)"
    }
    fragment.values.append(.text(query))
    reads.add(fullTextTable: table, about: key)
  }

  /// Writes a look-up in all that the query finds, which is ranked once.
  ///
  /// Asked about one row, FTS5 would count the matches of each word again. The limit keeps SQLite
  /// from asking so all the same.
  private mutating func write(
    rankOf key: SQLExpression, matching query: String, in table: String
  ) throws(StoreError) {
    let name = SQLName.quote(table)
    fragment.sql += "(SELECT rank FROM (SELECT rowid AS id, rank FROM \(SQLName.table(table))"
    fragment.sql += " WHERE \(name) MATCH ? LIMIT -1) WHERE id = "
    fragment.values.append(.text(query))
    try writeOperand(key)
    fragment.sql += ")"
    reads.add(ranksOfFullTextTable: table)
  }

  private mutating func writeOperator(_ expression: SQLExpression) throws(StoreError) {
    switch expression {
    case .prefix(let name, let operand):
      fragment.sql += name
      try writeOperand(operand)
    case .suffix(let operand, let name):
      try writeOperand(operand)
      fragment.sql += " \(name)"
    case .infix(let left, let name, let right):
      try writeOperand(left)
      fragment.sql += " \(name) "
      try writeOperand(right)
    case .mixfix(let first, let name, let second, let middle, let third):
      try writeOperand(first)
      fragment.sql += " \(name) "
      try writeOperand(second)
      fragment.sql += " \(middle) "
      try writeOperand(third)
    case .list(let operand, let members):
      try writeOperand(operand)
      fragment.sql += " IN ("
      try writeList(members)
      fragment.sql += ")"
    default: try write(expression)
    }
  }

  private mutating func writeOperand(_ expression: SQLExpression) throws(StoreError) {
    guard !expression.isAtomic else { return try write(expression) }
    fragment.sql += "("
    try write(expression)
    fragment.sql += ")"
  }

  private mutating func writeList(_ expressions: [SQLExpression]) throws(StoreError) {
    for (offset, expression) in expressions.enumerated() {
      if offset > 0 { fragment.sql += ", " }
      try write(expression)
    }
  }

  private mutating func write(
    _ parts: [SQLExpression], joinedBy separator: String, whenEmpty: String
  ) throws(StoreError) {
    guard parts.count != 1 else { return try write(parts[0]) }
    if parts.isEmpty { fragment.sql += whenEmpty }
    for (offset, part) in parts.enumerated() {
      if offset > 0 { fragment.sql += separator }
      try writeOperand(part)
    }
  }
}

// MARK: - Tables

extension SQLRenderer {
  /// Returns the name of a source in the FROM clause it belongs to, joining it when it is new.
  private mutating func alias(of source: SQLSource) throws(StoreError) -> String {
    if let known = aliases[source] { return known }
    try source.checkReference()
    let name = takenNames.insertName(source.table)
    guard case .toOne(let parent, let reference) = source else {
      aliases[source] = name
      return name
    }
    let join = FetchPlan.Join(
      table: source.table, alias: name, source: try alias(of: parent),
      sourceColumns: reference.sourceColumns, targetColumns: reference.targetColumns)
    aliases[source] = name
    reads.add(reference.sourceColumns, of: parent)
    reads.add(reference.targetColumns, of: source)
    let root = source.root
    if let scope = scopes.lastIndex(where: { $0.root == root }) {
      scopes[scope].joins.append(join)
    }
    return name
  }

  private mutating func write(_ subquery: SQLRelated) throws(StoreError) {
    guard case .toMany(let parent, let reference, _) = subquery.source else {
      throw .invalidRequest("A subquery needs a to-many relationship.")
    }
    let outerName = try alias(of: parent)
    let name = try alias(of: subquery.source)
    reads.add(reference.sourceColumns, of: parent)
    reads.add(reference.targetColumns, of: subquery.source)
    // One written for the second time has the joins of the first.
    scopes.append(Scope(root: subquery.source, joins: joinsOfSubqueries[subquery.source] ?? []))
    let question = try render(subquery)
    var condition: SQLFragment?
    if let wanted = subquery.condition { condition = try render(wanted) }
    let ending = try renderEnd(of: subquery.question)
    let scope = scopes.removeLast()
    joinsOfSubqueries[subquery.source] = scope.joins

    let links = zip(reference.targetColumns, reference.sourceColumns).map { target, source in
      "\(SQLName.quote(name, target)) = \(SQLName.quote(outerName, source))"
    }
    let from = PlanSQL.source(reference.targetTable, as: name, scope.joins)
    fragment.sql += question.sql
    fragment.values += question.values
    fragment.sql += " FROM \(from) WHERE \(links.joined(separator: " AND "))"
    if let condition {
      fragment.sql += " AND (\(condition.sql))"
      fragment.values += condition.values
    }
    fragment.sql += ending.sql + ")"
    fragment.values += ending.values
  }
}

extension SQLRenderer {
  /// Returns the beginning of a subquery.
  private mutating func render(_ subquery: SQLRelated) throws(StoreError) -> SQLFragment {
    switch subquery.question {
    case .exists: return SQLFragment("EXISTS (SELECT 1")
    case .count: return SQLFragment("(SELECT count(*)")
    case .aggregate(let function, let operand):
      // Otherwise SQLite takes it for one of the rows outside.
      guard operand.looks(at: subquery.source) else {
        throw .invalidRequest(
          "An aggregate of related rows of \(subquery.source.table) looks at none of their fields.",
          hint: "Use the fields that its closure is given: $0.lines.sum { $0.cents }.")
      }
      return SQLFragment("(SELECT ") + (try render(.aggregate(function, operand)))
    case .list(let list):
      // The order of what an aggregate is given is that of a query in its FROM.
      let row = SQLName.quote(Self.listedRow)
      let columns = try list.columns.map { column throws(StoreError) in
        try render(column).asTaggedJSON
      }
      return SQLFragment("(SELECT json_group_array(json(\(row))) FROM (SELECT json_array(")
        + SQLFragment(joining: columns) + SQLFragment(") AS \(row)")
    }
  }

  /// What a row of a list is called; a name that no column of users has.
  private static let listedRow = "sectile row"

  /// Returns what follows the conditions of a subquery.
  private mutating func renderEnd(
    of question: SQLRelated.Question
  ) throws(StoreError) -> SQLFragment {
    guard case .list(let list) = question else { return SQLFragment("") }
    let terms = try list.order.map { term throws(StoreError) in
      let operand = try render(term.expression)
      // A column in parentheses would be no column to an index.
      let isColumn = if case .column = term.expression { true } else { false }
      return (isColumn ? operand : operand.inParentheses) + SQLFragment(term.ending)
    }
    return SQLFragment(" ORDER BY ") + SQLFragment(joining: terms)
      + SQLFragment(" LIMIT \(list.limit ?? -1))")
  }
}

extension SQLFragment {
  /// The column as a value of JSON that says what it was stored as: JSON has no blobs, and SQLite
  /// writes real numbers into it with 15 digits.
  ///
  /// ``Children`` reads it.
  fileprivate var asTaggedJSON: SQLFragment {
    let cases = [
      ("text", "'t' || ", ""), ("real", "'r' || printf('%!.20e', ", ")"),
      ("blob", "'b' || hex(", ")"),
    ]
    var sql = SQLFragment("CASE typeof(") + self + SQLFragment(")")
    for (type, before, after) in cases {
      sql = sql + SQLFragment(" WHEN '\(type)' THEN \(before)") + self + SQLFragment(after)
    }
    return sql + SQLFragment(" ELSE ") + self + SQLFragment(" END")
  }
}

extension SQLSource {
  /// Checks that both sides of a relationship have as many columns.
  fileprivate func checkReference() throws(StoreError) {
    switch self {
    case .base: return
    case .toOne(let parent, let reference), .toMany(let parent, let reference, _):
      let counts = (reference.sourceColumns.count, reference.targetColumns.count)
      guard counts.0 != counts.1 || counts.0 == 0 else { return }
      throw .invalidRequest(
        "The relationship from \(parent.table) to \(table) joins \(counts.0) columns to \(counts.1).",
        hint: "Name one foreign-key column for each column of the primary key it refers to.")
    }
  }
}
