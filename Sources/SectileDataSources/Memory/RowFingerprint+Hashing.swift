internal import SectileCore

extension RowFingerprint {
  /// Returns a digest of a hashable item.
  @Sendable static func hashing(_ item: some Hashable) -> RowFingerprint {
    RowFingerprint(content: UInt64(bitPattern: Int64(item.hashValue)))
  }
}
