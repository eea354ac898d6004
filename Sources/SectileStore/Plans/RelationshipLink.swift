internal import SectileCore

/// Two columns that a relationship takes for equal: a value of `source` is looked for in `target`.
package struct RelationshipLink: Hashable, Sendable {
  /// A column of a table.
  package struct Column: Hashable, Sendable {
    package let table: String
    package let name: String
  }

  /// How values of the two compare, next to a value of one that is looked for in the other.
  enum Comparison {
    /// As their bytes: equal values are one value.
    case bytes
    /// By one rule: what is equal in the request is found, though it may be written otherwise.
    case alike
    /// By two rules: SQLite compares the columns by the collation of one and the affinities of
    /// both, and a value with a column by that column's.
    case different
  }

  package let source: Column
  package let target: Column

  /// Reads from the schema how the columns compare.
  ///
  /// Views and virtual tables are left out: nobody follows their rows one by one.
  func comparison(in schema: some SchemaSource) throws(StoreError) -> Comparison {
    guard let first = try Self.kind(of: source, in: schema),
      let second = try Self.kind(of: target, in: schema)
    else { return .bytes }
    guard first.collation == second.collation, first.family == second.family else {
      return .different
    }
    let isExact = first.affinity == second.affinity && first.family != .blob
    return isExact && first.collation == .binary ? .bytes : .alike
  }

  private typealias Kind = (
    affinity: ColumnAffinity, family: ColumnAffinity, collation: TextCollation
  )

  private static func kind(
    of column: Column, in source: some SchemaSource
  ) throws(StoreError) -> Kind? {
    guard let table = try TableSchema(of: column.table, in: source), table.kind.isStored else {
      return nil
    }
    let name = column.name.lowercased()
    guard let found = table.columns.first(where: { $0.name.lowercased() == name }) else {
      // One of SQLite's own names for the row id.
      return (.integer, .numeric, .binary)
    }
    let affinity = ColumnAffinity(declaredType: found.declaredType)
    let family: ColumnAffinity =
      switch affinity {
      case .text: .text
      case .integer, .real, .numeric: .numeric
      case .blob, .none: .blob
      }
    return (affinity, family, found.collation)
  }
}

extension SQLReads {
  /// Which columns the relationships of a plan take for equal.
  package var links: [RelationshipLink] {
    sources.flatMap { source -> [RelationshipLink] in
      switch source {
      case .base: []
      case .toOne(let parent, let reference), .toMany(let parent, let reference, _):
        zip(reference.sourceColumns, reference.targetColumns).map {
          RelationshipLink(
            source: .init(table: parent.table, name: $0),
            target: .init(table: source.table, name: $1))
        }
      }
    }
  }
}

extension FetchPlan {
  /// Returns the plan in which rows of other tables lead to rows of its own by ``links`` only where
  /// that finds all that the request takes for equal.
  ///
  /// - Parameter source: The connection.
  /// - Returns: The plan: with other tables followed as a whole where columns of a relationship
  ///   compare by two rules.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  func followingLinks(in source: some SchemaSource) throws(StoreError) -> FetchPlan {
    var (isDifferent, isAlike) = (false, false)
    for link in links {
      switch try link.comparison(in: source) {
      case .bytes: continue
      case .alike: isAlike = true
      case .different: isDifferent = true
      }
    }
    guard isDifferent || isAlike else { return self }
    var plan = self
    let byRow = fullTextTables.map(FetchPlan.Dependency.rows)
    for (position, dependency) in dependencies.enumerated() where !byRow.contains(dependency) {
      switch dependency.affected {
      case .everything: continue
      case .query where !isDifferent: continue
      case .sameKey where !isDifferent:
        plan.dependencies[position].affected = .query(keysEqualToValues)
      case .query, .sameKey:
        plan.dependencies[position].affected = .everything
        plan.dependencies[position].keyColumns = []
      }
    }
    return plan
  }

  /// The query that yields the keys that are equal to the values bound.
  private var keysEqualToValues: String {
    let keys = keyColumns.map { SQLName.quote(table, $0) }
    return "SELECT \(keys.joined(separator: ", ")) FROM \(SQLName.table(table)) WHERE "
      + keys.map { "\($0) = ?" }.joined(separator: " AND ")
  }
}
