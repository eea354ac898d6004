/// What an import is asked for besides its inputs.
struct ImportOptions {
  /// The table's name.
  var table: String
  /// What is made of the inputs' columns.
  var transform = RowTransform()
  /// What to do about a row that is there already.
  var policy: RowInserter.ConflictPolicy = .error
  /// The columns that tell rows apart; none for those of the table's primary key.
  var key: [String] = []
  /// The columns of the table to create, or the whole statement; nil where they are learned.
  var schema: String?
  /// Types of columns, by name in lower case.
  var types: [String: String] = [:]
  /// Whether the columns of a new table are text, and nothing is learned.
  var isAllText = false
  /// Whether everything is undone at the end.
  var isDryRun = false
  /// After how many rows to commit; nil for once, at the end.
  var batchSize: Int?
  /// Whether bad rows are passed over.
  var skipsBadRows = false
}
