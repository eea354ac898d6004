internal import Sectile

/// The head of a record: the types of its values.
struct RecordHead {
  /// The types, in SQLite's numbers; only the first ones where the head is not complete.
  let types: [Int64]
  /// How many bytes the head has.
  let size: Int
  /// Whether all of the head was there.
  let isComplete: Bool
  /// Whether head and values are as long as the record.
  let isExact: Bool

  /// How many bytes a head has at most: SQLite takes a longer one for damage.
  ///
  /// A record of zeros that is as long as its head would otherwise be as many values.
  private static let sizeLimit: Int64 = 98_307

  /// Reads a head; nil where SQLite would not write it.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - range: Where the record is, or the beginning of it.
  ///   - length: How many bytes the whole record has.
  init?(_ bytes: [UInt8], in range: Range<Int>, length: Int) {
    var offset = range.lowerBound
    guard
      let said = FileNumber.variable(bytes, at: &offset, before: range.upperBound),
      said > 0, said <= Int64(length), said <= Self.sizeLimit
    else { return nil }
    let size = Int(said)
    let end = range.lowerBound + min(size, range.count)
    guard offset <= end else { return nil }
    isComplete = size <= range.count
    var types: [Int64] = []
    var body = 0
    while offset < end {
      guard let type = FileNumber.variable(bytes, at: &offset, before: end) else {
        if isComplete { return nil }
        break
      }
      guard let valueSize = Self.size(of: type), valueSize <= length - size - body else {
        return nil
      }
      body += valueSize
      types.append(type)
    }
    self.types = types
    self.size = size
    isExact = isComplete && size + body == length
  }

  /// Returns how many bytes a value of a type has; nil for no type.
  static func size(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...: Int((type - 12) / 2)
    default: nil
    }
  }
}

/// The values of a record.
struct StoredRecord {
  /// The values; text that is not UTF-8 is the blob of its bytes.
  private(set) var values: [StoredValue] = []
  /// The positions of text that is not UTF-8.
  private(set) var invalidText: [Int] = []

  /// Reads a record; nil where it makes no sense.
  ///
  /// - Parameters:
  ///   - bytes: All of its bytes.
  ///   - encoding: How text is stored.
  init?(_ bytes: [UInt8], encoding: PageFile.Encoding) {
    guard let head = RecordHead(bytes, in: bytes.indices, length: bytes.count), head.isComplete
    else { return nil }
    var offset = head.size
    for type in head.types {
      guard let size = RecordHead.size(of: type), size <= bytes.count - offset else { return nil }
      add(type, bytes[offset..<offset + size], encoding)
      offset += size
    }
  }

  private mutating func add(
    _ type: Int64, _ bytes: ArraySlice<UInt8>, _ encoding: PageFile.Encoding
  ) {
    switch type {
    case 0: values.append(.null)
    case 1...6: values.append(.integer(FileNumber.signed(bytes)))
    case 7:
      let number = Double(bitPattern: UInt64(bitPattern: FileNumber.signed(bytes)))
      values.append(number.isNaN ? .null : .real(number))
    case 8, 9: values.append(.integer(type - 8))
    case _ where type & 1 == 0: values.append(.blob(Array(bytes)))
    default: addText(bytes, encoding)
    }
  }

  private mutating func addText(_ bytes: ArraySlice<UInt8>, _ encoding: PageFile.Encoding) {
    if encoding == .utf8 {
      if let text = String(validating: bytes, as: UTF8.self) {
        values.append(.text(text))
      } else {
        invalidText.append(values.count)
        values.append(.blob(Array(bytes)))
      }
      return
    }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return encoding == .utf16BigEndian ? first << 8 | second : second << 8 | first
    }
    values.append(.text(String(decoding: units, as: UTF16.self)))
  }
}
