extension RequestExplanation {
  /// What a touched row costs where rows are those of a query or a view, and are followed one by
  /// one: what SQLite is asked, and how a row that is named is read again.
  ///
  /// ```swift
  /// for question in try store.explain(query).touchedRowCost?.questions ?? [] { print(question) }
  /// // A touched row of artist names rows by their key (id).
  /// ```
  ///
  /// The plans are those of an empty copy of the schema, in memory, with the statistics of the
  /// original. A plan that says `SCAN`, of another table than the touched rows, costs more the more
  /// rows that table has.
  public struct TouchedRowCost: Hashable, Sendable, Codable {
    /// What is asked: one question for each time that the query names a table, or several where
    /// columns of the key may be NULL by a LEFT JOIN; in the order of the tables' names.
    ///
    /// Not more than 40; ``questionCount`` says how many there are.
    public let questions: [Question]
    /// How many questions there are.
    public let questionCount: Int
    /// Tables whose touched rows would take too many questions: all rows are compared instead.
    public let unaskedTables: [String]
    /// The statement that reads one row again, by its key.
    public let rereadingSQL: String
    /// How SQLite runs that statement; empty where it cannot be found out.
    public let rereadingPlan: [QueryPlanStep]
    /// Whether the counts, sums and averages of a large group follow from the touched rows alone;
    /// nil where a row stands for no group.
    ///
    /// Otherwise a group is read again with all its rows.
    public let keepsSums: Bool?
    /// The indexes that are missing: with them SQLite searches what it would read as a whole, for a
    /// question among ``questions`` or to read a row again.
    ///
    /// Each was tried together with those before it, and some help only together.
    public let suggestedIndexes: [IndexSuggestion]

    init(
      questions: [Question], questionCount: Int, unaskedTables: [String], rereadingSQL: String,
      rereadingPlan: [QueryPlanStep], keepsSums: Bool?, suggestedIndexes: [IndexSuggestion]
    ) {
      self.questions = questions
      self.questionCount = questionCount
      self.unaskedTables = unaskedTables
      self.rereadingSQL = rereadingSQL
      self.rereadingPlan = rereadingPlan
      self.keepsSums = keepsSums
      self.suggestedIndexes = suggestedIndexes
    }
  }
}

extension RequestExplanation.TouchedRowCost {
  /// At most how many questions ``questions`` has.
  static let questionLimit = 40

  /// What is said of tables and questions that are not shown, and of groups, in sentences.
  package var remarks: [String] {
    var remarks: [String] = []
    let hidden = questionCount - questions.count
    if hidden > 0 { remarks.append("\(hidden) more \(hidden == 1 ? "question" : "questions").") }
    remarks += unaskedTables.map { table in
      "A touched row of \(table) takes more questions than are asked: all rows are compared."
    }
    switch keepsSums {
    case true?:
      remarks.append(
        "A large group is not read again: its values follow from what the touched rows add.")
    case false?: remarks.append("A group is read again with all its rows.")
    case nil: break
    }
    return remarks
  }
}

extension RequestExplanation.TouchedRowCost: CustomStringConvertible {
  /// The questions, each with its SQL and its plan, and how a row is read again.
  public var description: String {
    var lines: [String] = []
    for question in questions {
      lines += [question.description, question.sql]
      lines += QueryPlanStep.drawing(of: question.queryPlan) + [""]
    }
    if !remarks.isEmpty { lines += remarks + [""] }
    lines.append("A row is read again by its key.")
    return (lines + QueryPlanStep.drawing(of: rereadingPlan)).joined(separator: "\n")
  }
}
