internal import Foundation
internal import SectileCore

extension ColumnEncoding {
  /// Returns a date as a column of this form holds it.
  internal func storedValue(of date: Date) throws(ColumnValueError) -> StoredValue {
    guard let text = DateText.text(from: date) else {
      throw ColumnValueError("the date is outside the years 0000…9999")
    }
    let seconds = date.timeIntervalSince1970
    switch kind {
    case .standard: return .text(text)
    case .unixSeconds: return .integer(Int64(seconds.rounded(.down)))
    case .unixSecondsReal: return .real(seconds)
    case .referenceSecondsReal: return .real(date.timeIntervalSinceReferenceDate)
    case .unixMilliseconds: return .integer(Int64((seconds * 1000).rounded()))
    case .iso8601Milliseconds: return .text(DateText.internet(text))
    case .iso8601:
      let whole = Date(timeIntervalSince1970: seconds.rounded(.down))
      return .text(DateText.internet(DateText.text(from: whole)?.dropLast(4) ?? text[...]))
    case .uuidBlob, .uuidLowercase, .decimal, .decimalReal: throw refusal(of: Date.self)
    }
  }

  /// Returns the date that a column holds.
  internal func date(in column: StoredColumn) throws(ColumnValueError) -> Date {
    switch kind {
    case .uuidBlob, .uuidLowercase, .decimal, .decimalReal: throw refusal(of: Date.self)
    default: break
    }
    let value = try column.value()
    if let date = date(from: value) { return date }
    throw column.mismatch(
      expected: self == .standard ? "a date as 'yyyy-MM-dd HH:mm:ss.SSS'" : noun,
      hint: Self.hint(toUse: Self.ofDate(value)))
  }

  /// Returns the date that a value of this form is; nil for every other value.
  internal func date(from value: StoredValue) -> Date? {
    switch (kind, value) {
    case (.standard, .text(let text)):
      return DateText.date(from: text)
    case (.iso8601, .text(let text)) where text.utf8.count == 20,
      (.iso8601Milliseconds, .text(let text)) where text.utf8.count == 24:
      return DateText.date(fromInternet: text)
    case (.unixSeconds, .integer(let seconds)), (.unixSecondsReal, .integer(let seconds)):
      return DateText.date(seconds: Double(seconds))
    case (.unixSecondsReal, .real(let seconds)):
      return DateText.date(seconds: seconds)
    case (.referenceSecondsReal, .integer(let seconds)):
      return DateText.date(seconds: Double(seconds) + Date.timeIntervalBetween1970AndReferenceDate)
    case (.referenceSecondsReal, .real(let seconds)):
      return DateText.date(seconds: seconds + Date.timeIntervalBetween1970AndReferenceDate)
    case (.unixMilliseconds, .integer(let milliseconds)):
      return DateText.date(seconds: Double(milliseconds) / 1000)
    default: return nil
    }
  }

  /// Returns the form in which a value is a date, if there is one.
  ///
  /// An integer may be seconds or milliseconds. From 100,000,000,000 on it is taken for
  /// milliseconds: as such it is of 1973 or later, as seconds it would be beyond the year 5000.
  internal static func ofDate(_ value: StoredValue) -> ColumnEncoding? {
    var forms: [ColumnEncoding] = [.standard, .unixSeconds, .unixSecondsReal, .unixMilliseconds]
    forms += [.iso8601, .iso8601Milliseconds]
    if case .integer(let number) = value, number.magnitude >= 100_000_000_000 {
      forms = [.unixMilliseconds]
    }
    return forms.first { $0.date(from: value) != nil }
  }
}
