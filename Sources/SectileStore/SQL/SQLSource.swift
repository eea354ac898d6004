/// The table a column belongs to, told by the way that leads there from the base table.
///
/// Two ways to one table are two sources, and get two aliases: `\.buyer.name` and `\.seller.name`.
package indirect enum SQLSource: Hashable, Sendable {
  /// The table of the plan itself.
  case base(String)
  /// The one row a foreign key refers to.
  case toOne(SQLSource, SQLReference)
  /// The rows that refer to one row, seen from inside a subquery. The number tells two subqueries
  /// over one relationship apart when one stands inside the other.
  case toMany(SQLSource, SQLReference, Int)

  /// The table's name.
  package var table: String {
    switch self {
    case .base(let table): table
    case .toOne(_, let reference), .toMany(_, let reference, _): reference.targetTable
    }
  }

  /// The source the way comes from; nil for the base table.
  package var parent: SQLSource? {
    switch self {
    case .base: nil
    case .toOne(let parent, _), .toMany(let parent, _, _): parent
    }
  }

  /// The source that stands first in the FROM clause this source is joined to.
  package var root: SQLSource {
    switch self {
    case .base, .toMany: self
    case .toOne(let parent, _): parent.root
    }
  }
}

/// The columns that connect two tables.
package struct SQLReference: Hashable, Sendable {
  /// The columns on the side the way comes from.
  package var sourceColumns: [String]
  /// The table the way leads to.
  package var targetTable: String
  /// The columns on the side the way leads to, in the same order.
  package var targetColumns: [String]

  /// Creates a reference.
  package init(sourceColumns: [String], targetTable: String, targetColumns: [String]) {
    self.sourceColumns = sourceColumns
    self.targetTable = targetTable
    self.targetColumns = targetColumns
  }
}
