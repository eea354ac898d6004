internal import Sectile

extension InspectionConnection {
  /// Returns how many references of rows lead to what is not there; nil where SQLite cannot tell,
  /// as where a foreign key names columns that are not unique.
  ///
  /// - Throws: ``StoreError`` for other failures.
  /// - Complexity: Reads all tables with foreign keys.
  func orphanCount() throws -> Int? {
    var count = 0
    do {
      try run("PRAGMA foreign_key_check") { _ in count += 1 }
    } catch let error as StoreError where error.code == .statementFailed {
      return nil
    }
    return count
  }
}
