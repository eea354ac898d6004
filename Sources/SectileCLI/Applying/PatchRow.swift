internal import Sectile

/// Columns with their values, as a patch names them.
struct PatchRow {
  /// The names of the columns.
  var names: [String] = []
  /// The values.
  var values: [ExactValue] = []

  /// Takes the values of another row, whose columns may be others.
  mutating func merge(_ other: PatchRow) {
    for (name, value) in zip(other.names, other.values) {
      if let place = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
        values[place] = value
      } else {
        names.append(name)
        values.append(value)
      }
    }
  }

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
