#if Server
  internal import Sectile
  internal import SectileInspecting

  /// Checks that what a client wrote is one SELECT, and one SQL expression in each place, which
  /// only read.
  ///
  /// The expressions are compiled on a connection whose authorizer knows what reading is. What
  /// breaks out of its place, as `1) UNION SELECT (2`, is refused before, by its parentheses:
  /// SQLite would compile it.
  struct SQLCheck {
    /// How many bytes an expression may have.
    static let lengthLimit = 8 * 1024

    private let source: FileSource

    init(_ source: FileSource) { self.source = source }

    /// Checks the expressions of a request.
    ///
    /// - Throws: ``Refusal``, `RequestError` and `StoreError`.
    func check(_ request: TableRequest) throws {
      let connection = try source.inspection()
      // The name of a column is quoted, whatever stands in it; all other texts are SQL.
      let shape = try? (request.query == nil ? request.shape(on: connection) : nil)
      let terms = request.sorts.map(\.expression) + [request.sectionBy].compactMap { $0 }
      var expressions = terms.filter { term in
        shape?.column(named: term) == nil || SortArgument(argument: term)?.expression != term
      }
      expressions += [request.filter].compactMap { $0 }
      expressions += request.aggregates.compactMap(\.condition)
      for expression in expressions { try Self.checkShape(of: expression) }
      if let select = try request.query?.makeSelect() {
        // Whether it is one SELECT is asked of SQLite.
        guard select.sql.utf8.count <= Self.lengthLimit else {
          throw Refusal(.badExpression, "the SELECT has more than \(Self.lengthLimit) bytes")
        }
      }
      for collation in request.sorts.compactMap(\.collation) {
        guard collation.utf8.allSatisfy({ Self.isWordByte($0) }) else {
          throw Refusal(.badSort, "'\(collation)' is no collation", hint: "NOCASE is one.")
        }
      }
      // Compiling reads nothing but for what the collation of a section is found by.
      let end = ContinuousClock.now + source.limits.queryTime
      connection.setProgress(every: 100_000) { .now < end }
      var rest = request
      // What is worked out is checked by its parts.
      rest.aggregates = []
      _ = try SectionedQuery(rest, on: connection)
      for condition in request.aggregates.compactMap(\.condition) {
        rest.filter = condition
        _ = try SectionedQuery(rest, on: connection)
      }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }

    /// Refuses a text that is not one expression, as far as its parentheses and ends say.
    ///
    /// - Throws: ``Refusal``.
    static func checkShape(of expression: String) throws(Refusal) {
      guard expression.utf8.count <= lengthLimit else {
        throw Refusal(.badExpression, "an expression has more than \(lengthLimit) bytes")
      }
      guard SQLShape(of: expression).isOneExpression else {
        throw Refusal(
          .badExpression, "'\(expression.prefix(200))' is not one expression",
          hint: "Close what is opened in it, and leave semicolons out.")
      }
    }
  }

  /// How a text of SQL is nested, outside of its strings, names in quotes, and comments.
  struct SQLShape: Hashable {
    /// Whether what stands in parentheses stays in them, and nothing is left open.
    let isOneExpression: Bool

    init(of sql: String) {
      var depth = 0
      var rest = sql.utf8[...]
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "("): depth += 1
        case UInt8(ascii: ")"):
          depth -= 1
          if depth < 0 {
            isOneExpression = false
            return
          }
        case UInt8(ascii: ";"):
          isOneExpression = false
          return
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
          // Doubled, it stands for itself: the next string begins at once.
          guard Self.skip(to: byte, in: &rest) else {
            isOneExpression = false
            return
          }
        case UInt8(ascii: "["):
          guard Self.skip(to: UInt8(ascii: "]"), in: &rest) else {
            isOneExpression = false
            return
          }
        case UInt8(ascii: "-") where rest.first == UInt8(ascii: "-"):
          // A comment without an end goes to that of the text, behind which a line is begun.
          _ = Self.skip(to: UInt8(ascii: "\n"), in: &rest)
        case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
          guard Self.skipComment(in: &rest) else {
            isOneExpression = false
            return
          }
        default: break
        }
      }
      isOneExpression = depth == 0
    }

    private static func skip(to end: UInt8, in rest: inout Substring.UTF8View) -> Bool {
      while let byte = rest.popFirst() { if byte == end { return true } }
      return false
    }

    private static func skipComment(in rest: inout Substring.UTF8View) -> Bool {
      rest.removeFirst()
      var last: UInt8 = 0
      while let byte = rest.popFirst() {
        if last == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { return true }
        last = byte
      }
      return false
    }
  }
#endif
