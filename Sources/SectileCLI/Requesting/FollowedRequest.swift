internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// A request as it is followed at a prompt: like the page of a server, by the row ids where a row
/// has NULL in the key that the table declares.
struct FollowedRequest {
  /// What is followed.
  let plan: FetchPlan
  /// What people are told of the key; nil where it is the one that they expect.
  let note: String?

  /// Makes a request ready.
  ///
  /// - Throws: As ``TableRequest/plan(in:withoutKey:)``.
  init(_ request: TableRequest, in store: Store) throws {
    let rowID = try store.read { try Self.rowID(of: request, $0) }
    var followed = request
    if let rowID { followed.keys = [rowID] }
    let plan = try followed.plan(in: store, withoutKey: .rowIDsAndPlacesOfViews)
    self.plan = plan
    note = rowID.map { name in
      "Note: a row of \(TerminalText.escaped(plan.table)) has a NULL in its key: rows are told "
        + "apart by \(name), which holds until the file is vacuumed. --key names other columns."
    }
  }

  /// Writes a note to standard error; nothing where there is none.
  static func tell(_ note: String?) throws {
    guard let note else { return }
    let errors = Output.standardError()
    try errors.line(note)
    try errors.flush()
  }

  /// What the row id is called, where a row that is asked for has NULL in its declared key and
  /// nobody has named another.
  private static func rowID(
    of request: TableRequest, _ transaction: StoreReadTransaction
  ) throws -> String? {
    guard request.query == nil, request.keys.isEmpty,
      let schema = try TableSchema(of: request.table, in: transaction),
      let rowID = schema.rowIDNames.first
    else { return nil }
    let nullable = schema.columns.filter { column in
      column.keyPosition > 0 && !column.isNotNull && column.name != schema.rowIDColumn
    }
    if nullable.isEmpty { return nil }
    let condition = nullable.map { "\(SQLName.quote($0.name)) IS NULL" }.joined(separator: " OR ")
    let filter = SQLFragment(request.filter ?? "1").inParentheses.sql
    let rows = "FROM \(SQLName.table(schema.name)) WHERE (\(condition)) AND \(filter)"
    do {
      let found = try transaction.query("SELECT EXISTS (SELECT 1 \(rows))")
      return found.first?.values.first == .integer(1) ? rowID : nil
    } catch {
      // What is wrong with a condition is said where its rows are read.
      guard error.code == .statementFailed else { throw error }
      return nil
    }
  }
}
