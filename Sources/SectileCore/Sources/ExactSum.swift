/// A sum of numbers without any rounding, from which numbers can be taken away again.
///
/// It is a whole number of units of 2^-1088, less than the smallest `Double`, in digits of 32 bits
/// of which only those are kept that some number has reached. A digit has room for 2^30 numbers
/// before its carry must be handed on. (R. M. Neal, *Fast exact summation using small and large
/// superaccumulators*, 2015.)
package struct ExactSum: Sendable {
  /// The weight of the lowest bit of digit 0 is 2 to this power.
  private static let lowestExponent = -1088
  /// After so many numbers carries are handed on.
  private static let pendingLimit = 1 << 30

  /// The number of the first of ``digits``.
  private var first = 0
  /// Each may be negative, and larger than 32 bits.
  private var digits: [Int64] = []
  private var pendingCount = 0
  /// How many numbers were infinite.
  private var infinities = (positive: 0, negative: 0)

  /// The sum of no numbers.
  package init() {}

  /// Adds a number, or takes it away.
  ///
  /// - Parameters:
  ///   - value: The number; no NaN.
  ///   - isAdded: Whether it is added.
  /// - Complexity: O(1).
  package mutating func add(_ value: Double, isAdded: Bool = true) {
    guard value.isFinite else {
      if value > 0 {
        infinities.positive += isAdded ? 1 : -1
      } else {
        infinities.negative += isAdded ? 1 : -1
      }
      return
    }
    guard value != 0 else { return }
    // A subnormal number has the exponent of the smallest normal one, and no leading bit.
    let biased = max(1, Int(value.exponentBitPattern))
    let leading: UInt64 = value.isNormal ? 1 << 52 : 0
    let place = biased - 1075 - Self.lowestExponent
    add(
      UInt128(value.significandBitPattern | leading) << UInt128(place % 32), at: place / 32,
      isAdded: (value > 0) == isAdded)
  }

  /// Adds a whole number, or takes it away.
  package mutating func add(_ value: Int128, isAdded: Bool = true) {
    add(value.magnitude, at: -Self.lowestExponent / 32, isAdded: (value > 0) == isAdded)
  }

  /// Adds another sum, or takes it away.
  package mutating func add(_ other: ExactSum, isAdded: Bool) {
    infinities.positive += isAdded ? other.infinities.positive : -other.infinities.positive
    infinities.negative += isAdded ? other.infinities.negative : -other.infinities.negative
    var other = other
    other.carry()
    for (offset, digit) in other.digits.enumerated() where digit != 0 {
      add(UInt128(digit.magnitude), at: other.first + offset, isAdded: (digit > 0) == isAdded)
    }
  }

  private mutating func add(_ magnitude: UInt128, at place: Int, isAdded: Bool) {
    var rest = magnitude
    var place = place
    while rest != 0 {
      let digit = Int64(UInt32(truncatingIfNeeded: rest))
      digits[reach(place)] += isAdded ? digit : -digit
      rest >>= 32
      place += 1
    }
    pendingCount += 1
    if pendingCount == Self.pendingLimit { carry() }
  }

  /// Returns the position of a digit, which is there from then on.
  private mutating func reach(_ place: Int) -> Int {
    if digits.isEmpty { first = place }
    if place < first {
      digits.insert(contentsOf: repeatElement(0, count: first - place), at: 0)
      first = place
    }
    while place - first >= digits.count { digits.append(0) }
    return place - first
  }

  /// Hands carries on, after which all digits but the last are in 0..<2^32.
  private mutating func carry() {
    pendingCount = 0
    var position = 0
    while position < digits.count {
      let carry = digits[position] >> 32
      // The last digit keeps the sign.
      let isLast = position == digits.count - 1
      guard carry != 0, !(isLast && carry == -1) else {
        position += 1
        continue
      }
      digits[position] &= 0xFFFF_FFFF
      if isLast { digits.append(0) }
      digits[position + 1] += carry
      position += 1
    }
  }

  /// The sum divided by a count, rounded once: to the nearest number, of two to the even one.
  ///
  /// - Parameter count: What to divide by; positive.
  /// - Returns: The quotient; infinite where it is too large for a `Double` or infinite numbers of
  ///   one sign are in the sum; nil where those of both signs are, as SQLite has no number for it.
  /// - Complexity: O(1): there are at most 70 digits.
  package func rounded(dividedBy count: Int = 1) -> Double? {
    switch (infinities.positive > 0, infinities.negative > 0) {
    case (true, true): return nil
    case (true, false): return .infinity
    case (false, true): return -.infinity
    case (false, false): break
    }
    var sum = self
    sum.carry()
    let isNegative = (sum.digits.last ?? 0) < 0
    if isNegative {
      for position in sum.digits.indices { sum.digits[position].negate() }
      sum.carry()
    }
    // The divisor has 63 bits at most: so many more digits leave the quotient more bits than a
    // `Double` has.
    let moreDigits = 4
    let magnitude = repeatElement(0, count: moreDigits) + sum.digits.map { UInt64($0) }
    let (quotient, remainder) = Self.divide(magnitude, by: UInt64(count))
    let rounded = Self.round(
      quotient, lowestExponent: Self.lowestExponent + 32 * (sum.first - moreDigits),
      isInexact: remainder != 0)
    return isNegative ? -rounded : rounded
  }

  /// Divides digits of 32 bits, the lowest first.
  private static func divide(
    _ digits: [UInt64], by divisor: UInt64
  ) -> (quotient: [UInt64], remainder: UInt128) {
    var quotient = digits
    var remainder: UInt128 = 0
    for position in digits.indices.reversed() {
      let value = remainder << 32 | UInt128(digits[position])
      quotient[position] = UInt64(value / UInt128(divisor))
      remainder = value % UInt128(divisor)
    }
    return (quotient, remainder)
  }

  /// Returns the `Double` next to a whole number of units of a power of two.
  private static func round(
    _ digits: [UInt64], lowestExponent: Int, isInexact: Bool
  ) -> Double {
    guard let top = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The three highest digits have at least 65 bits; what is below them only breaks ties.
    var bits: UInt128 = 0
    for position in [top, top - 1, top - 2] {
      bits = bits << 32 | UInt128(position >= 0 ? digits[position] : 0)
    }
    var exponent = lowestExponent + 32 * (top - 2)
    var isInexact = isInexact || digits[..<max(0, top - 2)].contains { $0 != 0 }
    // A normal number has 53 bits; the lowest bit of all numbers is 2^-1074.
    let length = UInt128.bitWidth - bits.leadingZeroBitCount
    let excess = max(length - 53, -1074 - exponent)
    guard excess > 0 else { return scaled(UInt64(bits), by: exponent) }
    guard excess < UInt128.bitWidth else { return 0 }
    let half: UInt128 = 1 << UInt128(excess - 1)
    let rest = bits & ((half << 1) - 1)
    isInexact = isInexact || rest & (half - 1) != 0
    bits >>= UInt128(excess)
    exponent += excess
    if rest >= half, isInexact || bits & 1 == 1 { bits += 1 }
    return scaled(UInt64(bits), by: exponent)
  }

  /// Returns an integer of at most 53 bits times a power of two; the product is a `Double`, or too
  /// large.
  private static func scaled(_ integer: UInt64, by exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: Double(integer))
  }
}
