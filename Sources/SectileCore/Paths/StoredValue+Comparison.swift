extension StoredValue: Equatable {
  /// Returns whether two values are one value to SQLite under the `BINARY` collation.
  public static func == (left: StoredValue, right: StoredValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): haveSameBytes(left, right)
    case (.blob(let left), .blob(let right)): left == right
    case (.real, .real), (.integer, .real), (.real, .integer): order(left, right) == 0
    default: false
    }
  }
}

extension StoredValue: Comparable {
  /// Returns whether SQLite sorts the left value before the right one under `BINARY`.
  public static func < (left: StoredValue, right: StoredValue) -> Bool {
    order(left, right) < 0
  }

  /// Returns a negative number, zero or a positive number, as the left value sorts before, with or
  /// after the right one.
  private static func order(_ left: StoredValue, _ right: StoredValue) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): threeWay(left, right)
    case (.integer(let left), .real(let right)): compare(left, right)
    case (.real(let left), .integer(let right)): -compare(right, left)
    case (.real(let left), .real(let right)): compare(left, right)
    case (.text(let left), .text(let right)): compareBytes(left, right)
    case (.blob(let left), .blob(let right)): compareBytes(left, right)
    default: threeWay(left.storageRank, right.storageRank)
    }
  }

  /// Where the storage class sorts: NULL, numbers, text, blobs.
  private var storageRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func threeWay<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    left < right ? -1 : (right < left ? 1 : 0)
  }

  /// Compares two real numbers; NaN, which SQLite never stores, sorts before all others.
  private static func compare(_ left: Double, _ right: Double) -> Int {
    if left.isNaN || right.isNaN {
      return threeWay(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1)
    }
    return threeWay(left, right)
  }

  /// Compares an integer with a real number without rounding either: beyond 2^53 a conversion to
  /// `Double` would make neighbours equal.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    guard let whole = wholePart(of: right) else { return right > 0 ? -1 : 1 }
    if left != whole { return left < whole ? -1 : 1 }
    return threeWay(Double(whole), right)
  }

  /// Returns a real number without its fraction, or nil where that is no 64-bit integer.
  ///
  /// `rounded(_:)` and `Int64(exactly:)` would call the C mathematics library, which nothing links
  /// that does without Foundation.
  private static func wholePart(of value: Double) -> Int64? {
    value >= -0x1p63 && value < 0x1p63 ? Int64(value) : nil
  }

  /// Whether it is a real number without a fraction, within the range of integers.
  var isWhole: Bool {
    guard case .real(let value) = self, let whole = Self.wholePart(of: value) else { return false }
    return Double(whole) == value
  }

  @usableFromInline
  static func haveSameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && withBytes(left, right) { $0.elementsEqual($1) }
  }

  private static func compareBytes(_ left: String, _ right: String) -> Int {
    withBytes(left, right) { compareBytes($0, $1) }
  }

  private static func withBytes<Result>(
    _ left: String, _ right: String,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { right in body(left, right) } }
  }

  private static func compareBytes(
    _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
  ) -> Int {
    if left.lexicographicallyPrecedes(right) { return -1 }
    return left.elementsEqual(right) ? 0 : 1
  }
}

extension StoredValue: Hashable {
  /// Hashes the value so that equal values hash alike: `1` and `1.0`, `0.0` and `-0.0`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storageRank)
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value):
      if let whole = Self.wholePart(of: value), Double(whole) == value {
        hasher.combine(whole)
      } else {
        hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
      }
    case .text(let value):
      let hashed: Void? = value.utf8.withContiguousStorageIfAvailable {
        hasher.combine(bytes: UnsafeRawBufferPointer($0))
      }
      if hashed == nil {
        Array(value.utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
      }
      hasher.combine(value.utf8.count)
    case .blob(let value): hasher.combine(value)
    }
  }
}
