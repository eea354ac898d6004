import GRDB
import GRDBSQLite
import SectileCore

/// A plan made ready to run against one schema: its SQL, and how its order compares in Swift.
final class PlanQueries: Sendable {
  let plan: FetchPlan
  /// All rows in their complete order, with as few columns as the contents need.
  let keys: RowScan
  /// All rows in their complete order, with every column.
  let rows: RowScan
  /// One row by its key, if the filter wants it; every column.
  let row: PlanStatement
  /// So many rows by their keys, as far as the filter wants them; every column.
  ///
  /// A row takes half of the time that it takes by itself. Nil where more than one row may have a
  /// key, or a key more than one column.
  let batch: PlanStatement?
  /// The sort keys of one row by its key.
  let orderingOfRow: PlanStatement
  /// How rows compare; nil where the order uses a collation whose rule only SQLite knows, or where
  /// a row's place depends on what is in all others.
  let ordering: RowOrdering?
  /// Whether rows have to be sorted before there is a first one.
  let hasToSort: Bool
  /// Whether the whole table is gone through, also where few of its rows are wanted.
  let scansTable: Bool
  /// How what sections are ordered by compares; nil where that is their identity, or a rule that
  /// only SQLite knows.
  let sectionOrdering: RowOrdering?
  /// How to sort the rows of ``keys`` here; nil where they need not be sorted, and where SQLite has
  /// to.
  let sorting: Sorting?
  /// How to find the row before a row with an index; nil where there is none that serves.
  let predecessors: PredecessorQuery?
  /// How prefixes of sort keys are taken; nil where they would not decide, or may change unseen.
  let prefixRule: SortPrefixRule?
  /// What is worked out from the rows; nil where that is nothing.
  let aggregates: AggregateRules?
  /// What a section of a fixed list without rows is called, given its identity; nil for the
  /// identity itself.
  let titleOfEmptySection: SQLFragment?
  /// What of each row has to be remembered.
  let memory: RowMemory
  /// How to tell where a row stood by what it was; nil where that cannot be told, or nobody asks.
  let formerPlaces: FormerPlaces?

  /// How to tell whether a row asks the clock, by the word `now` in a column; nil where none can.
  let clockQuestions: ClockQuestions?

  /// How many rows ``batch`` reads.
  static let batchSize = 64

  /// Statements that select something where rows ask the clock.
  struct ClockQuestions: Sendable {
    let allRows: SQLFragment
    let row: PlanStatement
  }

  /// A statement that reads all rows, and where its columns are.
  struct RowScan: Sendable {
    let sql: SQLFragment
    let layout: PlanRowLayout

    func ofMember(_ value: StoredValue) -> RowScan {
      RowScan(sql: sql.ofMember(value), layout: layout)
    }
  }

  /// A statement that reads all rows in any order, and the order to bring them into.
  struct Sorting: Sendable {
    let rows: RowScan
    let ordering: RowOrdering
  }

