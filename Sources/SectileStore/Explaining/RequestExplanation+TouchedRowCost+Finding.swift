import GRDB
import SectileCore

extension RequestExplanation.TouchedRowCost {
  /// Finds out what a touched row costs, and which indexes are missing.
  ///
  /// - Parameters:
  ///   - queries: The plan, made ready to run.
  ///   - reading: Its query, or what stands for its view.
  ///   - db: The database, in which nothing is created.
  /// - Returns: What was found; nil where the query does not have the columns of the key.
  /// - Throws: What reading the schema throws.
  static func found(
    _ queries: PlanQueries, _ reading: SelectReading, in db: Database
  ) throws -> RequestExplanation.TouchedRowCost? {
    let keyColumns = queries.plan.keyColumns
    guard let key = reading.positions(of: keyColumns) else { return nil }
    let rehearsal = try QuestionRehearsal(of: reading.readTables, in: db)
    let isExact = key.allSatisfy(reading.isExact)
    var questions: [RequestExplanation.Question] = []
    var (count, unasked) = (0, [String]())
    for table in reading.readTables {
      guard let asked = rehearsal.questions(about: table, of: reading, key: keyColumns) else {
        unasked.append(table.schema.name)
        continue
      }
      count += asked.count
      for question in asked.prefix(questionLimit - questions.count) {
        questions.append(
          RequestExplanation.Question(
            table: table.schema.name, answer: question.answer(ofKeyOf: key.count, isExact: isExact),
            keyColumns: question.keyPositions.map { keyColumns[$0] }, sql: question.sql.sql,
            values: question.sql.values, queryPlan: rehearsal.steps(of: question.sql)))
      }
    }
    let row = queries.row
    let nulls = keyColumns.map { _ in StoredValue.null }
    let rereading = SQLFragment(row.sql, row.isKeyFirst ? nulls + row.values : row.values + nulls)
    let plan = rehearsal.steps(of: rereading)
    var missing = MissingIndexes(on: rehearsal, of: reading.namings(key: key), in: db)
    for question in questions { try missing.look(at: question) }
    try missing.look(atRereading: rereading, namingAsQuestions: row.isKeyFirst)
    return RequestExplanation.TouchedRowCost(
      questions: questions, questionCount: count, unaskedTables: unasked, rereadingSQL: row.sql,
      rereadingPlan: plan,
      keepsSums: reading.query.cores.contains { $0.groups != nil }
        ? SummedSelect(reading, key: key, in: db) != nil : nil,
      suggestedIndexes: missing.suggestions)
  }
}

extension Question {
  /// Tells what the question answers of a key of so many columns.
  fileprivate func answer(
    ofKeyOf columnCount: Int, isExact: Bool
  ) -> RequestExplanation.Question.Answer {
    if keyPositions.isEmpty { return .anyRow }
    if keyPositions.count < columnCount { return .partOfKey }
    return isExact ? .key : .equalKey
  }
}
