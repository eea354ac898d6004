extension FetchPlan {
  /// A table whose changes can change the contents of a request.
  ///
  /// A commit that touches `table` yields the values of `keyColumns` of each touched row, before
  /// and after. `affected` tells which rows of the base table those values concern.
  public struct Dependency: Hashable, Sendable {
    /// How touched rows lead to rows of the base table.
    public enum Affected: Hashable, Sendable {
      /// The values of `keyColumns` are the base table's own primary key (a to-many child whose
      /// foreign key refers to it).
      case sameKey
      /// The base rows to read again are those whose primary key this query yields; the values of
      /// `keyColumns` are bound to its `?` marks, in order.
      case query(String)
      /// Nothing is known: the whole request is fetched again and compared.
      case everything
    }

    /// The table.
    public var table: String
    /// The columns whose values lead to the base table's rows.
    public var keyColumns: [String]
    /// The columns whose change matters; nil for all of them.
    public var observedColumns: Set<String>?
    /// How touched rows lead to rows of the base table.
    public var affected: Affected

    /// Creates a dependency.
    public init(
      table: String, keyColumns: [String], observedColumns: Set<String>? = nil, affected: Affected
    ) {
      self.table = table
      self.keyColumns = keyColumns
      self.observedColumns = observedColumns
      self.affected = affected
    }
  }
}

extension FetchPlan.Dependency {
  /// The rows of a full-text table, known by the base table's integer key.
  ///
  /// Whenever FTS5 indexes a row, or forgets it, it writes the row's size into a table with its row
  /// id.
  static func rows(ofFullTextTable name: String) -> FetchPlan.Dependency {
    FetchPlan.Dependency(table: "\(name)_docsize", keyColumns: ["id"], affected: .sameKey)
  }
}
