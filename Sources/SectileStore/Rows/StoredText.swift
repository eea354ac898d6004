internal import Foundation

/// Makes strings of the bytes of text columns, strictly and fast.
///
/// The initializer of the standard library that validates costs several times what these do.
enum StoredText {
  /// Returns the text of bytes; nil if they are not UTF-8.
  @inline(__always)
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return "" }
    guard isASCII(UnsafeRawPointer(start), count: bytes.count) else { return validate(bytes) }
    guard bytes.count <= smallCount else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { target in
      target.baseAddress?.update(from: start, count: bytes.count)
      return bytes.count
    }
  }

  /// How many bytes a string holds without an allocation.
  private static let smallCount = 15

  /// Decoding puts U+FFFD for what is not UTF-8, so that other bytes come out than went in.
  private static func validate(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var text = String(decoding: bytes, as: UTF8.self)
    let isSame = text.withUTF8 { decoded in
      guard decoded.count == bytes.count, let copy = decoded.baseAddress,
        let start = bytes.baseAddress
      else { return false }
      return memcmp(copy, start, bytes.count) == 0
    }
    return isSame ? text : nil
  }

  /// Looks for a byte above 127, eight bytes at a time; the last eight may overlap the ones before.
  @inline(__always)
  private static func isASCII(_ start: UnsafeRawPointer, count: Int) -> Bool {
    var bits: UInt64 = 0
    if count >= 8 {
      let last = count &- 8
      var offset = 0
      while offset < last {
        bits |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      bits |= start.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    } else {
      for offset in 0..<count {
        bits |= UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
      }
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
