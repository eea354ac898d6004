/// Why a SELECT is not followed row by row: the first token that is not understood, or what is
/// understood and cannot be told by touched rows.
package struct SelectRefusal: Error, Hashable, Sendable {
  /// What stands in the way.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A token that the parser of the followed shapes does not know at this place.
    case syntax
    /// A parameter with a name or a number.
    case parameter
    /// A name that is no column of the tables in FROM, or of several.
    case column
    /// A function that SQLite does not list.
    case function
    /// A table that is none of the file's own: temporary, virtual, of another database.
    case table
    /// A table-valued function, or a virtual table.
    case virtualTable
    /// FULL JOIN, and RIGHT JOIN among more than two tables.
    case outerJoin
    /// A recursive WITH.
    case recursion
    /// `INDEXED BY`: the index may not serve the question.
    case indexHint
    /// A bare column of a grouped query that its groups do not fix: SQLite takes it from any row.
    case bareColumn
    /// What SQLite answers by plan, or otherwise than elsewhere: `LIKE` in the ON of a LEFT JOIN,
    /// `RTRIM`, computed columns in a RIGHT JOIN, named columns of a view whose arms differ,
    /// `USING` with a column that a LEFT JOIN may fill up with NULL.
    case dependsOnPlan
    /// A value that is handed to a function of time, and may be the word `now`.
    case clock
    /// More tables, or queries inside one another, than can be asked about.
    case size
  }

  /// The token, as it is written.
  package let token: String
  /// The rule.
  package let rule: Rule

  init(_ token: String, _ rule: Rule) {
    self.token = token
    self.rule = rule
  }

  init(_ token: SelectToken, _ rule: Rule = .syntax) {
    self.init(token.text, rule)
  }
}

extension SelectRefusal: CustomStringConvertible {
  /// A sentence for `explain`.
  package var description: String {
    switch rule {
    case .syntax: "\(token) is not understood here."
    case .parameter: "\(token) is a parameter with a name or a number."
    case .column: "\(token) is no column of the tables that it may be of, or of several."
    case .function: "\(token) is a function that SQLite does not list."
    case .table: "\(token) is no table of the file's own."
    case .virtualTable: "\(token) is a virtual table: nobody tells which of its rows change."
    case .outerJoin: "\(token) shows rows of both sides that match nothing."
    case .recursion: "\(token) makes a query of its own rows."
    case .indexHint: "\(token) names an index, which a question cannot use."
    case .bareColumn:
      "\(token) is not one of the columns that are grouped by, and these do not fix it."
    case .dependsOnPlan: "What \(token) says depends on the plan that SQLite makes."
    case .clock: "\(token) is handed to a function of time, and may be the word now."
    case .size: "\(token) is too much to ask about."
    }
  }
}
