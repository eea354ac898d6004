import SectileCore

/// Whole numbers for the rows of a list that is ordered by them.
///
/// Between two rows the number in the middle is taken. Where there is none left, the rows around
/// the place get new numbers: as few as it takes to have room again, found by doubling. That is the
/// relabelling of Itai, Konheim and Rodeh, *A sparse table implementation of priority queues*
/// (1981): O(log² n) new numbers for each row that is put in, over many.
///
/// Numbers are not negative unless those of neighbours are, since columns often forbid them.
enum OrderLabels {
  /// How far apart numbers are where there is room.
  static let step: Int64 = 1024
  /// How many numbers a row has to itself after its neighbourhood got new ones.
  private static let room: UInt64 = 8

  /// Returns a number between two others; nil where there is none.
  ///
  /// - Parameters:
  ///   - lower: It is larger than this one; nil where nothing is below.
  ///   - upper: It is smaller than this one; nil where nothing is above.
  /// - Returns: The number.
  static func label(above lower: Int64?, below upper: Int64?) -> Int64? {
    switch (lower, upper) {
    case (nil, nil): return step
    case (let lower?, nil):
      let (label, isTooLarge) = lower.addingReportingOverflow(step)
      return isTooLarge ? middle(lower, .max) : label
    case (nil, let upper?):
      if upper > step { return upper - step }
      if upper > 0 { return middle(0, upper) }
      // Zero is where a column that knows no negative numbers begins.
      guard upper < 0 else { return nil }
      let (label, isTooSmall) = upper.subtractingReportingOverflow(step)
      return isTooSmall ? middle(.min, upper) : label
    case (let lower?, let upper?): return middle(lower, upper)
    }
  }

  private static func middle(_ lower: Int64, _ upper: Int64) -> Int64? {
    guard lower < upper, upper &- lower != 1 else { return nil }
    return lower &+ Int64(bitPattern: UInt64(bitPattern: upper &- lower) / 2)
  }

  /// Returns numbers for rows in a row, spread evenly; nil where there is too little room for them.
  ///
  /// - Parameters:
  ///   - count: How many rows there are.
  ///   - lower: The numbers are larger than this one; nil where nothing is below.
  ///   - upper: The numbers are smaller than this one; nil where nothing is above.
  ///   - isLast: Whether there are no further rows to take in: then the rows may stand as closely
  ///     as they must.
  /// - Returns: The numbers, in order.
  static func labels(
    _ count: Int, above lower: Int64?, below upper: Int64?, isLast: Bool
  ) -> [Int64]? {
    let wanted = step.multipliedReportingOverflow(by: Int64(count) + 1)
    let distance = wanted.overflow ? .max : wanted.partialValue
    var start = lower ?? 0
    if lower == nil, let upper, upper <= Int64(count) {
      // Below zero only where the rows are there already.
      if upper < 0 {
        let (value, isTooSmall) = upper.subtractingReportingOverflow(distance)
        start = isTooSmall ? .min : value
      } else {
        start = -1
      }
    }
    let end: Int64
    if let upper {
      end = upper
    } else {
      let (value, isTooLarge) = start.addingReportingOverflow(distance)
      end = isTooLarge ? .max : value
    }
    guard start < end else { return nil }
    let span = UInt64(bitPattern: end &- start)
    let gap = span / UInt64(count + 1)
    guard gap >= (isLast ? 1 : room) else { return nil }
    return (1...count).map { start &+ Int64(bitPattern: gap * UInt64($0)) }
  }
}

extension OrderLabels {
  /// What a stored value means for the numbers beside it.
  enum Bound: Equatable {
    /// Numbers have to be beyond this one.
    case number(Int64)
    /// All numbers are on the right side of it.
    case none
    /// No number is.
    case unreachable
  }

  /// What it takes to stand above a value, in SQLite's order: NULL, numbers, text, blobs.
  static func bound(above value: StoredValue) -> Bound {
    switch value {
    case .null: .none
    case .integer(let number): .number(number)
    case .real(let number):
      number < -0x1p63
        ? .none : Int64(exactly: number.rounded(.down)).map(Bound.number) ?? .unreachable
    case .text, .blob: .unreachable
    }
  }

  /// What it takes to stand below a value.
  static func bound(below value: StoredValue) -> Bound {
    switch value {
    case .null: .unreachable
    case .integer(let number): .number(number)
    case .real(let number):
      number >= 0x1p63
        ? .none : Int64(exactly: number.rounded(.up)).map(Bound.number) ?? .unreachable
    case .text, .blob: .none
    }
  }
}
