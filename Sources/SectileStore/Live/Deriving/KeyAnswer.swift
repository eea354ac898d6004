import SectileCore

/// The keys that questions have answered.
///
/// A key that was answered as a whole, of columns whose equal values are the same, is the key of
/// the row. Of others, rows are looked for whose keys match what was answered.
struct KeyAnswer {
  private(set) var keys: Set<RowKey> = []
  /// What rows are looked for by: values of some columns of the key, by the positions of these.
  private(set) var patterns: [[Int]: Set<[StoredValue]>] = [:]
  /// The same values, in one form of all that are equal.
  private var folded: [[Int]: Set<[StoredValue]>] = [:]
  private let collations: [TextCollation?]
  /// Whether equal values of a column are the same.
  private let isExact: [Bool]

  /// - Parameters:
  ///   - key: Where the columns of the key stand among those of a row.
  ///   - reading: The query.
  init(key: [Int], of reading: SelectReading) {
    collations = key.map { reading.query.items[$0].trait.collation }
    isExact = key.map(reading.isExact)
  }

  /// How many keys and patterns there are.
  var count: Int { patterns.values.reduce(keys.count) { $0 + $1.count } }

  mutating func insert(_ key: RowKey) { keys.insert(key) }

  /// Takes in values of some columns of the key; false where nobody knows which others are equal.
  mutating func insert(_ values: [StoredValue], at positions: [Int]) -> Bool {
    if positions.count == isExact.count, positions.allSatisfy({ isExact[$0] }) {
      keys.insert(RowKey(values))
      return true
    }
    guard let form = folded(values, at: positions) else { return false }
    if folded[positions, default: []].insert(form).inserted {
      patterns[positions, default: []].insert(values)
    }
    return true
  }

  /// Whether a key is equal to what was answered.
  func matches(_ key: RowKey) -> Bool {
    let values = key.values
    return folded.contains { positions, forms in
      guard let form = folded(positions.map { values[$0] }, at: positions) else { return true }
      return forms.contains(form)
    }
  }

  private func folded(_ values: [StoredValue], at positions: [Int]) -> [StoredValue]? {
    var form: [StoredValue] = []
    for (value, position) in zip(values, positions) {
      switch value {
      case .text(let text):
        guard let folded = collations[position]?.folded(text) else { return nil }
        form.append(.text(folded))
      case .real(let real): form.append(Int64(exactly: real).map { .integer($0) } ?? value)
      case .null, .integer, .blob: form.append(value)
      }
    }
    return form
  }
}
