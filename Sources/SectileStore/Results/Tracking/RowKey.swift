package import SectileCore

/// The identity of a row: the values of its declared primary key.
///
/// Most keys are one integer, which gets a case of its own: it is hashed and compared without
/// touching an array.
package enum RowKey: Hashable, Sendable {
  case integer(Int64)
  case values([StoredValue])

  package init(_ values: [StoredValue]) {
    if values.count == 1, case .integer(let integer) = values[0] {
      self = .integer(integer)
    } else {
      self = .values(values)
    }
  }

  package var values: [StoredValue] {
    switch self {
    case .integer(let integer): [.integer(integer)]
    case .values(let values): values
    }
  }

  /// Whether part of the key is NULL: such a key refers to nothing.
  var hasNull: Bool {
    guard case .values(let values) = self else { return false }
    return values.contains { if case .null = $0 { true } else { false } }
  }
}

extension RowKey: CustomStringConvertible {
  package var description: String {
    values.map(\.description).joined(separator: ", ")
  }
}
