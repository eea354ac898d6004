extension RequestExplanation {
  /// A table whose changes live results of a request follow.
  public struct FollowedTable: Hashable, Sendable, Codable {
    /// The table's name.
    public let table: String
    /// The columns whose change matters, in the order of their names; nil for all of them.
    public let columns: [String]?
    /// Whether a commit that touches the table leads to single rows of the request.
    ///
    /// Otherwise all its rows are read again.
    public let isFollowedByRow: Bool

    init(table: String, columns: [String]?, isFollowedByRow: Bool) {
      self.table = table
      self.columns = columns
      self.isFollowedByRow = isFollowedByRow
    }
  }
}

extension RequestExplanation.FollowedTable: CustomStringConvertible {
  /// The table, and the columns in parentheses: `artist (name)`.
  public var description: String {
    let list = columns.map { " (\($0.joined(separator: ", ")))" } ?? ""
    return table + list + (isFollowedByRow ? "" : ", all rows are read again")
  }
}

extension FetchPlan {
  /// The tables that results of this plan follow, the plan's own first.
  ///
  /// The plan must know what it reads: see ``followingWhatItReads(in:)``. A view or a query is not
  /// among the tables, for it holds nothing itself.
  ///
  /// - Parameters:
  ///   - isView: Whether the base is a view or a query.
  ///   - reading: What is asked about touched rows; nil where all rows are compared that these lead
  ///     to in no simpler way.
  /// - Returns: The tables.
  func followedTables(
    isView: Bool, _ reading: SelectReading?
  ) -> [RequestExplanation.FollowedTable] {
    let asked = (reading?.readTables ?? []).map { table in
      RequestExplanation.FollowedTable(
        table: table.schema.name, columns: table.columns.map(\.name).sorted(),
        isFollowedByRow: true)
    }
    if isView, reading != nil { return asked }
    let own = RequestExplanation.FollowedTable(table: table, columns: nil, isFollowedByRow: true)
    return (isView ? [] : [own])
      + dependencies.map { dependency in
        let observed = dependency.observedColumns?.union(dependency.keyColumns).sorted()
        return RequestExplanation.FollowedTable(
          table: dependency.table,
          columns: observed ?? asked.first { $0.table == dependency.table }?.columns,
          isFollowedByRow: dependency.affected != .everything || reading != nil)
      }
  }
}
