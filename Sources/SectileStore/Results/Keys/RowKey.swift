package import SectileCore

/// The identity of a row: the values of its declared primary key.
///
/// Most keys are one integer, which gets a case of its own: it is hashed and compared without
/// touching an array.
package enum RowKey: Hashable, Sendable {
  case integer(Int64)
  case values([StoredValue])

  package init(_ values: [StoredValue]) {
    if values.count == 1, let integer = values[0].wholeNumber {
      self = .integer(integer)
    } else {
      self = .values(values)
    }
  }

  /// Creates the key of an identity.
  ///
  /// Most identities are integers of 64 bits, and need not become an array first.
  init<ID: EntityKey>(of id: ID) {
    if ID.self == Int64.self {
      self = .integer(unsafeBitCast(id, to: Int64.self))
    } else {
      self.init(id.keyValues)
    }
  }

  /// Returns the identity that has this key.
  ///
  /// - Throws: Where the key does not fit the type.
  func id<ID: EntityKey>(as type: ID.Type = ID.self) throws -> ID {
    if case .integer(let integer) = self, ID.self == Int64.self {
      return unsafeBitCast(integer, to: ID.self)
    }
    return try ID(keyValues: values)
  }

  package var values: [StoredValue] {
    switch self {
    case .integer(let integer): [.integer(integer)]
    case .values(let values): values
    }
  }

  /// Whether the key is one integer.
  var isInteger: Bool { if case .integer = self { true } else { false } }

  /// Whether the key is likely to stand before another in its table: an order for reading, no more.
  func comesBefore(_ other: RowKey) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.integer, .values): true
    case (.values, _): false
    }
  }

  /// Whether part of the key is NULL: such a key refers to nothing.
  var hasNull: Bool {
    guard case .values(let values) = self else { return false }
    return values.contains { if case .null = $0 { true } else { false } }
  }
}

extension StoredValue {
  /// The value as an integer, if SQLite holds the two for equal: 1 and 1.0 are one key.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real)
    default: nil
    }
  }
}

extension RowKey: CustomStringConvertible {
  package var description: String {
    values.map(\.description).joined(separator: ", ")
  }
}
