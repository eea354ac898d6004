internal import Foundation
internal import SectileCore

extension ColumnEncoding {
  /// Whether decimal numbers have the form, and nothing else.
  internal var isDecimal: Bool { kind == .decimal || kind == .decimalReal }

  /// The form of an average of a column of this form: a real number of the same unit.
  internal var ofAverage: ColumnEncoding { Self(.decimalReal, scale: scale) }

  /// Returns a decimal number as a column of this form holds it.
  internal func storedValue(of decimal: Decimal) throws(ColumnValueError) -> StoredValue {
    guard !decimal.isNaN else {
      throw ColumnValueError("NaN cannot be stored, it has no decimal digits")
    }
    switch kind {
    case .standard: return .text(decimal.description)
    case .decimal: return .integer(try units(of: decimal))
    case .decimalReal:
      let shifted = decimal.movingPoint(by: Int(scale))
      guard let real = Double(shifted.description), real.isFinite else {
        throw ColumnValueError("the number is too large for a real number")
      }
      return .real(real)
    default: throw refusal(of: Decimal.self)
    }
  }

  /// Returns the decimal number that a column holds.
  internal func decimal(in column: StoredColumn) throws(ColumnValueError) -> Decimal {
    guard self == .standard || isDecimal else { throw refusal(of: Decimal.self) }
    let value = try column.value()
    if let decimal = decimal(from: value) { return decimal }
    throw column.mismatch(
      expected: self == .standard ? "a decimal number in its shortest form" : noun,
      hint: hint(forDecimal: value))
  }

  /// Returns the decimal number that a value of this form is; nil for every other value.
  internal func decimal(from value: StoredValue) -> Decimal? {
    switch (kind, value) {
    case (.standard, .text(let text)):
      Decimal(string: text).flatMap { !$0.isNaN && $0.description == text ? $0 : nil }
    case (.decimal, .integer(let units)), (.decimalReal, .integer(let units)):
      decimal(ofUnits: units)
    case (.decimalReal, .real(let units)):
      units == 0
        ? Decimal(0) : Decimal(string: units.description).map { $0.movingPoint(by: -Int(scale)) }
    default: nil
    }
  }

  /// Returns the average of a column of this form, of which a value is the average that SQLite
  /// knows; nil where there is none.
  internal func real(ofAverage value: StoredValue) -> Double? {
    ofAverage.decimal(from: value).flatMap { Double($0.description) }
  }

  /// Returns the standard form for a value that is a decimal number there; nil for any other one.
  internal static func ofDecimal(_ value: StoredValue) -> ColumnEncoding? {
    standard.decimal(from: value) == nil ? nil : .standard
  }

  /// What to do about a value that is no decimal number of this form; nil for the usual hint.
  private func hint(forDecimal value: StoredValue) -> String? {
    switch (kind, value) {
    case (.standard, .integer):
      "The stored value is an integer: if it counts hundredths, declare the column with "
        + ".decimal(scale: 2)."
    case (.decimal, .text):
      "Fill an INTEGER column with the numbers in a migration, or declare the column without a form."
    default: nil
    }
  }

  /// Returns what a section is called of which a value is the title, or the identity: a decimal
  /// number with all its digits behind the point, an average with those it has, any other value as
  /// it is.
  internal func title(of value: StoredValue) -> StoredValue {
    if kind == .decimalReal, let average = decimal(from: value) {
      return .text(average.description)
    }
    guard kind == .decimal, scale > 0, let units = Self.wholeNumber(value) else { return value }
    var digits = String(units.magnitude)
    let missing = Int(scale) + 1 - digits.utf8.count
    if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
    let sign = units < 0 ? "-" : ""
    return .text("\(sign)\(digits.dropLast(Int(scale))).\(digits.suffix(Int(scale)))")
  }

  /// The number that a value is: 1 and 1.0 are one identity, so they have one title.
  private static func wholeNumber(_ value: StoredValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real)
    case .null, .text, .blob: nil
    }
  }

  // MARK: - Units

  /// Returns the decimal number that so many units of the last digit are.
  private func decimal(ofUnits units: Int64) -> Decimal {
    guard units != 0 else { return Decimal(0) }
    // Without zeros at its end the number has one form, whatever the scale is.
    var (digits, exponent) = (units.magnitude, -Int(scale))
    while exponent < 0, digits.isMultiple(of: 10) {
      digits /= 10
      exponent += 1
    }
    return Decimal(
      sign: units < 0 ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
  }

  /// Returns how many units of the last digit a number is.
  private func units(of decimal: Decimal) throws(ColumnValueError) -> Int64 {
    var units = UnitCount()
    var fraction: Int?
    for byte in decimal.description.utf8 {
      switch byte {
      case UInt8(ascii: "-"): units.isNegative = true
      case UInt8(ascii: "."): fraction = 0
      default:
        if fraction == Int(scale) {
          guard byte == UInt8(ascii: "0") else { throw tooManyDigits }
        } else {
          units.append(Int64(byte) - 0x30)
          fraction = fraction.map { $0 + 1 }
        }
      }
    }
    for _ in (fraction ?? 0)..<Int(scale) { units.append(0) }
    guard let value = units.value else { throw tooLarge }
    return value
  }

  private var tooManyDigits: ColumnValueError {
    ColumnValueError(
      "the number has more digits behind the point than the \(scale) of \(self)",
      hint: "Round the number, or use a column of a larger scale, with its rows converted.")
  }

  private var tooLarge: ColumnValueError {
    ColumnValueError(
      "the number does not fit into the 64 bits of \(self)",
      hint: "Use a smaller number, or a column of a smaller scale, with its rows converted.")
  }
}

/// A whole number that is read digit by digit.
private struct UnitCount {
  var isNegative = false
  /// The number below zero, where there is one value more; nil where it is too large.
  private var negated: Int64? = 0

  mutating func append(_ digit: Int64) {
    guard let before = negated else { return }
    let (tens, isTooLarge) = before.multipliedReportingOverflow(by: 10)
    let (sum, isBeyond) = tens.subtractingReportingOverflow(digit)
    negated = isTooLarge || isBeyond ? nil : sum
  }

  var value: Int64? {
    guard let negated, !isNegative else { return negated }
    return negated == .min ? nil : -negated
  }
}

extension Decimal {
  /// Returns the number times a power of ten.
  fileprivate func movingPoint(by digits: Int) -> Decimal {
    Decimal(sign: isSignMinus ? .minus : .plus, exponent: digits, significand: magnitude)
  }
}
