public import SectileCore

extension RequestExplanation {
  /// What SQLite is asked about touched rows of a table: which rows of the query may have changed.
  ///
  /// It is the query itself, with the touched rows in the place of one naming of their table,
  /// reduced to joins and conditions. If rows of several tables were updated or deleted in one
  /// commit, there are more.
  public struct Question: Hashable, Sendable, Codable {
    /// What a question tells of the rows that may have changed.
    public enum Answer: String, Hashable, Sendable, Codable {
      /// Their keys.
      case key
      /// What their keys are equal to, as the keys' columns compare: rows are looked for among all
      /// keys in memory, and in the query.
      case equalKey
      /// A part of their keys: rows are looked for in the same way.
      case partOfKey
      /// Whether there are any: then all rows are compared.
      case anyRow
    }

    /// The table whose touched rows are asked about.
    public let table: String
    /// What the question tells.
    public let answer: Answer
    /// The columns of the key that are answered, in the key's order.
    public let keyColumns: [String]
    /// The question, in which the touched rows stand as a table.
    ///
    /// That table is called `touched_` and the table's name here, and otherwise in live results.
    public let sql: String
    /// The values bound to its `?` marks, in order.
    public let values: [StoredValue]
    /// How SQLite answers it; empty where that cannot be found out, as for a function that only the
    /// connection has.
    public let queryPlan: [QueryPlanStep]

    init(
      table: String, answer: Answer, keyColumns: [String], sql: String, values: [StoredValue],
      queryPlan: [QueryPlanStep]
    ) {
      self.table = table
      self.answer = answer
      self.keyColumns = keyColumns
      self.sql = sql
      self.values = values
      self.queryPlan = queryPlan
    }
  }
}

extension RequestExplanation.Question: CustomStringConvertible {
  /// What it tells, in a sentence.
  public var description: String {
    let columns = keyColumns.joined(separator: ", ")
    let ending =
      switch answer {
      case .key: "names rows by their key (\(columns))."
      case .equalKey:
        "names rows by what their key (\(columns)) is equal to, which is looked for in all keys."
      case .partOfKey:
        "names rows by a part of their key (\(columns)), which is looked for in all keys."
      case .anyRow: "does not tell which rows may have changed: all are compared."
      }
    return "A touched row of \(table) \(ending)"
  }
}
