import SectileCore

extension RowKey {
  /// Creates the key of an identity.
  ///
  /// Most identities are integers of 64 bits, or texts, and need not become an array first.
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - forms: The forms of the key's columns; none where all are the standard one.
  init<ID: EntityKey>(of id: ID, forms: [ColumnEncoding]) {
    if ID.self == Int64.self {
      self = .integer(unsafeBitCast(id, to: Int64.self))
    } else if ID.self == String.self {
      self = .value(.text(unsafeBitCast(id, to: String.self)))
    } else {
      self.init(forms.stored(fromStandard: id.keyValues))
    }
  }

  /// Returns the identity that has this key.
  ///
  /// - Parameters:
  ///   - type: The type of the identity.
  ///   - forms: The forms of the key's columns; none where all are the standard one.
  /// - Returns: The identity.
  /// - Throws: Where the key does not fit the type.
  func id<ID: EntityKey>(as type: ID.Type = ID.self, forms: [ColumnEncoding]) throws -> ID {
    if case .integer(let integer) = self, ID.self == Int64.self {
      return unsafeBitCast(integer, to: ID.self)
    }
    if case .value(.text(let text)) = self, ID.self == String.self {
      return unsafeBitCast(text, to: ID.self)
    }
    return try ID(keyValues: forms.standard(fromStored: values))
  }
}
