/// How much a ``Feed`` keeps, and in what portions it hands out contents.
public struct FeedConfiguration: Hashable, Sendable {
  /// How many changesets are kept for clients that come back or are behind.
  public var keptChangesets: Int
  /// How many bytes are kept: the JSON that was made of the changesets, and an estimate of 64 bytes
  /// for each of their rows.
  ///
  /// The oldest go first; a changeset that is larger by itself is not kept at all.
  public var keptBytes: Int
  /// How many rows one part of a reset holds; where a shape tells none, how many sections.
  public var rowsPerPart: Int
  /// How many bytes of contents are kept for clients that come together, for as long as one of them
  /// reads.
  ///
  /// What there is beyond that is read and encoded again for those that are not close to each
  /// other.
  public var resetBytes: Int
  /// Whether a client whose position outlived what is kept, or the process, is told what became of
  /// rows by their identities, where the source has a change log: ``FeedEvent/Kind/keyed`` instead
  /// of a reset.
  ///
  /// A log holds the keys of rows and not what they were, so that nobody can tell whether a row
  /// that is gone was in the client's list. The answer names it all the same: the identities of
  /// rows that the client was never shown, such as another tenant's. So it is off unless identities
  /// are no secret.
  public var answersByKey: Bool

  /// Creates a configuration; numbers below the least that make sense, one each, are taken for
  /// that.
  public init(
    keptChangesets: Int = 256, keptBytes: Int = 8 * 1024 * 1024, rowsPerPart: Int = 500,
    resetBytes: Int = 16 * 1024 * 1024, answersByKey: Bool = false
  ) {
    self.keptChangesets = max(1, keptChangesets)
    self.keptBytes = max(1, keptBytes)
    self.rowsPerPart = max(1, rowsPerPart)
    self.resetBytes = max(1, resetBytes)
    self.answersByKey = answersByKey
  }
}
