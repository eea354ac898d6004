internal import Sectile

/// A column of a table that an import fills, and where its values come from.
struct ImportedColumn {
  /// Where the values of a column come from.
  enum Source {
    /// The value of the input at a position.
    case input(Int)
    /// What an expression of `--transform` yields, by its position.
    case computed(Int)

    /// The position among the input's values, or among the computed ones.
    var position: Int {
      switch self {
      case .input(let position), .computed(let position): position
      }
    }
  }

  /// The name.
  let name: String
  /// What the column makes of values.
  let affinity: ColumnAffinity
  /// Where its values come from.
  let source: Source
}

/// Values with types of their own; blobs at some positions are text that is not UTF-8.
struct ImportedValues {
  /// The values.
  var values: [StoredValue] = []
  /// The positions of text that is not UTF-8.
  var invalidText: [Int] = []
}
