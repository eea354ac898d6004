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
  /// A table that the query reads.
  struct Table {
    let name: String
    let followed: FollowedTable
    /// What SQLite reads in its place.
    let shadow: TouchedTable
    /// The columns that are recorded, by the positions of the table's.
    let recorded: [Int?]
    /// Where these stand in an image.
    let positions: [Int]
    /// Reads the columns of the row with a key, in the order of the table's; those that nobody
    /// reads as NULL.
    let presentRow: String
    /// Whether the key is the row id.
    let isByRowID: Bool
  }

  let tables: [Table]
  private let reading: SelectReading
  private let plan: FetchPlan
  private let key: [Int]
  /// Whether the connection's progress handler is ours.
  private let mayLimitSteps: Bool
  /// Returns the keys of rows, to which the conditions on a key are added.
  private let keysOfRows: SQLFragment

  // MARK: - Mutable state
  //
  // - `questions`: what was worked out for each set of touched tables, by the bits of these and of
  //   those with former rows; nil where all rows are compared.
  // - `prepared`: the statements that were prepared.
  private var questions: [[Bool]: [Question]?] = [:]
  private var prepared: Set<String> = []

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
      try Table(table, watching: recorder, in: db)
    }
    keysOfRows =
      SQLFragment("SELECT ") + SQLFragment(joining: plan.keyColumns.map(plan.qualified))
      + SQLFragment(" FROM ") + plan.source + SQLFragment(" WHERE ")
  }

  // MARK: Asking

  /// Finds out which rows the transaction under way may have changed.
  ///
  /// - Parameter context: Knows the contents before, and reads rows.
  /// - Returns: The keys.
  /// - Throws: `interrupted`, where somebody has interrupted it; what ended the transaction.
  func affectedKeys(in context: borrowing DerivationContext) throws -> AffectedKeys {
    defer { for table in tables { table.shadow.removeAll() } }
    let db = context.reader.db
    let budget = mayLimitSteps ? StepBudget(for: context.base.count) : nil
    do {
      guard let budget else { return try asked(in: context) }
      return try budget.limit(db) { try asked(in: context) }
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
    for table in tables where table.followed.isTouched {
      guard let count = try fill(table, limit, in: db) else { return .unknown }
      if count.all > 0 { touched.insert(table.name) }
      if count.former > 0 { withFormerRows.insert(table.name) }
    }
    guard !touched.isEmpty else { return .several([]) }
    guard let questions = questions(touched, withFormerRows) else { return .unknown }
    prepare(questions, in: context.reader)
    var answer = KeyAnswer(traits: key.map { reading.query.items[$0].trait })
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
      let conditions = positions.map { place in
        "\(plan.qualified(plan.keyColumns[place]).sql) IS ?"
      }
      let sql = keysOfRows + SQLFragment(conditions.joined(separator: " AND "))
      let statement = try RawStatement.cached(sql.sql, on: context.reader.db)
      for pattern in values {
        defer { statement.finish() }
        try statement.bindAll(sql.values + pattern)
        while try statement.step() {
          answer.insert(try statement.key(at: plan.keyColumns.indices))
          guard answer.count <= limit else { return false }
        }
      }
    }
    return true
  }

  // MARK: Touched rows

  /// Hands the touched rows of a table to SQLite; nil where not all of them are known, or there are
  /// too many.
  private func fill(
    _ table: Table, _ limit: Int, in db: Database
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

extension FollowedQuery.Table {
  fileprivate init(
    _ table: SelectReading.Table, watching recorder: CommitRecorder, in db: Database
  ) throws {
    let schema = table.schema
    let columns = schema.columns
    let read = Set(table.columns.map(\.name))
    let rowIDName = schema.rowIDColumn ?? schema.rowIDNames.first
    // No column is the row id, which has a name of its own.
    let isRowIDHidden = schema.rowIDColumn == nil && rowIDName != nil
    guard
      let keyColumns = rowIDName.map({ [$0] })
        ?? (schema.listing.isWithoutRowID ? schema.keyColumns : nil)
    else { throw SelectRefusal(schema.name, .table) }
    name = table.name
    isByRowID = rowIDName != nil
    followed = try FollowedTable(
      queried: schema.name,
      keyColumns: isRowIDHidden ? TableWatch.KeyInterest.rowIDs : keyColumns,
      columns: table.columns.map(\.name), watching: recorder, in: db)
    guard let rows = followed.recordedRows else { throw SelectRefusal(schema.name, .table) }
    recorded = columns.map { read.contains($0.name) ? rows.position(of: $0.name) : nil }
    positions = recorded.compactMap { $0 }
    shadow = try recorder.touchedTables.table(for: schema, in: db)
    let list = columns.map { read.contains($0.name) ? SQLName.quote($0.name) : "NULL" }
    // The row id's own names are not quoted: in quotes they might be texts.
    let condition = keyColumns.map {
      isRowIDHidden ? "\($0) = ?" : "\(SQLName.quote($0)) IS ?"
    }
    presentRow =
      "SELECT \(list.joined(separator: ", ")) FROM \(SQLName.table(schema.name)) "
      + "WHERE \(condition.joined(separator: " AND "))"
  }

  fileprivate func appendPresent(
    _ key: RowKey, _ statement: RawStatement, _ count: inout (all: Int, former: Int)
  ) throws {
    count.all += 1
    guard shadow.append(id: rowID(key), isFormer: false, column: { statement.column($0) }) else {
      throw StaleContents()
    }
  }

  fileprivate func appendFormer(
    _ key: RowKey, _ image: UnsafeBufferPointer<RawColumn>,
    _ count: inout (all: Int, former: Int)
  ) throws {
    count.all += 1
    count.former += 1
    let isAppended = shadow.append(id: rowID(key), isFormer: true) { column in
      recorded[column].map { image[$0] } ?? .null
    }
    guard isAppended else { throw StaleContents() }
  }

  private func rowID(_ key: RowKey) -> Int64 {
    if isByRowID, case .integer(let id) = key { id } else { 0 }
  }
}