  init(_ plan: FetchPlan, in db: Database) throws {
    let resolved = try Self.resolvingCollations(plan, in: db).groupingByBytes
    let sql = PlanSQL(resolved, rowsOfKey: try resolved.rowsOfKey(in: db))
    self.plan = resolved
    memory = try RowMemory(resolved, in: db)
    let layout = PlanRowLayout(
      resolved, withSort: memory.keepsOrder, withItems: memory.keepsContent)
    keys = RowScan(sql: sql.selectRows(layout), layout: layout)
    try plan.checkBoundValues(keys.sql.values.count, in: db)
    let steps = try QueryPlanStep.steps(of: keys.sql, in: db).flatMap(\.all)
    let sortedClauses = steps.compactMap(\.sortedClause)
    hasToSort = !sortedClauses.isEmpty
    scansTable =
      if plan.filter != nil, let table = plan.storedTable {
        steps.contains { $0.scans(table) }
      } else {
        false
      }
    rows = RowScan(sql: sql.selectRows, layout: sql.layout)
    // A batch binds its keys behind the values of the filter.
    try plan.checkBoundValues(
      max(rows.sql.values.count, sql.selectRow.values.count + Self.batchSize), in: db)
    predecessors = try PredecessorQuery.answered(for: sql, in: db)
    formerPlaces =
      plan.limit == nil && plan.offset == 0 ? nil : try FormerPlaces(sql, in: db)
    try Self.checkColumnCount(
      max(sql.layout.columnCount, plan.keyColumns.count + plan.itemColumns.count), of: plan, in: db)
    row = sql.selectRow
    batch = memory.isKeyRowID ? sql.selectRows(count: Self.batchSize) : nil
    orderingOfRow = sql.selectOrdering
    clockQuestions =
      if let allRows = sql.selectRowAskingClock, let row = sql.selectIfAskingClock {
        ClockQuestions(allRows: allRows, row: row)
      } else {
        nil
      }
    aggregates = try AggregateRules(sql, in: db)
    // SQLite says whether the title looks at nothing but what is known without a row.
    titleOfEmptySection = sql.selectTitleOfEmptySection.flatMap { query in
      (try? RawStatement.prepare(query.sql, on: db)) == nil ? nil : query
    }
    // In a database in UTF-16, SQLite compares the bytes of UTF-16.
    let isComparable = try Self.isUTF8(db) && !plan.dependsOnRanks
    ordering = try isComparable ? RowOrdering(sql.ordering, in: db) : nil
    // A fixed list says itself where its sections stand.
    let ordersSections = resolved.section.map { !$0.order.isEmpty && $0.fixedSections == nil }
    sectionOrdering =
      if ordersSections == true, let ordering {
        RowOrdering(terms: Array(ordering.terms.prefix(sql.layout.sectionOrder.count)))
      } else {
        nil
      }
    sorting = sortedClauses.contains("ORDER BY") ? Self.sorting(sql, memory, ordering) : nil
    prefixRule =
      if let ordering, !memory.keepsOrder {
        SortPrefixRule(ordering, sql.ordering, seeking: predecessors)
      } else {
        nil
      }
  }

  /// Creates those of a member of a family from those that all members share.
  ///
  /// - Parameters:
  ///   - shared: The plan of all members, made ready.
  ///   - value: The member's value.
  init(_ shared: PlanQueries, ofMember value: StoredValue) {
    plan = shared.plan.ofMember(value)
    keys = shared.keys.ofMember(value)
    rows = shared.rows.ofMember(value)
    row = shared.row.ofMember(value)
    batch = shared.batch?.ofMember(value)
    orderingOfRow = shared.orderingOfRow.ofMember(value)
    ordering = shared.ordering
    hasToSort = shared.hasToSort
    scansTable = shared.scansTable
    sectionOrdering = shared.sectionOrdering
    sorting = shared.sorting.map {
      Sorting(rows: $0.rows.ofMember(value), ordering: $0.ordering)
    }
    predecessors = shared.predecessors?.ofMember(value)
    prefixRule = shared.prefixRule
    aggregates = shared.aggregates
    titleOfEmptySection = shared.titleOfEmptySection?.ofMember(value)
    memory = shared.memory
    formerPlaces = shared.formerPlaces
    clockQuestions = shared.clockQuestions.map {
      ClockQuestions(allRows: $0.allRows.ofMember(value), row: $0.row.ofMember(value))
    }
  }

  private static func sorting(
    _ sql: PlanSQL, _ memory: RowMemory, _ ordering: RowOrdering?
  ) -> Sorting? {
    guard let ordering, ordering.isBuiltIn, sql.plan.limit == nil, sql.plan.offset == 0 else {
      return nil
    }
    let layout = PlanRowLayout(sql.plan, withItems: memory.keepsContent)
    return Sorting(
      rows: RowScan(sql: sql.selectUnsortedRows(layout), layout: layout), ordering: ordering)
  }

