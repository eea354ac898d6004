import GRDB
import GRDBSQLite
import SectileCore

/// A plan made ready to run against one schema: its SQL, and how its order compares in Swift.
struct PlanQueries: Sendable {
  let plan: FetchPlan
  let layout: PlanRowLayout
  /// All rows in their complete order.
  let rows: SQLFragment
  /// One row by its key, if the filter wants it.
  let row: PlanStatement
  /// The sort keys of one row by its key.
  let orderingOfRow: PlanStatement
  /// Where the values of the complete order stand in a row of ``rows`` or ``row``.
  let orderingColumns: [Int]
  /// How rows compare; nil where the order uses a collation whose rule only SQLite knows.
  let ordering: RowOrdering?

  init(_ plan: FetchPlan, in db: Database) throws {
    let resolved = try Self.resolvingCollations(plan, in: db).groupingByBytes
    let sql = PlanSQL(resolved)
    self.plan = resolved
    layout = sql.layout
    rows = sql.selectRows
    row = sql.selectRow
    orderingOfRow = sql.selectOrdering
    orderingColumns =
      Array(layout.sectionOrder) + (layout.identity.map { [$0] } ?? []) + Array(layout.sort)
      + Array(layout.key)
    // In a database in UTF-16, SQLite compares the bytes of UTF-16.
    ordering = try Self.isUTF8(db) ? RowOrdering(sql.ordering, in: db) : nil
  }

  /// Whether only a part of the matching rows is shown.
  var isWindowed: Bool { plan.limit != nil || plan.offset > 0 }

  private static func isUTF8(_ db: Database) throws -> Bool {
    let statement = try RawStatement.cached("PRAGMA encoding", on: db)
    defer { statement.reset() }
    return try statement.step() && statement.columnValue(at: 0) == .text("UTF-8")
  }

  private static func resolvingCollations(
    _ plan: FetchPlan, in db: Database
  ) throws -> FetchPlan {
    func resolved(_ term: PlanSortTerm) throws -> PlanSortTerm {
      guard term.collation == nil else { return term }
      var term = term
      term.collation = try plan.impliedCollation(of: term, in: db)
      return term
    }
    var result = try plan.resolvingCollations { try declaredCollation(of: $0, in: db) }
    result.sort = try result.sort.map(resolved)
    if var section = result.section {
      section.identity = try resolved(section.identity)
      section.order = try section.order.map(resolved)
      result.section = section
    }
    return result
  }

  /// Returns the collation a column declares, or nil for `BINARY` and for what is no table's column.
  fileprivate static func declaredCollation(
    of column: PlanColumn, in db: Database
  ) throws -> TextCollation? {
    guard let connection = db.sqliteConnection else { return nil }
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection, "main", column.table, column.name, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    switch String(cString: name).uppercased() {
    case "BINARY": return nil
    case "NOCASE": return .nocase
    case "RTRIM": return .rtrim
    default: return TextCollation(named: String(cString: name))
    }
  }
}

extension FetchPlan {
  /// The plan with its sections told apart by bytes wherever SQLite cannot fold their identity.
  ///
  /// Under a collation written in Swift two different texts may be equal. Which of them the section
  /// would be called by is not defined, so they are two sections that stand side by side: the
  /// collation decides the order, the bytes who is who.
  fileprivate var groupingByBytes: FetchPlan {
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
          try PlanQueries.declaredCollation(of: $0, in: db)
        } ?? .binary
      guard let rule = Rule(collation) else { return nil }
      terms.append(
        Term(
          isDescending: term.isDescending, hasNullsFirst: term.isNullFirst, collation: rule))
    }
    self.init(terms: terms)
  }
}

extension RowOrdering.Rule {
  fileprivate init?(_ collation: TextCollation) {
    switch collation {
    case .binary: self = .binary
    case .nocase: self = .nocase
    case .rtrim: self = .rtrim
    default:
      guard let compare = collation.compare else { return nil }
      self = .custom(compare)
    }
  }
}
