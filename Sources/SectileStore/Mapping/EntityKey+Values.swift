public import Foundation
public import SectileCore

extension String: EntityKey {
  /// The text.
  public var keyValues: [StoredValue] { [.text(self)] }

  /// Creates a string from a key of one text.
  public init(keyValues: [StoredValue]) throws {
    guard keyValues.count == 1, case .text(let text) = keyValues[0] else {
      throw StoreError.key(keyValues, isNot: "one text")
    }
    self = text
  }
}

extension UUID: EntityKey {
  /// The text form in upper case.
  public var keyValues: [StoredValue] { [.text(uuidString)] }

  /// Creates an identifier from a key of one text that is a UUID in upper case.
  public init(keyValues: [StoredValue]) throws {
    guard keyValues.count == 1, case .text(let text) = keyValues[0],
      let value = UUID(uuidString: text), value.uuidString == text
    else {
      let form = keyValues.count == 1 ? ColumnEncoding.ofUUID(keyValues[0]) : nil
      throw StoreError.key(
        keyValues, isNot: "one UUID in upper case", hint: ColumnEncoding.hint(toUse: form))
    }
    self = value
  }
}

extension Optional: EntityKey where Wrapped: EntityKey {
  /// NULL for nil, else the values of the wrapped key.
  public var keyValues: [StoredValue] { self?.keyValues ?? [.null] }

  /// Creates nil from one NULL, else a wrapped key.
  public init(keyValues: [StoredValue]) throws {
    if keyValues.count == 1, case .null = keyValues[0] {
      self = nil
    } else {
      self = try Wrapped(keyValues: keyValues)
    }
  }
}

// Integers of every width that 64 bits with a sign can hold. `UInt` and `UInt64` are no keys: half
// of their values have no place in SQLite, and a key cannot fail.

/// Returns the integer that is the only value of a key.
private func integer<Integer: FixedWidthInteger>(
  in keyValues: [StoredValue], as type: Integer.Type
) throws -> Integer {
  guard keyValues.count == 1, case .integer(let wide) = keyValues[0],
    let value = Integer(exactly: wide)
  else {
    throw StoreError.key(keyValues, isNot: "one integer that fits \(type)")
  }
  return value
}

extension Int64: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: Int64.self)
  }
}

extension Int: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: Int.self)
  }
}

extension Int32: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: Int32.self)
  }
}

extension Int16: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: Int16.self)
  }
}

extension Int8: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: Int8.self)
  }
}

extension UInt32: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: UInt32.self)
  }
}

extension UInt16: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: UInt16.self)
  }
}

extension UInt8: EntityKey {
  /// The integer.
  public var keyValues: [StoredValue] { [.integer(Int64(self))] }

  /// Creates an integer from a key of one integer that fits.
  public init(keyValues: [StoredValue]) throws {
    self = try integer(in: keyValues, as: UInt8.self)
  }
}
