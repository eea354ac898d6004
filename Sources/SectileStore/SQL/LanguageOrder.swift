import Foundation
import _FoundationICU

/// The order of texts in a language, by the Unicode Collation Algorithm and the language's own
/// rules.
///
/// Texts are compared by their *sort keys*: what orders bytes is an order of texts, whatever the
/// texts are. The functions that compare two texts at once are not used, because an index needs an
/// order without exceptions: ICU's skips what both begin with, and is wrong then where digits of
/// several scripts follow one another, and Foundation's `compare` answers the same for some pairs
/// of texts in both directions.
///
/// ```text
/// a９９  <  a９เ  <  a９日  <  a９９      what ICU's comparison says in German
/// ```
final class LanguageOrder: Sendable {
  /// Changes where ``compare(_:_:)`` itself does.
  private static let ownVersion = 1

  /// How many accents behind one another count, as in Unicode's stream-safe texts.
  ///
  /// ICU's time is the square of their number. Texts that only differ behind these are compared by
  /// bytes.
  private static let accentLimit = 30

  /// Up to how many units a text is taken as it is, whatever it is.
  private static let shortLength = 256

  /// Where ICU's collator is, which several threads may use as long as nobody changes it; zero
  /// where there is none, and bytes are compared.
  private let address: UInt

  private var collator: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// Creates the order of a language.
  ///
  /// - Parameter locale: The locale in ICU's form; the empty text for the order of no language. One
  ///   that is not known stands for the nearest that is.
  init(of locale: String) {
    var status = U_ZERO_ERROR
    let opened = ICU.open(locale, &status)
    ICU.setAttribute(opened, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    ICU.setAttribute(opened, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
    // What is below zero is a note, such as that the language has no rules of its own.
    let isUsable = status.rawValue <= U_ZERO_ERROR.rawValue
    if let opened, !isUsable { ICU.close(opened) }
    address = isUsable ? UInt(bitPattern: opened) : 0
  }

  deinit {
    if let collator { ICU.close(collator) }
  }

  /// Tells one order from another: ICU's version of the rules, and Sectile's own.
  var version: String {
    guard let collator else { return "bytes" }
    var parts = [UInt8](repeating: 0, count: Int(U_MAX_VERSION_LENGTH))
    ICU.getVersion(collator, &parts)
    return "\(Self.ownVersion) \(parts.map(String.init).joined(separator: "."))"
  }

  /// Compares two texts, as `memcmp` answers; texts that the language holds for equal by bytes.
  ///
  /// - Complexity: O(*n*) in the length of both texts.
  func compare(_ left: String, _ right: String) -> Int {
    let order = withSortKey(of: left) { left in
      withSortKey(of: right) { right in Self.compare(left, right) }
    }
    if order != 0 { return order }
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        Self.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
  }

  private static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let count = min(left.count, right.count)
    if count > 0, let start = left.baseAddress, let other = right.baseAddress {
      let order = memcmp(start, other, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  /// Calls a closure with a text's sort key; with no bytes where there is no collator.
  private func withSortKey(of text: String, _ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    guard let collator else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: text.utf16.count + 1) { units in
      let count = Self.write(text, to: units)
      /// Returns nil and the key's size where the room is too small.
      func attempt(in room: Int) -> (result: Int?, size: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { key in
          let size = Int(
            ICU.getSortKey(
              collator, units.baseAddress, Int32(clamping: count), key.baseAddress,
              Int32(clamping: room)))
          guard size <= room else { return (nil, size) }
          return (body(UnsafeRawBufferPointer(start: key.baseAddress, count: size)), size)
        }
      }
      let first = attempt(in: 4 * count + 32)
      return first.result ?? attempt(in: first.size).result ?? 0
    }
  }

  /// Writes what counts of a text, and returns how many units that is.
  private static func write(_ text: String, to units: UnsafeMutableBufferPointer<UInt16>) -> Int {
    var count = 0
    if units.count <= shortLength {
      for unit in text.utf16 {
        units[count] = unit
        count += 1
      }
      return count
    }
    var accentCount = 0
    for scalar in text.unicodeScalars {
      accentCount = scalar.isAccent ? accentCount + 1 : 0
      guard accentCount <= accentLimit else { continue }
      for unit in scalar.utf16 {
        units[count] = unit
        count += 1
      }
    }
    return count
  }
}

extension Unicode.Scalar {
  /// Whether it stands on the letter before it, so that several are sorted for comparing.
  fileprivate var isAccent: Bool {
    switch value {
    case ..<0x300: false
    // These are made of two such, and are none by their own class.
    case 0xF73, 0xF75, 0xF81: true
    default: properties.canonicalCombiningClass != .notReordered
    }
  }
}

/// The functions of ICU, whose names have a prefix on Linux from Swift 6.3 on.
private enum ICU {
  #if compiler(>=6.3)
    static func open(_ locale: String, _ status: inout UErrorCode) -> OpaquePointer? {
      swift_ucol_open(locale, &status)
    }

    static func setAttribute(
      _ collator: OpaquePointer?, _ attribute: UColAttribute, _ value: UColAttributeValue,
      _ status: inout UErrorCode
    ) {
      swift_ucol_setAttribute(collator, attribute, value, &status)
    }

    static func close(_ collator: OpaquePointer) { swift_ucol_close(collator) }

    static func getVersion(_ collator: OpaquePointer, _ version: UnsafeMutablePointer<UInt8>) {
      swift_ucol_getVersion(collator, version)
    }

    static func getSortKey(
      _ collator: OpaquePointer, _ text: UnsafePointer<UInt16>?, _ count: Int32,
      _ key: UnsafeMutablePointer<UInt8>?, _ room: Int32
    ) -> Int32 {
      swift_ucol_getSortKey(collator, text, count, key, room)
    }
  #else
    static func open(_ locale: String, _ status: inout UErrorCode) -> OpaquePointer? {
      ucol_open(locale, &status)
    }

    static func setAttribute(
      _ collator: OpaquePointer?, _ attribute: UColAttribute, _ value: UColAttributeValue,
      _ status: inout UErrorCode
    ) {
      ucol_setAttribute(collator, attribute, value, &status)
    }

    static func close(_ collator: OpaquePointer) { ucol_close(collator) }

    static func getVersion(_ collator: OpaquePointer, _ version: UnsafeMutablePointer<UInt8>) {
      ucol_getVersion(collator, version)
    }

    static func getSortKey(
      _ collator: OpaquePointer, _ text: UnsafePointer<UInt16>?, _ count: Int32,
      _ key: UnsafeMutablePointer<UInt8>?, _ room: Int32
    ) -> Int32 {
      ucol_getSortKey(collator, text, count, key, room)
    }
  #endif
}
