internal import Sectile
internal import SectileInspecting

/// Which tables of a file live results can follow.
struct ReplayTables {
  /// Up to how many rows a table is checked without being named.
  ///
  /// All its rows are in memory twice.
  static let rowLimit = 200_000

  /// What to follow.
  private(set) var plans: [FetchPlan] = []
  /// The tables that cannot be followed, with the reason.
  private(set) var skipped: [CheckReport] = []

  /// Looks at all tables of the file.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  init(of store: Store) throws {
    let tables = try store.read { try TableListing.all(in: $0) }
    for name in tables.filter({ $0.kind != .view }).map(\.name) where !LogTables.isOwn(name) {
      do {
        let plan = try TableRequest(table: name).plan(in: store)
        if let count = try Self.excessiveCount(of: plan, in: store) {
          skip(name, "more than \(CountText.text(count, "row")); name it with --table to check it")
        } else {
          plans.append(plan)
        }
      } catch let error as RequestError {
        skip(name, error.message)
      } catch let error as StoreError {
        skip(name, error.message)
      }
    }
  }

  private mutating func skip(_ table: String, _ reason: String) {
    skipped.append(CheckReport(name: "replay", table: table, state: .skipped, summary: reason))
  }

  private static func excessiveCount(of plan: FetchPlan, in store: Store) throws -> Int? {
    var limited = plan
    limited.limit = rowLimit + 1
    let sql = PlanSQL(limited).selectCount
    let rows = try store.read { try $0.query(sql.sql, values: sql.values) }
    guard case .integer(let count)? = rows.first?.values[0], count > rowLimit else { return nil }
    return rowLimit
  }
}
