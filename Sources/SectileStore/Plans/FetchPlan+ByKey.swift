import GRDB
import SectileCore

extension FetchPlan {
  private static let ownCollations: Set<String> = ["", "B", "BINARY", "NOCASE", "RTRIM"]

  /// Tells why changes of the contents cannot be told by the keys of touched rows; nil where they
  /// can.
  ///
  /// They can where it follows from a row's own columns, the same in every process, whether it is
  /// there, in which section, and where.
  ///
  /// - Parameter db: The database.
  /// - Returns: A sentence.
  /// - Throws: A ``StoreError`` where SQLite does not accept the plan.
  func reasonAgainstKeys(in db: Database) throws -> String? {
    if limit != nil || offset > 0 {
      return "With a limit or an offset, a row that leaves makes room for one that nobody touched."
    }
    guard joins.isEmpty, try followingWhatItReads(in: db).dependencies.isEmpty else {
      return "It reads other tables than \(table)."
    }
    guard try storedTable.flatMap({ try TableListing(of: $0, in: db) })?.kind == .table else {
      return "\(table) is no table."
    }
    let query = PlanSQL(self).selectRows
    let statement = try RawStatement.prepare("EXPLAIN \(query.sql)", on: db)
    try statement.bindAll(query.values)
    while try statement.step() {
      guard case .text(let operation) = try statement.columnValue(at: 1),
        case .text(let argument) = try statement.columnValue(at: 5)
      else { continue }
      if operation.hasSuffix("Function") || operation.hasSuffix("PureFunc") {
        let name = String(argument.prefix { $0 != "(" })
        if try !Self.isTheSameEverywhere(function: name, in: db) {
          return "What \(name)() returns may be another value elsewhere, or later."
        }
      } else if let collation = Self.foreignCollation(in: argument) {
        return "The collation \(collation) is not SQLite's own."
      }
    }
    return nil
  }

  private static func isTheSameEverywhere(function name: String, in db: Database) throws -> Bool {
    // Of a time that a row has, too: the zones of two processes may be others.
    guard !StatementFunctions.functionsOfTime.contains(name.lowercased()) else { return false }
    // SQLITE_DETERMINISTIC is 0x800.
    let rows = try db.schemaRows(
      """
      SELECT 1 FROM pragma_function_list WHERE name = ? COLLATE NOCASE
      GROUP BY name HAVING min(builtin AND flags & 0x800)
      """, [.text(name)])
    return !rows.isEmpty
  }

  /// A collation that a program of SQLite's names, as `k(2,B,NOCASE)` or `NOCASE-8`.
  private static func foreignCollation(in argument: String) -> String? {
    var names: [Substring] = []
    if argument.hasPrefix("k("), argument.hasSuffix(")") {
      names = argument.dropFirst(2).dropLast().split(
        separator: ",", omittingEmptySubsequences: false
      )
      .dropFirst().map { $0.hasPrefix("-") ? $0.dropFirst() : $0 }
      .map { $0.hasPrefix("N.") ? $0.dropFirst(2) : $0 }
    } else if argument.hasSuffix("-8") || argument.hasSuffix("-16le") {
      names = [argument[..<(argument.lastIndex(of: "-") ?? argument.endIndex)]]
    }
    return names.first { !ownCollations.contains($0.uppercased()) }.map(String.init)
  }

  /// A number for what is asked for, the same in every process: columns, filter with its values,
  /// order, collations and sections.
  var requestNumber: UInt64 {
    let query = PlanSQL(self).selectRows
    var parts = [table, "\(keyColumns)", "\(itemColumns)", query.sql]
    parts += query.values.map { "\($0)" }
    if let fixed = section?.fixedSections { parts.append("\(fixed)") }
    parts += aggregates.map { "\($0)" } + ["\(aggregateScope)"]
    parts.append("\(comparesKeyByBytes)")
    let bytes = Array(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
    return bytes.withUnsafeBytes { WyHash.hash($0, seed: 1) }
  }
}
