internal import SectileCore

extension RowWriter {
  /// Appends a value as JSON text; nil as NULL.
  ///
  /// Keys are sorted, so equal values are equal text.
  ///
  /// - Throws: A ``StoreError`` with the code `encodingFailed` if the value cannot be encoded.
  public mutating func appendJSON<Value: Encodable>(_ value: Value?) throws(StoreError) {
    do throws(ColumnValueError) {
      guard let value else { return try append(stored: .null) }
      try append(text: try Self.text(of: value))
    } catch {
      throw failure(error)
    }
  }

  private static func text(of value: some Encodable) throws(ColumnValueError) -> String {
    do {
      return try JSONText.encode(value)
    } catch {
      throw ColumnValueError("it has no JSON form (\(JSONText.kind(of: error)))")
    }
  }
}
