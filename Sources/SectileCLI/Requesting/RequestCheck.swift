internal import Sectile
internal import SectileInspecting

/// Has SQLite look at a request before anything is told of it.
enum RequestCheck {
  /// Looks whether a request makes sense.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - file: The file's path.
  ///   - opening: How it is opened.
  /// - Throws: ``CommandFailure`` for SQL that SQLite refuses, with what a name may have meant;
  ///   ``RequestError``; ``StoreError``.
  static func check(
    _ request: TableRequest, in file: String, _ opening: OpeningOptions
  ) throws {
    let connection = try opening.connection(to: file)
    _ = try query(request, aggregates: request.aggregates.map(\.text), on: connection)
  }

  /// Composes the statements of a request; see ``SectionedQuery/init(_:aggregates:on:)``.
  ///
  /// - Throws: As ``check(_:in:_:)``.
  static func query(
    _ request: TableRequest, aggregates: [String] = [], on connection: InspectionConnection
  ) throws -> SectionedQuery {
    do {
      return try SectionedQuery(request, aggregates: aggregates, on: connection)
    } catch let error as StoreError where error.code == .statementFailed {
      // The SQL around the person's own is nothing to look at.
      throw CommandFailure(.data, error.plainText, hint: hint(for: error, request, connection))
    }
  }

  private static func hint(
    for error: StoreError, _ request: TableRequest, _ connection: InspectionConnection
  ) -> String {
    // Nobody has written SQL that could be mistaken: the schema itself names what is not there.
    guard request.query != nil || request.hasExpressions else {
      return "\(request.table) needs what only the program that made the file has, or what is gone "
        + "from the file; other tables and views can be read."
    }
    if let hint = error.schemaHint { return hint }
    let names = SchemaNames(connection)
    let message = error.plainText
    let suggestion = names.suggestion(for: message).map { "Did you mean \($0)?" }
    let columns: [String]
    if request.query == nil {
      columns = names.columns(of: [request.table])
    } else if let shape = try? request.shape(on: connection) {
      columns = shape.columns
    } else {
      return suggestion ?? "Look at what --sql says."
    }
    guard message.hasPrefix("no such column: ") else {
      return suggestion ?? "Look at what --where, --sort, --section-by and --aggregate say."
    }
    let name = message.split(whereSeparator: { $0 == " " || $0 == "." }).last.map(String.init) ?? ""
    let meant = Spelling.question(for: name, in: columns)
    let owner = request.query == nil ? request.table : "the query"
    return meant + "The columns of \(owner) are: \(columns.joined(separator: ", "))."
  }
}

extension TableRequest {
  /// Whether somebody has written SQL into it besides a whole query.
  fileprivate var hasExpressions: Bool {
    filter != nil || sectionBy != nil || !sorts.isEmpty || !aggregates.isEmpty
  }
}
