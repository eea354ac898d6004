internal import CCSV
internal import Sectile

/// A row of separated values, whose bytes are gone when the closure that hears it returns.
struct SeparatedRow {
  /// The number of the line it begins on.
  let line: Int
  private let bytes: UnsafePointer<UInt8>?
  private let fields: UnsafeBufferPointer<sectile_csv_field>

  /// Creates a row of fields that were gathered.
  init(line: Int, bytes: UnsafePointer<UInt8>?, fields: UnsafeBufferPointer<sectile_csv_field>) {
    self.line = line
    self.bytes = bytes
    self.fields = fields
  }

  /// The number of fields; an empty line has none.
  var count: Int { fields.count }

  /// The fields as they are written: NULL where nothing stands, else text.
  var values: [StoredValue] {
    (0..<count).map { self[$0].isEmpty ? .null : .text(self[$0].text) }
  }

  /// The field at a position; an empty one in a row that has none.
  subscript(position: Int) -> SeparatedField {
    guard position < fields.count else {
      return SeparatedField(bytes: UnsafeBufferPointer(start: nil, count: 0), isQuoted: false)
    }
    let field = fields[position]
    return SeparatedField(
      bytes: UnsafeBufferPointer(start: bytes.map { $0 + field.start }, count: field.count),
      isQuoted: field.isQuoted)
  }
}

/// A field of a row of separated values.
struct SeparatedField {
  /// What stands in it, without quotes around it.
  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether quotes stood around it.
  let isQuoted: Bool

  /// Whether there is nothing between its separators.
  var isEmpty: Bool { bytes.isEmpty && !isQuoted }
  /// Its text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
