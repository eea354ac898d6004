import GRDB
import SectileCore

/// The functions that a statement calls, as SQLite's own program for it tells.
struct StatementFunctions {
  /// Functions whose result may depend on the clock or the time zone, though SQLite counts most of
  /// them among those that always say the same.
  static let functionsOfTime: Set<String> = [
    "date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff",
    "current_date", "current_time", "current_timestamp",
  ]

  /// What makes a function of time depend on the clock or the zone, wherever it stands among the
  /// arguments.
  private static let wordsOfNow: Set<String> = ["now", "localtime", "utc"]
  /// What, as the only argument, means the time there is.
  private static let precisionsOfNow: Set<String> = ["subsec", "subsecond"]

  private struct Function: Hashable {
    let name: String
    /// As SQLite says it: -1 where it takes any number.
    let argumentCount: Int64
  }

  private let sql: String
  private var functions: Set<Function> = []
  private var namesNow: Bool

  /// Begins with a statement of which no instruction was looked at.
  init(_ statement: SQLFragment) {
    sql = statement.sql
    namesNow = statement.values.contains(where: Self.namesNow)
  }

  /// Takes note of an instruction.
  ///
  /// - Parameters:
  ///   - opcode: What it does.
  ///   - argument: Its fourth operand.
  mutating func note(_ opcode: StoredValue, _ argument: StoredValue) {
    guard case .text(let opcode) = opcode, case .text(let text) = argument else { return }
    switch opcode {
    case "Function", "PureFunc":
      // `strftime(-1)`
      let parts = text.split(separator: "(", maxSplits: 1)
      functions.insert(
        Function(
          name: parts.first.map { $0.lowercased() } ?? "",
          argumentCount: parts.last.flatMap { Int64($0.dropLast()) } ?? -1))
    case "String8", "String": namesNow = namesNow || Self.namesNow(argument)
    default: break
    }
  }

  private static func namesNow(_ value: StoredValue) -> Bool {
    guard case .text(let text) = value else { return false }
    return wordsOfNow.contains(text.lowercased())
  }

  /// Tells why the statement may say something else about rows that nobody wrote; nil where it
  /// cannot.
  ///
  /// - Parameter db: The connection.
  /// - Returns: A sentence or two.
  /// - Throws: What reading the list of functions throws.
  func reasonForOtherValues(in db: Database) throws(StoreError) -> String? {
    for function in functions.sorted(by: { $0.name < $1.name }) {
      if Self.functionsOfTime.contains(function.name) {
        guard namesNow || function.name.hasPrefix("current_") || asksTheClock(function.name)
        else { continue }
        return """
          What \(function.name)() says here depends on the clock or the time zone, so rows change that nobody \
          writes: each commit fetches all of them again.
          """
      }
      guard try !Self.isDeterministic(function, in: db) else { continue }
      return """
        What \(function.name)() says may be something else the next time, so rows change that nobody writes: \
        each commit fetches all of them again.
        """
    }
    return nil
  }

  /// Whether a function of time stands in the text without a time: then it means the time there is.
  private func asksTheClock(_ name: String) -> Bool {
    let pieces = SQLPiece.pieces(of: sql).filter { $0.kind != .space }
    return pieces.indices.contains { start in
      guard pieces[start].isName(name), start + 1 < pieces.count, pieces[start + 1].isSign("("),
        let arguments = SQLPiece.list(in: pieces[start...])?.parts
      else { return false }
      let values = name == "strftime" ? arguments.dropFirst() : arguments[...]
      guard let first = values.first, !first.isEmpty else { return true }
      return first.count == 1 && first.first?.kind == .text
        && Self.precisionsOfNow.contains(first.first?.name?.lowercased() ?? "")
    }
  }

  private static func isDeterministic(
    _ function: Function, in db: Database
  ) throws(StoreError) -> Bool {
    // SQLITE_DETERMINISTIC is 0x800.
    let rows = try db.schemaRows(
      """
      SELECT 1 FROM pragma_function_list WHERE name = ? COLLATE NOCASE AND narg = ?
      GROUP BY name HAVING min(flags & 0x800)
      """, [.text(function.name), .integer(function.argumentCount)])
    return !rows.isEmpty
  }
}
