/// How much a ``Feed`` keeps, and in what portions it hands out contents.
public struct FeedConfiguration: Hashable, Sendable {
  /// How many changesets are kept for clients that come back or are behind.
  public var keptChangesets: Int
  /// How many bytes are kept: the JSON that was made of the changesets, and an estimate of 64 bytes for
  /// each of their rows.
  ///
  /// The oldest go first; a changeset that is larger by itself is not kept at all.
  public var keptBytes: Int
  /// How many rows one part of a reset holds.
  public var rowsPerPart: Int
  /// How many bytes of contents are kept for clients that come together, for as long as one of them reads.
  ///
  /// What there is beyond that is read and encoded again for those that are not close to each other.
  public var resetBytes: Int

  /// Creates a configuration; numbers below the least that make sense, one each, are taken for that.
  public init(
    keptChangesets: Int = 256, keptBytes: Int = 8 * 1024 * 1024, rowsPerPart: Int = 500,
    resetBytes: Int = 16 * 1024 * 1024
  ) {
    self.keptChangesets = max(1, keptChangesets)
    self.keptBytes = max(1, keptBytes)
    self.rowsPerPart = max(1, rowsPerPart)
    self.resetBytes = max(1, resetBytes)
  }
}
