import SectileCore

/// The sources of one FROM, and the names that a SELECT gives to its columns.
struct SelectScope {
  /// A column that may be named.
  struct Column {
    /// The name, in lower case.
    let name: String
    /// The name as it is declared.
    let shown: String
    let column: SelectColumn
    let trait: ColumnTrait
  }

  struct Source {
    /// The name by which columns are named in the text, in lower case.
    let name: String
    let alias: String
    let columns: [Column]
    /// What its row id is called; none for a query.
    let rowIDNames: [String]
    /// The columns that USING or NATURAL has made one with those of a source before.
    var merged: Set<String> = []
    /// Whether SQLite calls one of its columns by a name that is not known here.
    var hasUnknownNames = false

    func column(named name: String) -> Column? { columns.first { $0.name == name } }
  }

  var sources: [Source] = []
  /// Whether sources may come, or names: what is not found yet may be one of them.
  var isOpen = false
  /// What the text calls the columns of the SELECT, in lower case.
  var items: [(name: String, expression: SelectExpression)] = []

  /// What a name was found to be.
  enum Finding {
    case column(SelectColumn, ColumnTrait)
    case item(SelectExpression)
    case several
  }

  /// Whether a name that is not found may be one of its own all the same.
  func mayHave(of source: String?) -> Bool {
    if isOpen { return true }
    return sources.contains { $0.hasUnknownNames && (source == nil || $0.name == source) }
  }

  /// Looks up a name, given in lower case; nil where the scope does not have it.
  func find(_ name: String, of source: String?) -> Finding? {
    let candidates = sources.filter { source == nil || $0.name == source }
    let found = candidates.compactMap { candidate -> Column? in
      source == nil && candidate.merged.contains(name) ? nil : candidate.column(named: name)
    }
    if found.count > 1 { return .several }
    if let only = found.first { return .column(only.column, only.trait) }
    if let rowID = rowID(name, of: candidates) { return rowID }
    guard source == nil else { return nil }
    return items.first { $0.name == name }.map { .item($0.expression) }
  }

  private func rowID(_ name: String, of candidates: [Source]) -> Finding? {
    guard candidates.count == 1, candidates[0].rowIDNames.contains(name) else { return nil }
    return .column(
      SelectColumn(source: candidates[0].alias, name: name),
      ColumnTrait(affinity: .integer, collation: .binary))
  }
}
