import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether a database and its log are as they were when it was looked last: then there is nothing
/// to look for.
///
/// A look is a transaction; most files sleep most of the time, and the file system tells of that in
/// a microsecond. But a commit can be seen only when its pages are on the disk, which may be
/// seconds after they were written. So a file is still only when nothing was written to it for a
/// while before the last look, and not for ever.
///
/// ```text
/// pages written   commit is seen        look               no look needed       look
///      │ ─ ─ fsync ─ ─ │                  │ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ │
///      └──────── settling ───────────────▶│           limit                     │
/// ```
package final class FileStillness: Sendable {
  /// What the file system says of a file, which changes when it is written to.
  fileprivate struct Stamp: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      number = UInt64(status.st_ino)
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      seconds = Int(time.tv_sec)
      nanoseconds = Int(time.tv_nsec)
    }
  }

  /// What the files are at a moment.
  package struct Mark: Equatable {
    fileprivate let file: Stamp?
    fileprivate let log: Stamp?
  }

  private struct State {
    var mark: Mark?
    var lookedAt = ContinuousClock.now
    var count = 0
  }

  /// For how many seconds nothing was written to a file that is still.
  private static let settling = 10
  /// After how long it is looked at all the same.
  private static let limit = Duration.seconds(30)
  /// How often the database itself is asked for, where there is a log to which all is written
  /// first; and the log, where the system tells of what is written to it.
  private static let fileInterval = 4

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())
  private let path: String
  private let log: String
  private let limit: Duration

  /// - Parameters:
  ///   - path: Where the database is.
  ///   - limit: After how long it has to be looked at in any case; nil for a while.
  init(of path: String, lookingEvery limit: Duration?) {
    self.path = path
    log = LogFiles.logPath(of: path)
    self.limit = min(limit ?? Self.limit, Self.limit)
  }

  /// Returns whether nothing was written since the last look.
  ///
  /// - Parameter logIsWatched: Whether the system tells of what is written to the log.
  /// - Returns: False where a look is needed.
  /// - Complexity: Two calls of `stat` at most; in three of four calls one, or none where the log
  ///   is watched.
  package func isStill(logIsWatched: Bool = false) -> Bool {
    state.withLock { state in
      guard let mark = state.mark, ContinuousClock.now - state.lookedAt < limit else {
        return false
      }
      state.count += 1
      let asksForAll = mark.log == nil || state.count % Self.fileInterval == 0
      if logIsWatched, !asksForAll { return true }
      guard Stamp(log) == mark.log else { return false }
      return !asksForAll || Stamp(path) == mark.file
    }
  }

  /// Returns what the files are before a look.
  package func mark() -> Mark { Mark(file: Stamp(path), log: Stamp(log)) }

  /// Takes note that a look has found everything there was.
  ///
  /// - Parameters:
  ///   - mark: What the files were before it.
  ///   - now: The time, in seconds as the file system counts them.
  package func didLook(at mark: Mark, now: Int = time(nil)) {
    let written = [mark.file, mark.log].compactMap(\.?.seconds).max()
    let isSettled = mark.file != nil && written.map { now - $0 > Self.settling } == true
    state.withLock { state in
      state.mark = isSettled ? mark : nil
      state.lookedAt = .now
    }
  }

  /// Takes note that a look has failed: the next one is needed.
  package func didFail() { state.withLock { $0.mark = nil } }
}
