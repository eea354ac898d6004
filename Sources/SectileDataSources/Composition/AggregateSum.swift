internal import SectileCore

/// What an item counts as in one aggregate.
enum AggregateOperand: Sendable {
  case nothing
  case one
  case integer(Int128)
  case real(Double)

  var isNothing: Bool {
    if case .nothing = self { true } else { false }
  }
}

/// What some items come to in one aggregate; items can be added, and taken away again.
struct AggregateSum: Sendable {
  /// Which of the values is told.
  enum Kind: Sendable { case count, integers, reals }

  private var count = 0
  private var integers: Int128 = 0
  private var reals = ExactSum()

  init() {}

  mutating func add(_ operand: AggregateOperand, isAdded: Bool) {
    switch operand {
    case .nothing: return
    case .one: break
    // What went beyond the limits comes back when it is taken away.
    case .integer(let integer):
      integers = isAdded ? integers &+ integer : integers &- integer
    case .real(let real): reals.add(real, isAdded: isAdded)
    }
    count += isAdded ? 1 : -1
  }

  /// The value; NULL for the sum of nothing, and for one that SQLite cannot hold.
  func value(_ kind: Kind) -> StoredValue {
    switch kind {
    case .count: return .integer(Int64(count))
    case .integers:
      guard count != 0, let sum = Int64(exactly: integers) else { return .null }
      return .integer(sum)
    case .reals:
      guard count != 0, let sum = reals.rounded() else { return .null }
      return .real(sum)
    }
  }
}

/// What some items come to, in each of some aggregates.
struct ItemTally: Sendable {
  /// How many items were added that count somewhere.
  private(set) var itemCount = 0
  private(set) var sums: [AggregateSum]

  /// Creates the tally of no items.
  init(aggregateCount: Int) {
    sums = Array(repeating: AggregateSum(), count: aggregateCount)
  }

  mutating func add(_ operands: [AggregateOperand], isAdded: Bool) {
    itemCount += isAdded ? 1 : -1
    for (position, operand) in operands.enumerated() {
      sums[position].add(operand, isAdded: isAdded)
    }
  }
}
