/// What is to become of a table.
///
/// Columns go by the names that they have before.
struct TableTransformation {
  /// What a column is to refer to.
  struct Reference {
    let column: String
    let table: String
    /// The column of that table; nil for its key.
    let target: String?
  }

  /// The new name of the table.
  var tableName: String?
  var renames: [(old: String, new: String)] = []
  var types: [(column: String, type: String)] = []
  /// The columns that come first, in order.
  var order: [String] = []
  var drops: [String] = []
  /// The definitions of new columns.
  var additions: [String] = []
  var notNull: [String] = []
  var nullable: [String] = []
  var defaults: [(column: String, expression: String)] = []
  var droppedDefaults: [String] = []
  /// The columns of the primary key; nil for the one there is.
  var key: [String]?
  var addedReferences: [Reference] = []
  var droppedReferences: [String] = []
  /// Whether values may change by other types.
  var allowsChanges = false

  /// Whether SQLite's own ALTER TABLE has a word for all of it.
  var isPlain: Bool {
    types.isEmpty && order.isEmpty && notNull.isEmpty && nullable.isEmpty && defaults.isEmpty
      && droppedDefaults.isEmpty && key == nil && addedReferences.isEmpty
      && droppedReferences.isEmpty
  }

  /// Whether there is nothing to do.
  var isEmpty: Bool {
    isPlain && tableName == nil && renames.isEmpty && drops.isEmpty && additions.isEmpty
  }

  /// The columns that it speaks of.
  var columns: [String] {
    renames.map(\.old) + types.map(\.column) + order + drops + notNull + nullable
      + defaults.map(\.column) + droppedDefaults + (key ?? []) + addedReferences.map(\.column)
      + droppedReferences
  }

  /// Returns it with the names that columns have after the renaming.
  func renamed() -> TableTransformation {
    func new(_ name: String) -> String {
      renames.last { $0.old.lowercased() == name.lowercased() }?.new ?? name
    }
    var result = self
    result.types = types.map { (new($0.column), $0.type) }
    result.order = order.map(new)
    result.drops = drops.map(new)
    result.notNull = notNull.map(new)
    result.nullable = nullable.map(new)
    result.defaults = defaults.map { (new($0.column), $0.expression) }
    result.droppedDefaults = droppedDefaults.map(new)
    result.key = key?.map(new)
    result.addedReferences = addedReferences.map {
      Reference(column: new($0.column), table: $0.table, target: $0.target)
    }
    result.droppedReferences = droppedReferences.map(new)
    return result
  }
}
