internal import SectileCore

extension StoredRow: Encodable {
  /// Encodes the row as an object with its columns' names; values as ``StoredValue`` encodes itself.
  ///
  /// Of columns with one name the first counts, as in ``subscript(_:)``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ColumnKey.self)
    var written: Set<String> = []
    for (column, value) in zip(columns, values) where written.insert(column).inserted {
      try container.encode(value, forKey: ColumnKey(stringValue: column))
    }
  }

  private struct ColumnKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}
