internal import SectileCore
internal import Synchronization

/// What another process could go on from, by the version of the contents.
///
/// A source says it of the version that readers see just now, while clients are told others. A
/// place in the log is good for all later versions of the same request, since one that lags names
/// some rows too many and none too few:
///
/// ```text
///   noted          (7, place 40)        (9, place 44)
///   good for        7    8               9   10   …
/// ```
final class ResumePoints: Sendable {
  /// How many are noted; the oldest go first.
  private let limit: Int
  /// Returns what the source says now; nil where it says nothing, or is gone.
  private let now: @Sendable () -> ResumableVersion?

  // MARK: - Mutable state
  //
  // - `noted`: guarded by its mutex; ascending by version. The source is asked outside of it.
  private let noted = Mutex<[ResumableVersion]>([])

  init(limit: Int, _ now: @escaping @Sendable () -> ResumableVersion?) {
    self.limit = max(1, limit)
    self.now = now
  }

  /// Notes what the source says now.
  @discardableResult
  func note() -> ResumableVersion? {
    guard let now = now() else { return nil }
    noted.withLock { noted in
      let position = noted.partitioningIndex { $0.version >= now.version }
      if position < noted.count, noted[position].version == now.version {
        noted[position] = now
      } else {
        noted.insert(now, at: position)
        if noted.count > limit { noted.removeFirst() }
      }
    }
    return now
  }

  /// Returns what to go on from who has a version; nil where nobody could.
  ///
  /// - Parameter version: The version, which may be ahead of what readers see.
  /// - Returns: The point.
  func point(at version: Int) -> ResumePoint? {
    guard let now = note() else { return nil }
    return noted.withLock { noted in
      let position = noted.partitioningIndex { $0.version > version } - 1
      // What was noted of an earlier request says nothing of the contents that are shown since.
      guard position >= 0, noted[position].version >= now.requestedSince else { return nil }
      return noted[position].point
    }
  }
}
