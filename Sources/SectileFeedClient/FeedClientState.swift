public import FoundationEssentials

/// Whether what a ``FeedClient`` shows is live.
///
/// ```text
///   load()            the contents are whole            an error        connected again
///   ──────▶ connecting ──────────────────────▶ live ──────────▶ stale ─────────────────▶ live
///                                               │ cancel(), an error that is final
///                                               └──────────────────────────────────────▶ ended
/// ```
public enum FeedClientState: Hashable, Sendable {
  /// It has no contents yet: the first are on their way.
  case connecting
  /// What it shows is all that the service has told, and the service was heard of within the time
  /// of three heartbeats.
  case live
  /// What it shows may be out of date since a moment: when the service was last heard of, or said
  /// that it cannot read its source. It is tried again.
  case stale(since: Date)
  /// It follows nothing: before the first `load()`, and after `cancel()`, without an error; after
  /// an error that is final, with it.
  case ended(FeedClientError?)
}
