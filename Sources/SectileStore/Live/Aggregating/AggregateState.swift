import GRDBSQLite
import SectileCore

/// What is known of some rows, so that one aggregate of them can be told, and rows can come and go.
///
/// Not an enumeration: a part of it is changed in place.
struct AggregateState: Sendable {
  /// How many rows, or different values, count.
  var count = 0
  var sum = NumberSum()
  /// The smallest or largest value; NULL where there is none.
  var extreme = StoredValue.null
}

/// The sum of numbers, integers apart.
struct NumberSum: Sendable {
  private(set) var integerCount = 0
  private(set) var realCount = 0
  private var integers: Int128 = 0
  private var reals = ExactSum()

  mutating func add(_ integer: Int64, isAdded: Bool = true) {
    integers += isAdded ? Int128(integer) : -Int128(integer)
    integerCount += isAdded ? 1 : -1
  }

  mutating func add(_ real: Double, isAdded: Bool = true) {
    reals.add(real, isAdded: isAdded)
    realCount += isAdded ? 1 : -1
  }

  /// Adds a number, or takes it away; false for what only SQLite reads as a number.
  mutating func add(_ operand: RawColumn, isAdded: Bool) -> Bool {
    switch operand {
    case .null: return true
    case .integer(let integer): add(integer, isAdded: isAdded)
    case .real(let real): add(real, isAdded: isAdded)
    case .text, .blob: return false
    }
    return true
  }

  mutating func add(_ other: NumberSum, isAdded: Bool) {
    integers += isAdded ? other.integers : -other.integers
    integerCount += isAdded ? other.integerCount : -other.integerCount
    guard other.realCount > 0 else { return }
    reals.add(other.reals, isAdded: isAdded)
    realCount += isAdded ? other.realCount : -other.realCount
  }

  /// The sum: an integer where all numbers are, NULL of none; nil where it is one that SQLite
  /// cannot hold.
  var sum: StoredValue? {
    if integerCount + realCount == 0 { return .null }
    if realCount == 0 { return Int64(exactly: integers).map { .integer($0) } }
    return exactSum.rounded().map { .real($0) } ?? .null
  }

  /// The average, a real number; NULL of none.
  var average: StoredValue {
    let count = integerCount + realCount
    guard count > 0 else { return .null }
    // Of two numbers that are exact, the quotient is rounded once.
    if realCount == 0, let sum = Int64(exactly: integers), let sum = Double(exactly: sum),
      let count = Double(exactly: count)
    {
      return .real(sum / count)
    }
    return exactSum.rounded(dividedBy: count).map { .real($0) } ?? .null
  }

  private var exactSum: ExactSum {
    var sum = reals
    sum.add(integers)
    return sum
  }
}

/// One aggregate of a request, and how its state follows rows.
///
/// An object: it is looked at for each row, and to copy it would be to retain its parts.
final class AggregateRule: Sendable {
  /// What is worked out, without what it is worked out from.
  enum Kind: Sendable {
    case rowCount, conditionCount, valueCount, distinctCount, sum, average, minimum, maximum
  }

  let aggregate: FetchPlan.Aggregate
  let kind: Kind
  /// Where the column that it looks at stands among the item's; nil where it looks at whole rows.
  let itemColumn: Int?
  /// Where the columns stand among the item's that decide how a row counts; nil where nobody has to
  /// ask, since rows can be taken away whatever they were, and where that is not known.
  let decidingColumns: [Int]?
  /// How text compares, where values do.
  let collation: RowOrdering.Rule

  init(
    _ aggregate: FetchPlan.Aggregate, itemColumn: Int?, decidingColumns: [Int]? = nil,
    collation: RowOrdering.Rule
  ) {
    self.aggregate = aggregate
    self.decidingColumns = decidingColumns
    kind = Kind(aggregate.function)
    self.itemColumn = itemColumn
    self.collation = collation
  }

  /// Whether SQLite has to look at all rows at once.
  var isDistinct: Bool { kind == .distinctCount }

  /// Adds a row to a state.
  ///
  /// - Parameters:
  ///   - operand: What the aggregate looks at in the row.
  ///   - state: The state.
  /// - Returns: False where SQLite has to look at all rows.
  func add(_ operand: RawColumn, to state: inout AggregateState) -> Bool {
    switch kind {
    case .rowCount: state.count += 1
    case .conditionCount: state.count += operand.isTrue ? 1 : 0
    case .valueCount: state.count += operand.isNull ? 0 : 1
    case .distinctCount: return false
    case .sum, .average: return state.sum.add(operand, isAdded: true)
    case .minimum, .maximum:
      if !operand.isNull, isBetter(operand, than: state.extreme) {
        state.extreme = operand.value ?? operand.bytesAsBlob
      }
    }
    return true
  }

