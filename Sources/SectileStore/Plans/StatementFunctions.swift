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
  /// What, as the first modifier, makes a time that is no number none at all.
  private static let unitsOfNumbers: Set<String> = ["unixepoch", "julianday"]

  /// Returns a condition that holds for a row where one of some values is a word by which a
  /// function of time asks the clock or the zone.
  ///
  /// - Parameter values: The values, as SQL; at least one.
  /// - Returns: The condition.
  static func condition(asking values: [String]) -> String {
    let words = wordsOfNow.union(precisionsOfNow).sorted().map { "'\($0)'" }
      .joined(separator: ", ")
    // As those functions do, printf takes bytes for text, up to the first NUL.
    return values.map { "printf('%s', \($0)) COLLATE NOCASE IN (\(words))" }
      .joined(separator: " OR ")
  }

  private struct Function: Hashable {
    let name: String
    /// As SQLite says it: -1 where it takes any number.
    let argumentCount: Int64
    /// Whether SQLite has it fail instead of asking the clock, as in a generated column.
    let isPure: Bool
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
          argumentCount: parts.last.flatMap { Int64($0.dropLast()) } ?? -1,
          isPure: opcode == "PureFunc"))
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
        if function.isPure { continue }
        guard
          namesNow || function.name.hasPrefix("current_") || asksTheClock(function.name)
            || valuesOfTime(handedTo: function.name) == nil
        else { continue }
        return Self.reason(naming: function.name)
      }
      guard try !Self.isDeterministic(function, in: db) else { continue }
      return """
        What \(function.name)() says may be something else the next time, so rows change that nobody writes: \
        each commit fetches all of them again.
        """
    }
    return nil
  }

  /// Why rows change that nobody writes.
  static func reason(naming function: String) -> String {
    """
    What \(function)() says here depends on the clock or the time zone, so rows change that nobody \
    writes: each commit fetches all of them again.
    """
  }

  /// Whether a function of time stands in the text without a time: then it means the time there is.
  private func asksTheClock(_ name: String) -> Bool {
    calls(of: name).contains { arguments in
      guard let first = arguments.first.map(Self.withoutSpace), !first.isEmpty else { return true }
      return Self.text(of: first).map(Self.precisionsOfNow.contains) ?? false
    }
  }

  /// A function of time that rows hand something to, and what they hand to all such functions, as
  /// SQL; nil where there is nothing.
  ///
  /// Where that is the word `now`, the row changes though nobody writes it.
  ///
  /// - Precondition: There is no ``reasonForOtherValues(in:)``.
  var valuesOfTime: (function: String, values: [String])? {
    var name: String?
    var values: [String] = []
    for function in functions.sorted(by: { $0.name < $1.name })
    where !function.isPure && Self.functionsOfTime.contains(function.name) {
      let found = valuesOfTime(handedTo: function.name) ?? []
      for value in found where !values.contains(value) { values.append(value) }
      if !found.isEmpty { name = name ?? function.name }
    }
    return name.map { ($0, values) }
  }

  /// What rows hand to a function of time, as SQL; nil where the text does not tell: where it is
  /// another one, of a view, and where the value has a meaning in its own place only.
  private func valuesOfTime(handedTo name: String) -> [String]? {
    let calls = calls(of: name)
    guard !calls.isEmpty else { return nil }
    var values: [String] = []
    let hasSeveralStatements = hasSeveralStatements
    for arguments in calls {
      let meanings = arguments.map(Self.withoutSpace)
      let isNumber =
        name != "timediff" && meanings.count > 1
        && Self.text(of: meanings[1]).map(Self.unitsOfNumbers.contains) ?? false
      for position in meanings.indices.dropFirst(isNumber ? 1 : 0)
      where !Self.isConstant(meanings[position]) {
        guard !hasSeveralStatements, !meanings[position].contains(where: { $0.isSign("?") }) else {
          return nil
        }
        values.append(SQLPiece.text(of: arguments[position]))
      }
    }
    return values
  }

  /// Whether there is a statement inside of the statement, in which names mean something else.
  private var hasSeveralStatements: Bool {
    pieces.count { $0.isWord("SELECT") } > 1
  }

  private var pieces: [SQLPiece] { SQLPiece.pieces(of: sql) }

  /// The times and modifiers of each call of a function of time in the text.
  private func calls(of name: String) -> [[ArraySlice<SQLPiece>]] {
    let pieces = pieces
    return pieces.indices.compactMap { start in
      guard pieces[start].isName(name),
        pieces[(start + 1)...].first(where: { $0.kind != .space })?.isSign("(") == true,
        let arguments = SQLPiece.list(in: pieces[start...])?.parts
      else { return nil }
      // Before them stands the form of what comes out.
      return name == "strftime" ? Array(arguments.dropFirst()) : arguments
    }
  }

  private static func withoutSpace(_ pieces: ArraySlice<SQLPiece>) -> [SQLPiece] {
    pieces.filter { $0.kind != .space }
  }

  /// The text, in lower case, that an argument is; nil where it is none.
  private static func text(of argument: [SQLPiece]) -> String? {
    guard argument.count == 1, argument[0].kind == .text else { return nil }
    return argument[0].name?.lowercased()
  }

  /// Whether an argument is a text, a number or a bound value.
  private static func isConstant(_ argument: [SQLPiece]) -> Bool {
    guard argument.count == 1 else { return false }
    let piece = argument[0]
    return piece.kind == .text || piece.isSign("?")
      || piece.kind == .word && piece.text.first?.isNumber == true
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
