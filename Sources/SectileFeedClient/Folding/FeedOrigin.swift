internal import SectileCore

/// Whose contents a client shows, as far as the service tells it: which file, source, shape and
/// request.
struct FeedOrigin {
  /// What a position tells, beside a place; see `FeedPosition` of the module `SectileFeed`.
  private struct Marks {
    let fingerprint: UInt64
    let log: ResumePoint?

    private static let format: UInt8 = 2
    private static let hasLog: UInt8 = 1

    /// Nil where the text is no position of one feed: that of a service of its own, or of several
    /// views.
    init?(_ position: String) {
      guard let bytes = Base64URL.bytes(of: position), bytes.count > 4 else { return nil }
      var reader = PositionBytes(bytes.dropLast(4))
      guard reader.byte() == Self.format, let flags = reader.byte(), flags & ~Self.hasLog == 0,
        reader.number(ofBytes: 8) != nil, let fingerprint = reader.number(ofBytes: 8),
        reader.shortNumber() != nil
      else { return nil }
      var log: ResumePoint?
      if flags & Self.hasLog != 0 {
        guard let place = reader.place(), let request = reader.number(ofBytes: 8) else {
          return nil
        }
        log = ResumePoint(place: place, request: request)
      }
      guard reader.isAtEnd else { return nil }
      self.fingerprint = fingerprint
      self.log = log
    }
  }

  private var source: String?
  private var marks: Marks?
  /// The format that the marks were told in: the fingerprint is another one for each.
  private var format: Int?

  /// Takes in how a stream begins.
  ///
  /// - Throws: ``FeedClientError`` with `otherSource` where it is that of another file.
  mutating func take(source next: String?) throws(FeedClientError) {
    guard let next else { return }
    if let source, source != next { throw .otherSource("Another file") }
    source = next
  }

  /// Takes in why contents are told anew to a client that had a position.
  ///
  /// - Throws: ``FeedClientError`` with `otherSource` or `otherRequest`.
  func take(reason: String) throws(FeedClientError) {
    if reason == ResetReason.otherStore.name { throw .otherSource("Another file") }
    if reason == ResetReason.otherRequest.name { throw .otherRequest }
  }

  /// Takes in the position at the end of a reset.
  ///
  /// - Throws: ``FeedClientError`` with `otherSource` or `otherRequest`.
  mutating func take(position: String, format next: Int?) throws(FeedClientError) {
    guard let found = Marks(position) else { return }
    if let marks {
      if let before = marks.log, let after = found.log {
        if before.place.store != after.place.store { throw .otherSource("Another file") }
        if before.request != after.request { throw .otherRequest }
      }
      if format == next, marks.fingerprint != found.fingerprint {
        throw .otherSource("Another source or shape")
      }
    }
    (marks, format) = (found, next)
  }
}
