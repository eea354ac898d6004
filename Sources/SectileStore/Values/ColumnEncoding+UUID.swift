internal import Foundation
internal import SectileCore

extension ColumnEncoding {
  /// Returns a UUID as a column of this form holds it.
  internal func storedValue(of uuid: UUID) throws(ColumnValueError) -> StoredValue {
    switch kind {
    case .standard: return .text(uuid.uuidString)
    case .uuidBlob: return .blob(withUnsafeBytes(of: uuid.uuid) { bytes in [UInt8](bytes) })
    case .uuidLowercase: return .text(uuid.uuidString.lowercased())
    default: throw refusal(of: UUID.self)
    }
  }

  /// Returns the UUID that a column holds.
  internal func uuid(in column: StoredColumn) throws(ColumnValueError) -> UUID {
    let value: StoredValue
    switch kind {
    case .standard, .uuidBlob, .uuidLowercase: value = try column.value()
    default: throw refusal(of: UUID.self)
    }
    if let uuid = uuid(from: value) { return uuid }
    throw column.mismatch(
      expected: self == .standard ? "a UUID in upper case" : noun,
      hint: Self.hint(toUse: Self.ofUUID(value)))
  }

  /// Returns the UUID that a value of this form is; nil for every other value.
  internal func uuid(from value: StoredValue) -> UUID? {
    switch (kind, value) {
    case (.standard, .text(let text)):
      UUID(uuidString: text).flatMap { $0.uuidString == text ? $0 : nil }
    case (.uuidLowercase, .text(let text)):
      UUID(uuidString: text).flatMap { $0.uuidString.lowercased() == text ? $0 : nil }
    case (.uuidBlob, .blob(let bytes)) where bytes.count == MemoryLayout<uuid_t>.size:
      UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    default: nil
    }
  }

  /// Returns the form in which a value is a UUID, if there is one.
  internal static func ofUUID(_ value: StoredValue) -> ColumnEncoding? {
    [.standard, .uuidBlob, .uuidLowercase].first { $0.uuid(from: value) != nil }
  }
}
