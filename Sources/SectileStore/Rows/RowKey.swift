package import SectileCore

/// The identity of a row: the values of its declared primary key.
///
/// Most keys are one integer, or at least one value, which get cases of their own: they are hashed
/// and compared without touching an array.
package enum RowKey: Hashable, Sendable {
  case integer(Int64)
  /// One value that is no whole number.
  case value(StoredValue)
  /// Any other number of values.
  case values([StoredValue])

  package init(_ values: [StoredValue]) {
    if values.count == 1 { self.init(values[0]) } else { self = .values(values) }
  }

  package init(_ value: StoredValue) {
    self = value.wholeNumber.map { .integer($0) } ?? .value(value)
  }

  package var values: [StoredValue] {
    switch self {
    case .integer(let integer): [.integer(integer)]
    case .value(let value): [value]
    case .values(let values): values
    }
  }

  /// Whether the key is likely to stand before another in its table: an order for reading, no more.
  func comesBefore(_ other: RowKey) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.integer, _): true
    case (_, _): false
    }
  }

  /// Whether part of the key is NULL: such a key refers to nothing.
  var hasNull: Bool {
    switch self {
    case .integer: false
    case .value(let value): value == .null
    case .values(let values): values.contains(.null)
    }
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