  /// Refuses a plan whose rows have more columns than SQLite reads at once: its items could not be
  /// read.
  private static func checkColumnCount(
    _ count: Int, of plan: FetchPlan, in db: Database
  ) throws(StoreError) {
    let limit = Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_COLUMN, -1))
    guard count > limit else { return }
    throw .invalidRequest(
      "A request for \(plan.table) reads \(count) columns of a row.",
      hint: "SQLite reads at most \(limit) at once: let the items have fewer columns.")
  }

  /// Where the columns of a row of ``rows`` or ``row`` are.
  var layout: PlanRowLayout { rows.layout }

  /// Whether only a part of the matching rows is shown.
  var isWindowed: Bool { plan.limit != nil || plan.offset > 0 }

  /// Why a commit is answered by fetching the window anew; nil where it is followed.
  var reasonToRefetchWindow: String? {
    guard isWindowed else { return nil }
    if plan.section?.fixedSections != nil {
      return "With a limit or an offset, fixed sections are those of the window as a whole."
    }
    if let aggregates,
      plan.aggregateScope != .shown || aggregates.rules.contains(where: \.isDistinct)
    {
      return
        "Aggregates of more rows than the window shows, and counts of different values in it, are worked out "
        + "anew."
    }
    guard plan.offset > 0, formerPlaces == nil else { return nil }
    return
      "With an offset, it has to be known where a row stood: rows are ordered by something else than columns "
      + "of \(plan.table) that items have."
  }

  /// Whether a commit is answered by fetching the window anew.
  var refetchesWindow: Bool { reasonToRefetchWindow != nil }

  /// Whether the rows next to a row are found by an index that has the whole order.
  var seeksEdges: Bool { formerPlaces != nil && predecessors != nil && !hasToSort }

  /// Whether rows may change that nobody wrote, since the SQL says something else at another time:
  /// of all rows, or of those that ask the clock.
  var changesUnwrittenRows: Bool {
    plan.reasonForUnwrittenChanges != nil || clockQuestions != nil
  }

  /// Whether rows may come into view that nobody wrote: from outside the window, because a table
  /// was written of which it is not known what it decides, or by themselves.
  var showsUntouchedRows: Bool {
    isWindowed || !plan.joins.isEmpty || changesUnwrittenRows
      || plan.dependencies.contains { $0.affected == .everything }
  }

  private static func isUTF8(_ db: Database) throws -> Bool {
    let statement = try RawStatement.cached("PRAGMA encoding", on: db)
    defer { statement.reset() }
    return try statement.step() && statement.columnValue(at: 0) == .text("UTF-8")
  }

  /// Returns a plan with every collation by which it compares written out.
  ///
  /// - Throws: What SQLite says of the plan.
  static func resolvingCollations(
    _ plan: FetchPlan, in db: Database
  ) throws -> FetchPlan {
    func resolved(_ term: FetchPlan.SortTerm) throws -> FetchPlan.SortTerm {
      guard term.collation == nil else { return term }
      var term = term
      term.collation = try plan.impliedCollation(of: term, in: db)
      return term
    }
    var result = plan.forgettingColumnsOfQuery()
    if plan.query == nil {
      result = try plan.resolvingCollations { try $0.declaredCollation(in: db) }
    }
    result.sort = try result.sort.map(resolved)
    if var section = result.section {
      section.identity = try resolved(section.identity)
      section.order = try section.order.map(resolved)
      section.areCollationsResolved = true
      result.section = section
    }
    // A place is a number.
    if plan.isByPlace { return result }
    guard try !plan.hasStoredRows(in: db) else { return try result.resolvingKey(on: db) }
    // The key of a view or a query may inherit a collation, under which two keys can be equal:
    // bytes tell them apart.
    let keys = try plan.keyColumns.map { try resolved(plan.keyTerm($0)) }
    return keys.contains { $0.collation != nil } ? result.orderingKeyByBytes(after: keys) : result
  }
}

extension FetchPlan {
  /// The plan with its sections told apart by bytes wherever SQLite cannot fold their identity.
  ///
  /// Under a collation written in Swift two different texts may be equal. Which of them the section
  /// would be called by is not defined, so they are two sections that stand side by side: the
  /// collation decides the order, the bytes who is who.
  var groupingByBytes: FetchPlan {
    guard var section, let collation = section.identity.collation,
      ![.binary, .nocase, .rtrim].contains(collation)
    else { return self }
    section.order.append(section.identity)
    section.identity.collation = .binary
    var plan = self
    plan.section = section
    return plan
  }
}

extension RowOrdering {
  /// Creates the rule of a plan's order; nil where a collation's rule is not known in Swift.
  init?(_ ordering: PlanOrdering, in db: Database) throws {
    var terms: [Term] = []
    for term in ordering.terms {
      let collation =
        try term.collation ?? term.column.flatMap {
          try $0.declaredCollation(in: db)
        } ?? .binary
      guard let rule = Rule(collation) else { return nil }
      terms.append(
        Term(
          isDescending: term.isDescending, hasNullsFirst: term.isNullFirst, collation: rule))
    }
    self.init(terms: terms)
  }
}
