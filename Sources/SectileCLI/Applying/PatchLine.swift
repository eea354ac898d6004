internal import Sectile

/// A line of a patch: what `sectile diff` writes, or `sectile watch`.
enum PatchLine {
  // MARK: - Of sectile diff

  /// A patch of a whole file begins.
  case file
  /// An entry of the schema goes or comes.
  case schema(SchemaAction, SchemaEntry)
  /// The changes of a table's rows follow.
  case table(name: String, key: [String])
  case delete(id: [ExactValue], row: PatchRow)
  case insert(id: [ExactValue], row: PatchRow)
  case update(id: [ExactValue], before: PatchRow, after: PatchRow)
  /// The changes of a table were so many.
  case summary(deletes: Int, inserts: Int, updates: Int)
  /// A full-text index is made anew.
  case rebuild(table: String)
  /// The highest key of a table with AUTOINCREMENT; nil for none.
  case sequence(table: String, Int64?)
  /// A number in the head of the file.
  case setting(name: String, before: Int64, after: Int64)
  /// The patch of a whole file is complete; so many more rows refer to what is not there in the
  /// file that it makes.
  case end(newOrphans: Int)

  // MARK: - Of sectile watch

  /// The contents begin anew.
  case start(table: String, key: [String], columns: [String])
  /// Changes follow.
  case willLoad
  /// Changes: the rows that are gone, and those that are there now.
  case partial(deletes: [[ExactValue]], rows: [StreamRow], isComplete: Bool)
  /// The changes are complete, and there are so many rows now.
  case finished(rowCount: Int)
  /// Something to know, and nothing to do.
  case note

  /// What becomes of an entry of the schema.
  enum SchemaAction: String {
    case create
    case drop
    /// A column is added.
    case alter
  }

  /// A row as `sectile watch` tells it.
  struct StreamRow {
    /// What it is told apart by.
    let id: [ExactValue]
    /// Its values; nil where they come with a later change.
    let item: PatchRow?
  }
}
