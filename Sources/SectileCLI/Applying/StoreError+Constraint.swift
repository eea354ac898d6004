internal import Sectile

extension StoreError {
  /// Whether a row does not fit the table it is written to.
  var isConstraint: Bool {
    [.uniqueConstraint, .notNullConstraint, .checkConstraint, .otherConstraint].contains(code)
      // An INTEGER PRIMARY KEY takes nothing but integers.
      || (cause as? StoreError.SQLiteFailure)?.message == "datatype mismatch"
  }

  /// What SQLite says about it, without the file's path.
  var plainText: String { (cause as? StoreError.SQLiteFailure)?.message ?? message }
}
