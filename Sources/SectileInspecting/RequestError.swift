/// Why a ``TableRequest`` makes no sense: a code for programs, a sentence and the next step for
/// people.
///
/// What SQLite says of a request's SQL is a `StoreError`.
package struct RequestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong; the name is for programs.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The schema has no such table.
    case noSuchTable
    /// The table has no such column.
    case noSuchColumn
    /// Nothing tells the rows of the table apart.
    case noKey
    /// The text is no aggregate of those that are kept up to date.
    case badAggregate
    /// The text says nothing to order by.
    case badSort
    /// The limit is no number of rows.
    case badLimit
    /// A text that has to be one expression is more, or less.
    case badExpression
  }

  /// What is wrong.
  package let code: Code
  /// What is wrong, in a sentence.
  package let message: String
  /// What to do next.
  package let hint: String?
  /// What the schema says about the table; nil where it is not about one that is there.
  package let table: TableShape?

  init(_ code: Code, _ message: String, hint: String? = nil, of table: TableShape? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.table = table
  }

  /// The message, and the hint where there is one.
  package var description: String { hint.map { "\(message). \($0)" } ?? message }
}
