internal import SectileCore

extension StoredRow: Encodable {
  /// Encodes the row as an object with its columns' names; values as ``StoredValue`` encodes
  /// itself.
  ///
  /// Of columns with one name the first counts, as in ``subscript(_:)``.
  public func encode(to encoder: any Encoder) throws {
    try encode(to: encoder, invalidText: [])
  }

  /// Encodes the row, with the blobs of some columns as text that is not UTF-8.
  func encode(to encoder: any Encoder, invalidText: Set<String>) throws {
    var container = encoder.container(keyedBy: ColumnKey.self)
    var written: Set<String> = []
    for (column, value) in zip(columns, values) where written.insert(column).inserted {
      let key = ColumnKey(stringValue: column)
      if case .blob(let bytes) = value, invalidText.contains(column) {
        try container.encode(StoredValue.InvalidText(bytes), forKey: key)
      } else {
        try container.encode(value, forKey: key)
      }
    }
  }

  private struct ColumnKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}
