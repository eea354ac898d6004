/// How many packages a reading of the input added, updated and removed.
struct PackageChange: Equatable, CustomStringConvertible {
  var added = 0
  var updated = 0
  var removed = 0

  /// Whether nothing was written.
  var isEmpty: Bool { added == 0 && updated == 0 && removed == 0 }

  var description: String {
    if isEmpty { return "nothing to change" }
    let parts = [(added, "added"), (updated, "updated"), (removed, "removed")]
    return parts.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
