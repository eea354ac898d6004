internal import GRDB
internal import SectileCore
internal import Synchronization

extension Store {
  /// How far a checkpoint goes, and for whom it waits.
  public struct CheckpointMode: Hashable, Sendable {
    let mode: Database.CheckpointMode

    /// Copies what it can without waiting for readers or writers.
    public static let passive = CheckpointMode(mode: .passive)
    /// Waits for writers, and for readers of older states, and copies everything.
    public static let full = CheckpointMode(mode: .full)
    /// The same; the next commit begins the log anew.
    public static let restart = CheckpointMode(mode: .restart)
    /// The same, and leaves the log empty.
    public static let truncate = CheckpointMode(mode: .truncate)
  }

  /// What a checkpoint came to.
  public struct CheckpointResult: Hashable, Sendable {
    /// How many pages the log holds; zero where there is no log.
    public let logPageCount: Int
    /// How many of them are in the file.
    public let copiedPageCount: Int

    /// Whether nothing is left that only the log holds.
    public var isComplete: Bool { copiedPageCount == logPageCount }
  }

  /// Copies the log of a store on a file into the file.
  ///
  /// A commit does this by itself once the log has
  /// ``StoreConfiguration/automaticCheckpointPageCount`` pages. Services that turn that off, so
  /// that no commit pays for it, call this when they have time. Live results have nothing to do for
  /// it. In memory there is no log, and nothing happens.
  ///
  /// ```swift
  /// try store.checkpoint(.truncate)
  /// ```
  ///
  /// - Parameter mode: How far it goes, and for whom it waits.
  /// - Returns: What it came to. A passive one may leave pages behind that somebody reads or
  ///   writes.
  /// - Throws: ``StoreError``: `busy` where others do not let go of the log within
  ///   ``StoreConfiguration/busyTimeout``; `reentrantAccess`, `storeClosed`, `readOnly`;
  ///   `fileReplaced`, `fileLinked`; `diskFull` or `ioError`.
  /// - Complexity: O(*p*) for *p* pages in the log.
  @discardableResult
  public func checkpoint(
    _ mode: CheckpointMode = .passive
  ) throws(StoreError) -> CheckpointResult {
    try checkpoint(mode, until: Cancellation())
  }

  private func checkpoint(
    _ mode: CheckpointMode, until cancellation: Cancellation
  ) throws(StoreError) -> CheckpointResult {
    let call = try beginWriting()
    let start = monitor.start()
    do {
      let counts = try writer.unsafeReentrantWrite { db in
        try call.run {
          let isLocked = try writerLock.enter(until: cancellation)
          defer { if isLocked { writerLock.leave() } }
          try file?.check(commits.logFiles, of: db.sqliteConnection)
          // The log cannot begin anew where it is held; the next commit holds it again.
          if mode != .passive { commits.recorder.former.letGo() }
          return try db.checkpoint(mode.mode)
        }
      }
      // SQLite counts −1 where there is no log.
      let result = CheckpointResult(
        logPageCount: max(counts.walFrameCount, 0),
        copiedPageCount: max(counts.checkpointedFrameCount, 0))
      monitor.checkpointCount.add(1, ordering: .relaxed)
      if let start {
        monitor.tell(
          .checkpointed(
            logPageCount: result.logPageCount, copiedPageCount: result.copiedPageCount,
            duration: start.duration(to: .now)))
      }
      return result
    } catch {
      throw naming(views?.oldest, in: .wrapping(error, file: path))
    }
  }

  /// Adds to the error of a lock what this store itself holds.
  private func naming(_ holder: HeldViews.Holder?, in error: StoreError) -> StoreError {
    guard error.code == .busy, let holder else { return error }
    let states = holder.count == 1 ? "a state" : "\(holder.count) states"
    return StoreError(
      .busy, message: "\(error.message); this store holds \(states) of the file itself: \(holder)",
      hint: "Try again when that has been read; Store.statistics tells what is held.",
      cause: error.cause)
  }

  /// Copies the log of a store on a file into the file, without blocking the caller's thread.
  ///
  /// Cancelling the task has it throw `CancellationError` where its turn has not come. See
  /// `checkpoint(_:)` for more information.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> CheckpointResult {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      do {
        return try await blockingCalls.run { try checkpoint(mode, until: cancellation) }
      } catch {
        throw Self.cancellation(of: error) ?? error
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
