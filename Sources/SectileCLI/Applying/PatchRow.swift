internal import Sectile

/// Columns with their values, as a patch names them.
struct PatchRow {
  /// The names of the columns.
  var names: [String] = []
  /// The values.
  var values: [ExactValue] = []

  /// Returns the part of it that has some of the columns.
  func filter(_ isWanted: (_ name: String) -> Bool) -> PatchRow {
    var row = PatchRow()
    for (name, value) in zip(names, values) where isWanted(name) {
      row.names.append(name)
      row.values.append(value)
    }
    return row
  }
}
