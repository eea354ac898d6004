import Foundation
import GRDB
import SectileCore
import SectileStore

/// What aggregates of rows come to, worked out by SQLite from the values alone: it shares nothing
/// with the engine but the rules.
///
/// SQLite adds up without rounding as long as all values are multiples of a quarter, and small.
enum AggregateOracle {
  private static let connection: DatabaseQueue = {
    do { return try DatabaseQueue() } catch { fatalError("no database in memory: \(error)") }
  }()

  /// Returns the aggregates of rows.
  ///
  /// - Parameters:
  ///   - plan: The plan that asks for them.
  ///   - rows: The values of the plan's item columns.
  ///   - foldedColumns: The columns that are declared NOCASE.
  /// - Returns: The aggregates.
  /// - Throws: What SQLite throws.
  static func values(
    of plan: FetchPlan, _ rows: [[StoredValue]], foldedColumns: Set<String>
  ) throws -> AggregateValues {
    guard !plan.aggregates.isEmpty else { return .empty }
    let row = try connection.inDatabase { db in
      let columns = plan.itemColumns.map { "\"\($0)\"" }.joined(separator: ", ")
      let marks = "(\(plan.itemColumns.map { _ in "?" }.joined(separator: ", ")))"
      let list =
        rows.isEmpty
        ? "SELECT \(plan.itemColumns.map { _ in "NULL" }.joined(separator: ", ")) LIMIT 0"
        : "VALUES \(rows.map { _ in marks }.joined(separator: ", "))"
      let expressions = plan.aggregates.map { expression($0.function, foldedColumns) }
      var arguments = rows.flatMap(\.self).map(\.databaseValue)
      for case .conditionCount(let condition) in plan.aggregates.map(\.function) {
        arguments += condition.values.map(\.databaseValue)
      }
      return try Row.fetchOne(
        db,
        sql: """
          WITH item(\(columns)) AS (\(list))
          SELECT \(expressions.joined(separator: ", ")) FROM item
          """, arguments: StatementArguments(arguments))
    }
    let values = plan.aggregates.indices.map { position in
      row.map { DatabaseValue.fromDatabaseValue($0[position]) ?? .null }?.storedValue ?? .null
    }
    return AggregateValues(
      AggregateValues.Storage(names: plan.aggregates.map(\.name), values: values))
  }

  private static func expression(
    _ function: FetchPlan.Aggregate.Function, _ foldedColumns: Set<String>
  ) -> String {
    let column = function.column.map { "\"\($0)\"" } ?? "*"
    let folding = function.column.map(foldedColumns.contains) == true ? " COLLATE NOCASE" : ""
    func extreme(_ order: String) -> String {
      """
      (SELECT \(column) FROM item WHERE \(column) IS NOT NULL
       ORDER BY \(column)\(order), typeof(\(column)) = 'real', CAST(\(column) AS BLOB) LIMIT 1)
      """
    }
    return switch function {
    case .rowCount, .valueCount: "count(\(column))"
    case .conditionCount(let condition): "count(*) FILTER (WHERE \(condition.sql))"
    case .distinctCount: "count(DISTINCT \(column)\(folding))"
    case .sum: "sum(\(column))"
    case .average: "avg(\(column))"
    case .minimum: extreme(folding)
    case .maximum: extreme("\(folding) DESC")
    }
  }
}

extension StoredValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): integer.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }
}

extension DatabaseValue {
  fileprivate var storedValue: StoredValue {
    switch storage {
    case .null: .null
    case .int64(let integer): .integer(integer)
    case .double(let real): .real(real)
    case .string(let text): .text(text)
    case .blob(let data): .blob([UInt8](data))
    }
  }
}
