/// What a column makes of the values put into it, by SQLite's rules for the declared type.
package enum ColumnAffinity {
  case text
  case integer
  case real
  case numeric
  /// A column that is said to hold blobs.
  case blob
  /// A column that keeps every value as it is.
  case none

  /// Tells the affinity by the declared type.
  package init(declaredType: String) {
    let type = declaredType.uppercased()
    func names(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    if names("INT") {
      self = .integer
    } else if names("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if names("BLOB") {
      self = .blob
    } else if type.isEmpty {
      self = .none
    } else {
      self = names("REAL", "FLOA", "DOUB") ? .real : .numeric
    }
  }
}
