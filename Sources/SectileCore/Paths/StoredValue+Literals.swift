extension StoredValue: ExpressibleByNilLiteral {
  /// Creates SQL NULL.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension StoredValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension StoredValue: ExpressibleByFloatLiteral {
  /// Creates a real number.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension StoredValue: ExpressibleByStringLiteral {
  /// Creates a text.
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}
