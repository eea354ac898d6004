#if Server
  internal import SectileInspecting

  /// What a client wants to see; two that are equal share a view.
  enum ViewRequest: Hashable, Sendable {
    /// Rows of any table, said in text.
    case table(TableRequest)
    /// A request that the service has chosen, by its name.
    case named(String)
  }

  extension ViewRequest {
    /// The parameters that say what is wanted.
    static let tableParameters = [
      "table", "section-by", "sort", "where", "limit", "key", "aggregate", "column",
    ]

    /// Reads the request for rows of any table; nil where no table is named.
    ///
    /// - Parameter parameters: The parameters of a request.
    /// - Throws: ``Refusal`` and `RequestError` for what makes no sense.
    init?(anyTable parameters: QueryParameters) throws {
      if let name = try parameters.one("view") {
        throw Refusal(
          .notFound, "there is no view '\(name)'", hint: "Name a table: table=NAME.")
      }
      guard let table = try parameters.one("table") else {
        let stray = Self.tableParameters.first { !parameters.all($0).isEmpty }
        if let stray {
          throw Refusal(.badRequest, "'\(stray)' is given without a table", hint: "Add table=NAME.")
        }
        return nil
      }
      let limit = try parameters.one("limit").map { text throws(Refusal) in
        guard let limit = Int(text), limit >= 0 else {
          throw Refusal(.badLimit, "'\(text)' is no number of rows", hint: "Give 0 or more.")
        }
        return limit
      }
      self = .table(
        TableRequest(
          table: table, sectionBy: try parameters.one("section-by"),
          sorts: try parameters.all("sort").filter { !$0.isEmpty }.map {
            try SortArgument(reading: $0)
          },
          filter: try parameters.one("where"), limit: limit,
          keys: parameters.all("key").filter { !$0.isEmpty },
          aggregates: try parameters.all("aggregate").filter { !$0.isEmpty }.map {
            try AggregateArgument(reading: $0)
          },
          columns: parameters.all("column").filter { !$0.isEmpty }))
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
