/// A value as SQLite stores it: one of its five storage classes.
///
/// Stored values are section identities, components of row keys, and the values bound to SQL.
/// They compare as SQLite compares them under the `BINARY` collation: NULL, then numbers by value,
/// then text by its UTF-8 bytes, then blobs. Equality follows the same rule, so the NFC and NFD
/// forms of `é` are two values, although Swift's `String ==` holds them equal.
///
/// ```swift
/// StoredValue.text("e\u{301}") == .text("\u{E9}")  // false: other bytes
/// StoredValue.integer(1) == .real(1.0)             // true: one number
/// StoredValue.text("9") > .integer(10)             // true: text sorts after every number
/// ```
public enum StoredValue: Sendable {
  /// SQL NULL.
  case null
  /// A 64-bit signed integer.
  case integer(Int64)
  /// A 64-bit floating-point number; never NaN, which SQLite stores as NULL.
  case real(Double)
  /// Text, compared by its UTF-8 bytes.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}
