/// The mark that some programs put before text.
enum ByteOrderMark {
  /// Returns the first bytes of a text in UTF-8 without the mark.
  static func withoutMark(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return bytes }
    return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))
  }
}
