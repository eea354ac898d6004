internal import Foundation
package import SectileCore

extension ColumnEncoding {
  /// Returns a value of a key, which is in the standard form, as a column of this form holds it.
  ///
  /// What is no UUID, date or decimal number that the form holds stays as it is: no row has it.
  package func stored(fromStandard value: StoredValue) -> StoredValue {
    if self == .standard { return value }
    if isDecimal {
      guard let decimal = Self.standard.decimal(from: value),
        let stored = try? storedValue(of: decimal)
      else { return value }
      return stored
    }
    if let uuid = Self.standard.uuid(from: value), let stored = try? storedValue(of: uuid) {
      return stored
    }
    if let date = Self.standard.date(from: value), let stored = try? storedValue(of: date) {
      return stored
    }
    return value
  }

  /// Returns a value that a column of this form holds in the standard form; nil for a value in
  /// another form.
  package func standard(fromStored value: StoredValue) -> StoredValue? {
    if self == .standard || value == .null { return value }
    if isDecimal { return decimal(from: value).map { .text($0.description) } }
    if let uuid = uuid(from: value) { return .text(uuid.uuidString) }
    return date(from: value).flatMap(DateText.text).map { .text($0) }
  }
}

extension [ColumnEncoding] {
  /// Returns the values of a key as the columns hold them; no forms are the standard ones.
  package func stored(fromStandard values: [StoredValue]) -> [StoredValue] {
    guard !isEmpty, count == values.count else { return values }
    return zip(self, values).map { $0.stored(fromStandard: $1) }
  }

  /// Returns the values of a key, which columns hold, in the standard form.
  ///
  /// - Throws: `decodingFailed` for a value that is not in the form of its column.
  package func standard(fromStored values: [StoredValue]) throws(StoreError) -> [StoredValue] {
    guard !isEmpty, count == values.count else { return values }
    var standard: [StoredValue] = []
    for (form, value) in zip(self, values) {
      guard let value = form.standard(fromStored: value) else {
        let found =
          form.isDecimal
          ? ColumnEncoding.ofDecimal(value)
          : ColumnEncoding.ofUUID(value) ?? ColumnEncoding.ofDate(value)
        throw .key(values, isNot: form.noun, hint: ColumnEncoding.hint(toUse: found))
      }
      standard.append(value)
    }
    return standard
  }
}
