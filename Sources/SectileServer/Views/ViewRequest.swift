#if Server
  internal import SectileInspecting

  /// What a client wants to see; two that are equal share a view.
  enum ViewRequest: Hashable, Sendable {
    /// Rows of any table or SELECT, said in text.
    case table(TableRequest)
    /// A request that the service has chosen, by its name.
    case named(String)
  }

  extension ViewRequest {
    /// The parameters that say what is wanted.
    static let tableParameters = [
      "table", "sql", "section-by", "sort", "where", "limit", "key", "aggregate", "column",
    ]

    /// Reads the request for rows of any table or SELECT; nil where neither is named.
    ///
    /// - Parameter parameters: The parameters of a request.
    /// - Throws: ``Refusal`` and `RequestError` for what makes no sense.
    init?(anyTable parameters: QueryParameters) throws {
      if let name = try parameters.one("view") {
        throw Refusal(
          .notFound, "there is no view '\(name)'", hint: "Name a table: table=NAME.")
      }
      let sql = try parameters.one("sql")
      // A form with both fields sends the other one, too.
      let table = try sql == nil ? parameters.tableName("table") : parameters.one("table")
      var request: TableRequest
      switch (table, sql) {
      case (let table?, nil): request = TableRequest(table: table)
      case (nil, let sql?): request = TableRequest(sql: sql)
      case (_?, _?):
        throw Refusal(
          .badRequest, "'table' and 'sql' exclude each other", hint: "Leave one of them out.")
      case (nil, nil):
        let stray = Self.tableParameters.first { !parameters.all($0).isEmpty }
        if let stray {
          throw Refusal(
            .badRequest, "'\(stray)' is given without a table",
            hint: "Add table=NAME, or sql=SELECT ….")
        }
        return nil
      }
      request.limit = try parameters.one("limit").map { text throws(Refusal) in
        guard let limit = Int(text), limit >= 0 else {
          throw Refusal(.badLimit, "'\(text)' is no number of rows", hint: "Give 0 or more.")
        }
        return limit
      }
      request.sectionBy = try parameters.one("section-by")
      request.sorts = try parameters.all("sort").filter { !$0.isEmpty }.map {
        try SortArgument(reading: $0)
      }
      request.filter = try parameters.one("where")
      request.keys = parameters.all("key").filter { !$0.isEmpty }
      request.aggregates = try parameters.all("aggregate").filter { !$0.isEmpty }.map {
        try AggregateArgument(reading: $0)
      }
      request.columns = parameters.all("column").filter { !$0.isEmpty }
      self = .table(request)
    }

    /// Reads the request for one of the views that the service has chosen; nil where none is named.
    ///
    /// - Parameters:
    ///   - names: The names of the views there are.
    ///   - parameters: The parameters of a request.
    /// - Throws: ``Refusal`` for a name that there is not, and for parameters that only other
    ///   servers have.
    init?(oneOf names: Set<String>, in parameters: QueryParameters) throws {
      let stray = Self.tableParameters.first { !parameters.all($0).isEmpty }
      if let stray {
        throw Refusal(
          .forbidden, "'\(stray)' cannot be chosen here", hint: "Name a view: view=NAME.")
      }
      guard let name = try parameters.one("view") else { return nil }
      guard names.contains(name) else {
        throw Refusal(.notFound, "there is no view '\(name)'")
      }
      self = .named(name)
    }
  }
#endif
