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
    let opened = swift_ucol_open(locale, &status)
    swift_ucol_setAttribute(opened, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    swift_ucol_setAttribute(opened, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
    // What is below zero is a note, such as that the language has no rules of its own.
    let isUsable = status.rawValue <= U_ZERO_ERROR.rawValue
    if let opened, !isUsable { swift_ucol_close(opened) }
    address = isUsable ? UInt(bitPattern: opened) : 0
  }

  deinit {
    if let collator { swift_ucol_close(collator) }
  }

  /// Tells one order from another: ICU's version of the rules, and Sectile's own.
  var version: String {
    guard let collator else { return "bytes" }
    var parts = [UInt8](repeating: 0, count: Int(U_MAX_VERSION_LENGTH))
    swift_ucol_getVersion(collator, &parts)
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
      var count = 0
      for unit in text.utf16 {
        units[count] = unit
        count += 1
      }
      /// Returns nil and the key's size where the room is too small.
      func attempt(in room: Int) -> (result: Int?, size: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { key in
          let size = Int(
            swift_ucol_getSortKey(
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
}
