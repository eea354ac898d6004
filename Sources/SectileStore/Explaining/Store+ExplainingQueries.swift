extension Store {
  /// Tells what a query costs: its SQL, SQLite's plan for it, and how live results keep up.
  ///
  /// See ``explain(_:)-(FetchRequest<E>)`` for more information.
  public func explain(_ query: Query) throws -> RequestExplanation {
    try read { try $0.explain(query) }
  }

  /// Tells what a request for selected columns costs: its SQL, SQLite's plan for it, and how live
  /// results keep up.
  ///
  /// See ``explain(_:)-(FetchRequest<E>)`` for more information.
  public func explain<E, Item>(_ request: ProjectedRequest<E, Item>) throws -> RequestExplanation {
    try explain(try request.makePlan())
  }
}

extension StoreReadTransaction {
  /// Tells what a query costs: its SQL, SQLite's plan for it, and how live results keep up.
  ///
  /// See ``Store/explain(_:)-(FetchRequest<E>)`` for more information.
  public func explain(_ query: Query) throws -> RequestExplanation {
    try explain(try query.makePlan(in: self))
  }

  /// Tells what a request for selected columns costs: its SQL, SQLite's plan for it, and how live
  /// results keep up.
  ///
  /// See ``Store/explain(_:)-(FetchRequest<E>)`` for more information.
  public func explain<E, Item>(_ request: ProjectedRequest<E, Item>) throws -> RequestExplanation {
    try explain(try request.makePlan())
  }
}
