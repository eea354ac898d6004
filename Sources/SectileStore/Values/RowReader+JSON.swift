internal import SectileCore

extension RowReader {
  /// Reads the next column as JSON text.
  ///
  /// - Throws: A ``StoreError`` with the code `decodingFailed` if it is no text, no JSON, or JSON
  ///   of another shape.
  public mutating func nextJSON<Value: Decodable>(
    _ type: Value.Type = Value.self
  ) throws(StoreError) -> Value {
    let column = try nextColumn()
    do throws(ColumnValueError) {
      return try Self.decode(type, from: column)
    } catch {
      throw failure(error, at: column)
    }
  }

  /// Reads the next column as JSON text, or nil if it is NULL.
  ///
  /// - Throws: A ``StoreError`` with the code `decodingFailed` if it is neither.
  public mutating func nextJSON<Value: Decodable>(
    _ type: Value?.Type = Value?.self
  ) throws(StoreError) -> Value? {
    let column = try nextColumn()
    guard !column.isNull else { return nil }
    do throws(ColumnValueError) {
      return try Self.decode(Value.self, from: column)
    } catch {
      throw failure(error, at: column)
    }
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from column: StoredColumn
  ) throws(ColumnValueError) -> Value {
    let text = try column.text()
    do {
      return try JSONText.decode(type, from: text)
    } catch {
      let (what, value) = (JSONText.kind(of: error), StoredValue.text(text))
      throw ColumnValueError(
        "expected JSON of \(type), found \(column.summary) (\(what))", value: value)
    }
  }
}
