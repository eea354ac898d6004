/// Where a client of a ``Feed`` stands: an opaque, short text that it hands back to go on from there.
///
/// A position belongs to one feed of one process, and to one shape of its items. Handed to another, it is
/// answered by the whole contents, never by changes that do not fit: a new process does not go on with
/// another's numbers. What a client makes of it, or sends instead, is harmless for the same reason.
///
/// ```swift
/// let position = request.headers["Last-Event-ID"].flatMap { FeedPosition($0) }
/// for await event in try await feed.events(after: position) { … }
/// ```
///
/// The text consists of letters, digits, `-` and `_`; it is not a secret, and proves nothing about who
/// sends it.
public struct FeedPosition: Hashable, Sendable {
  /// What a change log in the file adds: with it a position outlives the process.
  package struct LogPlace: Hashable, Sendable {
    /// The identity of the store.
    package var store: UInt128
    /// The number of the log's last row.
    package var sequence: UInt64
    /// What that row holds beside its number, so that a log that was written anew is noticed.
    package var salt: UInt64

    package init(store: UInt128, sequence: UInt64, salt: UInt64) {
      self.store = store
      self.sequence = sequence
      self.salt = salt
    }
  }

  /// A random number of the feed.
  package var epoch: UInt64
  /// The version of the contents.
  package var version: UInt64
  /// What was asked for, and in which shape.
  package var fingerprint: UInt64
  /// The place in the store's change log; nil where there is none.
  package var log: LogPlace?

  package init(epoch: UInt64, version: UInt64, fingerprint: UInt64, log: LogPlace? = nil) {
    self.epoch = epoch
    self.version = version
    self.fingerprint = fingerprint
    self.log = log
  }
}
