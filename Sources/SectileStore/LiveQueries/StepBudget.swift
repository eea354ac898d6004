import GRDB
import GRDBSQLite

/// So many steps of SQLite's machine may be taken for questions.
///
/// Conditions are left out of a question, and where no other joins its tables, it is a product of
/// them: comparing all rows takes less time then.
final class StepBudget {
  /// After so many steps SQLite asks whether to go on: a few microseconds.
  private static let stride = 1_000
  /// What questions may take of the steps that reading all rows takes, a row.
  private static let stepsOfRow = 20
  private static let least = 400_000

  /// Changed while a statement runs, on its thread.
  private var remaining: Int

  /// Whether a question was ended for it.
  var isSpent: Bool { remaining < 0 }

  /// - Parameter rowCount: How many rows reading everything would read.
  init(for rowCount: Int) { remaining = max(Self.least, rowCount * Self.stepsOfRow) }

  /// Calls a closure whose statements fail, as interrupted, when the steps are used up.
  ///
  /// The connection's progress handler is taken for it, and there is none afterwards.
  func limit<Result>(_ db: Database, _ body: () throws -> Result) rethrows -> Result {
    let connection = db.sqliteConnection
    sqlite3_progress_handler(
      connection, Int32(Self.stride),
      { budget in
        guard let budget else { return 0 }
        let own = Unmanaged<StepBudget>.fromOpaque(budget).takeUnretainedValue()
        own.remaining -= StepBudget.stride
        return own.isSpent ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    return try body()
  }
}
