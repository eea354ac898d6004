internal import Sectile

/// One difference between the rows of two tables, both in the order of their key.
///
/// Like in a `Changeset`, the path of a row that is gone is its path before, that of a new one its
/// path after. Nothing moves: a row with another key is another row.
enum RowDifference {
  /// A row of the first table that the second does not have.
  case delete(path: ItemPath, row: DiffRow)
  /// A row that only the second table has.
  case insert(path: ItemPath, row: DiffRow)
  /// A row with other values; `changed` holds their places among the columns, ascending.
  case update(source: ItemPath, target: ItemPath, before: DiffRow, after: DiffRow, changed: [Int])
}

/// A row of one side.
struct DiffRow {
  /// What tells it apart.
  let key: [ExactValue]
  /// The values of the compared columns.
  let values: [ExactValue]
}

/// How many differences there are.
struct DiffSummary {
  /// The number of rows that are gone.
  var deleteCount = 0
  /// The number of rows that are new.
  var insertCount = 0
  /// The number of rows with other values.
  var updateCount = 0
  /// The number of rows that are the same.
  var equalCount = 0

  /// Whether no row differs.
  var isEqual: Bool { deleteCount + insertCount + updateCount == 0 }
}
