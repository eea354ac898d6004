package import SectileCore

/// Where a client of a ``Feed`` stands: an opaque, short text that it hands back to go on from
/// there.
///
/// A position belongs to one feed of one process, and to one shape of its items. Handed to another,
/// it is answered by the whole contents, never by changes that do not fit: a new process does not
/// go on with another's numbers. Where the source has a change log, the position holds a place in
/// it, too: with ``FeedConfiguration/answersByKey`` a new process tells what became of rows since.
/// What a client makes of it, or sends instead, is harmless for the same reason.
///
/// ```swift
/// let position = request.headers["Last-Event-ID"].flatMap { FeedPosition($0) }
/// for await event in try await feed.events(after: position) { … }
/// ```
///
/// The text consists of letters, digits, `-` and `_`; it is not a secret, and proves nothing about
/// who sends it.
public struct FeedPosition: Hashable, Sendable {
  /// A random number of the feed.
  package var epoch: UInt64
  /// The version of the contents.
  package var version: UInt64
  /// What was asked for, and in which shape.
  package var fingerprint: UInt64
  /// What another process can go on from: a place in the store's change log, and a number for the
  /// request; nil where there is no log.
  package var log: ResumePoint?

  package init(epoch: UInt64, version: UInt64, fingerprint: UInt64, log: ResumePoint? = nil) {
    self.epoch = epoch
    self.version = version
    self.fingerprint = fingerprint
    self.log = log
  }
}