  /// Takes a row away from a state.
  ///
  /// - Returns: False where SQLite has to look at the rows that are left.
  func remove(_ operand: RawColumn, from state: inout AggregateState) -> Bool {
    switch kind {
    case .rowCount: state.count -= 1
    case .valueCount: state.count -= operand.isNull ? 0 : 1
    // What a condition said of the row before is not known.
    case .conditionCount, .distinctCount: return false
    case .sum, .average: return state.sum.add(operand, isAdded: false)
    case .minimum, .maximum:
      return operand.isNull
        || state.extreme.withColumn { RowOrdering.order(operand, $0, collation) } != 0
    }
    return true
  }

  /// Adds what is known of other rows, or takes it away.
  ///
  /// - Returns: False where it cannot be told: a value was the extreme one, or is one of several.
  func combine(_ state: inout AggregateState, with other: AggregateState, isAdded: Bool) -> Bool {
    switch kind {
    case .distinctCount: return false
    case .rowCount, .conditionCount, .valueCount:
      state.count += isAdded ? other.count : -other.count
    case .sum, .average: state.sum.add(other.sum, isAdded: isAdded)
    case .minimum, .maximum:
      guard isAdded else { return other.extreme == .null || state.extreme != other.extreme }
      if other.extreme != .null, other.extreme.withColumn({ isBetter($0, than: state.extreme) }) {
        state.extreme = other.extreme
      }
    }
    return true
  }

  /// The value of a state; nil where it is one that SQLite cannot hold.
  func value(of state: AggregateState) -> StoredValue? {
    switch kind {
    case .rowCount, .conditionCount, .valueCount, .distinctCount: .integer(Int64(state.count))
    case .sum: state.sum.sum
    case .average: state.sum.average
    case .minimum, .maximum: state.extreme
    }
  }

  /// Whether a value is smaller, or larger, than another; of equal ones the integer counts as such,
  /// then the one with smaller bytes.
  private func isBetter(_ operand: RawColumn, than value: StoredValue) -> Bool {
    if value == .null { return true }
    return value.withColumn { value in
      let order = RowOrdering.order(operand, value, collation)
      if order != 0 { return kind == .minimum ? order < 0 : order > 0 }
      switch (operand, value) {
      case (.integer, .real): return true
      case (.real, .integer): return false
      default: return RowOrdering.order(operand, value, .binary) < 0
      }
    }
  }
}

extension AggregateRule.Kind {
  fileprivate init(_ function: FetchPlan.Aggregate.Function) {
    self =
      switch function {
      case .rowCount: .rowCount
      case .conditionCount: .conditionCount
      case .valueCount: .valueCount
      case .distinctCount: .distinctCount
      case .sum: .sum
      case .average: .average
      case .minimum: .minimum
      case .maximum: .maximum
      }
  }
}

extension RawColumn {
  /// Whether SQL holds a number to be true.
  fileprivate var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    case .null, .text, .blob: false
    }
  }

  /// Reads a column of the row a statement stands on as `sum` does: text and blobs as the number
  /// that they begin with.
  static func number(_ statement: OpaquePointer, _ column: Int32) -> RawColumn {
    let read = RawColumn(statement, column)
    switch read {
    case .null, .integer, .real: return read
    case .text, .blob:
      // A copy: asked for its number, a value becomes it.
      let copy = sqlite3_value_dup(sqlite3_column_value(statement, column))
      defer { sqlite3_value_free(copy) }
      return sqlite3_value_numeric_type(copy) == SQLITE_INTEGER
        ? .integer(sqlite3_value_int64(copy)) : .real(sqlite3_value_double(copy))
    }
  }
}

extension StoredValue {
  /// Calls a closure with the value as a column, valid inside it.
  func withColumn<Result>(_ body: (RawColumn) -> Result) -> Result {
    switch self {
    case .null: return body(.null)
    case .integer(let integer): return body(.integer(integer))
    case .real(let real): return body(.real(real))
    case .text(var text): return text.withUTF8 { body(.text(UnsafeRawBufferPointer($0))) }
    case .blob(let bytes): return bytes.withUnsafeBytes { body(.blob($0)) }
    }
  }
}
