internal import Foundation
internal import Sectile

/// What the rows that were looked at hold in one column: how many values of which form.
struct ColumnSample {
  private(set) var nulls = 0
  private(set) var integers = 0
  private(set) var reals = 0
  private(set) var texts = 0
  private(set) var blobs = 0
  /// Texts that are not UTF-8.
  private(set) var invalidTexts = 0

  /// Integers that are 0 or 1.
  private(set) var truthValues = 0
  /// Numbers that are dates of the years 1990 to 2099 as seconds since 1970.
  private(set) var recentSeconds = 0
  /// Numbers that are such dates as milliseconds.
  private(set) var recentMilliseconds = 0

  private(set) var dates = 0
  private(set) var internetDates = 0
  private(set) var internetMilliseconds = 0
  private(set) var upperUUIDs = 0
  private(set) var lowerUUIDs = 0
  private(set) var decimals = 0
  /// Decimal numbers with digits behind a point.
  private(set) var fractions = 0
  /// Blobs of 16 bytes.
  private(set) var shortBlobs = 0
  /// Those of them that say which version of UUIDs they are.
  private(set) var blobUUIDs = 0

  private(set) var jsonTexts = 0
  private(set) var stringArrays = 0
  private(set) var integerArrays = 0
  private(set) var stringObjects = 0
  /// JSON texts that are more than `[]` and `{}`.
  private(set) var filledJSONTexts = 0

  /// How many values there are, without NULL.
  var values: Int { integers + reals + texts + blobs + invalidTexts }

  /// How many characters of a text are read; a longer one is in no form but text.
  static let textLimit = 65_536

  /// Takes in a value, of which a text is cut off after one character more than the limit, and a
  /// blob after 17 bytes.
  mutating func add(_ value: StoredValue) {
    switch value {
    case .null: nulls += 1
    case .integer(let number):
      integers += 1
      if number == 0 || number == 1 { truthValues += 1 }
      if Self.recent.contains(Double(number)) { recentSeconds += 1 }
      if Self.recent.contains(Double(number) / 1000) { recentMilliseconds += 1 }
    case .real(let number):
      reals += 1
      if Self.recent.contains(number) { recentSeconds += 1 }
    case .text(let text): add(text)
    case .blob(let bytes):
      blobs += 1
      guard bytes.count == 16 else { return }
      shortBlobs += 1
      if (1...8).contains(bytes[6] >> 4), bytes[8] >> 6 == 0b10 { blobUUIDs += 1 }
    }
  }

  /// Takes in a text that is not UTF-8.
  mutating func addInvalidText() { invalidTexts += 1 }

  private mutating func add(_ text: String) {
    texts += 1
    let count = text.utf8.count
    switch count {
    case 19, 23: if DateText.date(from: text) != nil { dates += 1 }
    case 20: if DateText.date(fromInternet: text) != nil { internetDates += 1 }
    case 24: if DateText.date(fromInternet: text) != nil { internetMilliseconds += 1 }
    case 36:
      if let uuid = UUID(uuidString: text)?.uuidString {
        if uuid == text { upperUUIDs += 1 }
        if uuid.lowercased() == text { lowerUUIDs += 1 }
      }
    default: break
    }
    if count <= 40, let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first) {
      addDecimal(text)
    }
    // What one text disproves needs no look at the next one.
    if jsonTexts == texts - 1, ["[", "{"].contains(text.prefix(1)) { addJSON(text) }
  }

  private mutating func addDecimal(_ text: String) {
    guard let decimal = Decimal(string: text), !decimal.isNaN, decimal.description == text else {
      return
    }
    decimals += 1
    if text.contains(".") { fractions += 1 }
  }

  private mutating func addJSON(_ text: String) {
    guard text.unicodeScalars.count <= Self.textLimit else { return }
    let data = Data(text.utf8)
    guard (try? JSONSerialization.jsonObject(with: data)) != nil else { return }
    jsonTexts += 1
    if text.contains(where: { $0 == "\"" || $0.isNumber }) { filledJSONTexts += 1 }
    let decoder = JSONDecoder()
    if stringArrays == texts - 1, (try? decoder.decode([String].self, from: data)) != nil {
      stringArrays += 1
    }
    if integerArrays == texts - 1, (try? decoder.decode([Int64].self, from: data)) != nil {
      integerArrays += 1
    }
    if stringObjects == texts - 1, (try? decoder.decode([String: String].self, from: data)) != nil {
      stringObjects += 1
    }
  }

  private static let recent = 631_152_000.0..<4_102_444_800.0
}
