import GRDB
import SectileCore

/// A query, or a view, whose rows are followed one by one: its tables, and what is asked when some
/// of their rows were touched.
///
/// ```text
/// touched rows of each table ──→ TouchedTable: as they were, as they are
///                                     │ Question, for the tables that have any
///                                     ▼
///                 keys of rows that may have changed ──→ AffectedKeys
/// ```
///
/// Confined to the writer.
final class FollowedQuery {
  let tables: [QueriedTable]
  private let reading: SelectReading
  private let plan: FetchPlan
  private let key: [Int]
  /// Whether the connection's progress handler is ours.
  private let mayLimitSteps: Bool
  /// Its large groups; nil where their rows do not follow from sums.
  private let groups: KeptGroups?

  // MARK: - Mutable state
  //
  // - `questions`: what was worked out for each set of touched tables, by the bits of these and of
  //   those with former rows; nil where all rows are compared.
  // - `prepared`: the statements that were prepared.
  // - `keysOfRows`: the statements that look for rows by columns of the key, by their positions.
  private var questions: [[Bool]: [Question]?] = [:]
  private var prepared: Set<String> = []
  private var keysOfRows: [[Int]: PlanStatement] = [:]

  /// So many sets of touched tables are remembered.
  private static let questionSetLimit = 256

  /// Watches the tables of a plan of a query.
  ///
  /// - Throws: ``SelectRefusal`` where its rows cannot be followed one by one; what reading the
  ///   schema throws.
  init(_ plan: FetchPlan, watching recorder: CommitRecorder, in db: Database) throws {
    let reading = try plan.reading(in: db)
    guard let key = reading.positions(of: plan.keyColumns) else {
      throw SelectRefusal(plan.keyColumns.joined(separator: ", "), .column)
    }
    self.plan = plan
    self.reading = reading
    mayLimitSteps = !recorder.isOnAdoptedConnection
    self.key = key
    tables = try reading.readTables.map { table in
      try QueriedTable(table, watching: recorder, in: db)
    }
    let followed = tables.map(\.followed)
    groups = SummedSelect(reading, key: key, in: db).map { KeptGroups($0, of: followed) }
  }

  // MARK: Asking

  /// Finds out which rows the transaction under way may have changed.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: The keys.
  /// - Throws: `interrupted`, where somebody has interrupted it; what ended the transaction.
  func affectedKeys(in context: borrowing DerivationContext) throws -> AffectedKeys {
    var isFollowed = false
    defer {
      for table in tables { table.shadow.removeAll() }
      if !isFollowed { groups?.forget() }
    }
    let db = context.reader.db
    let budget = mayLimitSteps ? StepBudget(for: context.base.count) : nil
    do {
      let keys =
        if let budget {
          try budget.limit(db) { try asked(in: context) }
        } else {
          try asked(in: context)
        }
      isFollowed = keys.list != nil
      return keys
    } catch let error as StoreError where error.code == .interrupted && budget?.isSpent != true {
      throw error
    } catch {
      // No memory, or no room for what SQLite puts aside, and the transaction is gone.
      guard db.isInsideTransaction else { throw error }
      // A question may meet what the query never looks at, as an application's function that fails:
      // all rows are compared then.
      return .unknown
    }
  }

  private func asked(in context: borrowing DerivationContext) throws -> AffectedKeys {
    let db = context.reader.db
    let limit = MaintenanceCost.limit(of: context.base.count)
    var (touched, withFormerRows) = (Set<String>(), Set<String>())
    var touchedTables: [(QueriedTable, hasFormerRows: Bool)] = []
    for table in tables where table.followed.isTouched {
      guard let count = try fill(table, limit, in: db) else { return .unknown }
      guard count.all > 0 else { continue }
      touchedTables.append((table, hasFormerRows: count.former > 0))
      touched.insert(table.name)
      if count.former > 0 { withFormerRows.insert(table.name) }
    }
    groups?.begin()
    let keys = try keys(touched, withFormerRows, limit, in: context)
    if let groups, keys.list != nil {
      try groups.follow(touchedTables, in: db)
      context.reader.groups = groups
    }
    return keys
  }

  /// Asks which rows touched rows of some tables may have changed.
  private func keys(
    _ touched: Set<String>, _ withFormerRows: Set<String>, _ limit: Int,
    in context: borrowing DerivationContext
  ) throws -> AffectedKeys {
    guard !touched.isEmpty else { return .several([]) }
    let db = context.reader.db
    guard let questions = questions(touched, withFormerRows) else { return .unknown }
    prepare(questions, in: context.reader)
    var answer = KeyAnswer(key: key, of: reading)
    for question in questions {
      guard try ask(question, limit, into: &answer, in: db) else { return .unknown }
    }
    guard try complete(&answer, limit, in: context) else { return .unknown }
    let keys = answer.keys.sorted { $0.comesBefore($1) }
    return keys.count == 1 ? .one(keys[0]) : .several(keys)
  }

