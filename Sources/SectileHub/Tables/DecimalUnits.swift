/// Decimal numbers as the whole number of their smallest units, of which ten to the power of a
/// scale are one.
package enum DecimalUnits {
  /// The number of units of a text of digits, such as `-12.30`; nil for what has more digits behind
  /// the point than the scale, unless they are zeros, and for what does not fit.
  package static func units(_ text: String, scale: Int) -> Int64? {
    let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let last = parts[0].last, (0x30...0x39).contains(last)
    else { return nil }
    var fraction: [UInt8] = parts.count == 2 ? Array(parts[1]) : []
    while fraction.count > scale, fraction.last == 0x30 { fraction.removeLast() }
    guard fraction.count <= scale, fraction.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    fraction += Array(repeating: 0x30, count: scale - fraction.count)
    return Int64(String(decoding: Array(parts[0]) + fraction, as: UTF8.self))
  }

  /// The text of a number of units, with all digits of the scale.
  package static func text(_ units: Int64, scale: Int) -> String {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
    let sign = units < 0 ? "-" : ""
    return scale == 0
      ? sign + padded : "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))"
  }
}
