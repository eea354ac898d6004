/// Encodes values as JSON that loses nothing, in the same way as `sectile export` and
/// `watch --ndjson` write the values of rows.
///
/// | Value | JSON |
/// |---|---|
/// | an integer within ±(2^53 − 1), a text, a truth value, nil | `1`, `"text"`, `true`, `null` |
/// | a larger integer, which many readers would round | `{"$integer":"9007199254740993"}` |
/// | a number | `1.0`; a point or an exponent tells it from an integer |
/// | a number that is not finite | `{"$real":"9e999"}`, `{"$real":"-9e999"}`, `{"$real":"nan"}` |
/// | `Data`, `[UInt8]` | `{"$blob":"00ff"}`, in hexadecimal |
/// | `URL`, `Decimal` | `"https://…"`, `"1.10"` |
/// | everything else | what it encodes itself as |
///
/// Members come in the order in which a type writes them, and there are no spaces and no line
/// breaks.
///
/// ```swift
/// try ExactJSON.encode(["id": Int64.max])  // {"id":{"$integer":"9223372036854775807"}}
/// ```
public enum ExactJSON {
  /// Encodes a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its JSON in UTF-8.
  /// - Throws: What the value throws; `EncodingError` where it writes nothing.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try append(value, to: &bytes)
    return bytes
  }

  /// Appends a value.
  static func append(_ value: some Encodable, to bytes: inout [UInt8]) throws {
    try JSONValueEncoder.node(of: value, []).write(to: &bytes)
  }
}