  private func questions(_ touched: Set<String>, _ withFormerRows: Set<String>) -> [Question]? {
    let bits =
      tables.map { touched.contains($0.name) } + tables.map { withFormerRows.contains($0.name) }
    if let known = questions[bits] { return known }
    let shadows = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.shadow) })
    let made = QuestionDerivation(
      reading, key: plan.keyColumns, touched: touched, withFormerRows: withFormerRows
    ) { table, hasPresentRows in
      shadows[table].map { hasPresentRows ? $0.name : $0.formerName } ?? SQLName.table(table)
    }.questions()
    if questions.count >= Self.questionSetLimit { questions = [:] }
    questions[bits] = .some(made)
    return made
  }

  /// Prepares what was not prepared yet, for a database in which SQLite makes no indexes of its own
  /// meanwhile: for one question they would cost as much as the whole query.
  private func prepare(_ questions: [Question], in reader: PlanReader) {
    var statements = questions.map(\.sql.sql).filter { !prepared.contains($0) }
    guard !statements.isEmpty else { return }
    if prepared.isEmpty {
      statements += [reader.queries.row.sql, reader.queries.orderingOfRow.sql]
    }
    reader.db.withoutAutomaticIndexes {
      for sql in statements { _ = try? RawStatement.cached(sql, on: reader.db) }
    }
    prepared.formUnion(statements)
  }

  /// Asks a question; false where any row may have changed, or too many.
  private func ask(
    _ question: Question, _ limit: Int, into answer: inout KeyAnswer, in db: Database
  ) throws -> Bool {
    let statement = try RawStatement.cached(question.sql.sql, on: db)
    defer { statement.finish() }
    try statement.bindAll(question.sql.values)
    let columns = question.keyPositions.indices
    while try statement.step() {
      guard !columns.isEmpty else { return false }
      guard
        answer.insert(
          try columns.map { try statement.columnValue(at: $0) }, at: question.keyPositions)
      else { return false }
      guard answer.count <= limit else { return false }
    }
    return true
  }

  /// Finds the rows whose keys are equal to what was answered and not the same, or of which a part
  /// was answered; false where there are too many.
  private func complete(
    _ answer: inout KeyAnswer, _ limit: Int, in context: borrowing DerivationContext
  ) throws -> Bool {
    guard !answer.patterns.isEmpty else { return true }
    for handle in context.base.index.handles(in: 0..<context.base.count) {
      let key = context.base.keys.key(of: handle)
      if answer.matches(key) { answer.insert(key) }
      guard answer.count <= limit else { return false }
    }
    for (positions, values) in answer.patterns {
      let query = keysOfRows(with: positions, in: context.reader.db)
      let statement = try RawStatement.cached(query.sql, on: context.reader.db)
      for pattern in values {
        // What such a group is called is equal to nothing else.
        if let groups, positions == Array(key.indices), groups.keeps(RowKey(pattern)) {
          answer.insert(RowKey(pattern))
          continue
        }
        defer { statement.finish() }
        try statement.bind(query.values, from: query.valueParameter)
        try statement.bind(pattern, from: query.keyParameter)
        while try statement.step() {
          answer.insert(try statement.key(at: plan.keyColumns.indices))
          guard answer.count <= limit else { return false }
        }
      }
    }
    return true
  }

  /// Selects the keys of the rows that have some values in columns of the key.
  private func keysOfRows(with positions: [Int], in db: Database) -> PlanStatement {
    if let known = keysOfRows[positions] { return known }
    let rows = KeyPlacement.query(
      of: reading, wanting: positions.map { key[$0] }, always: InternalChecks.isOn, in: db)
    let columns = positions.map { plan.qualified(plan.keyColumns[$0]).sql }
    let conditions = columns.enumerated().map { "\($1) IS \(rows == nil ? "?" : "?\($0 + 1)")" }
    let name = SQLFragment(" AS \(SQLName.quote(plan.table))")
    let select = SQLBuilder(
      "SELECT ", SQLFragment(joining: plan.keyColumns.map(plan.qualified)), SQLFragment(" FROM "),
      rows.map { $0.inParentheses + name } ?? plan.source,
      SQLFragment(" WHERE \(conditions.joined(separator: " AND "))")
    ).fragment
    let query =
      rows == nil
      ? PlanStatement(select) : PlanStatement(select, numberingKey: positions.count)
    keysOfRows[positions] = query
    return query
  }

  /// Forgets what is known of rows: they were read otherwise.
  func forget() { groups?.forget() }

  // MARK: Touched rows

  /// Hands the touched rows of a table to SQLite; nil where not all of them are known, or there are
  /// too many.
  private func fill(
    _ table: QueriedTable, _ limit: Int, in db: Database
  ) throws -> (all: Int, former: Int)? {
    guard let rows = table.followed.recordedRows?.preImages, rows.isComplete,
      !table.followed.hasUnknownKeys, rows.count <= limit
    else { return nil }
    var count = (all: 0, former: 0)
    let statement = try RawStatement.cached(table.presentRow, on: db)
    defer { statement.finish() }
    for position in 0..<rows.count {
      let key = rows.key(at: position)
      try statement.bind(key, from: 1)
      defer { statement.reset() }
      let isThere = try statement.step()
      switch rows.entry(of: key, at: table.positions) {
      case .absent:
        if isThere { try table.appendPresent(key, statement, &count) }
      case .image(let offset):
        let isSame =
          isThere
          && rows.withImage(at: offset) { image in
            table.recorded.indices.allSatisfy { column in
              guard let place = table.recorded[column] else { return true }
              return image[place].isIdentical(to: statement.column(column))
            }
          }
        guard !isSame else { continue }
        try rows.withImage(at: offset) { try table.appendFormer(key, $0, &count) }
        if isThere { try table.appendPresent(key, statement, &count) }
      case .partial, .lost, .untouched: return nil
      }
    }
    return count
  }
}
