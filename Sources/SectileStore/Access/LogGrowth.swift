internal import GRDB
internal import Synchronization

/// Keeps the log of a store from growing for ever: the views of clients end where it gets long, and
/// whoever listens is told who keeps it.
///
/// ```text
///  pages    limit      5/4                     2
///    0 ───────┼─────────┼──────────────────────┼────────▶
///     commits │         │ no views for clients,│ it is told, once
///     copy it │         │ but those of a second│
/// ```
final class LogGrowth: Sendable {
  // MARK: - Mutable state
  //
  // - `isTold`: whether it was told that the log is long; used on the writer only.
  private let isTold = Atomic(false)
  private let limit: LogLimit
  private let monitor: StoreMonitor
  private let views: HeldViews?

  init(_ limit: LogLimit, _ monitor: StoreMonitor, _ views: HeldViews?) {
    self.limit = limit
    self.monitor = monitor
    self.views = views
  }

  /// Looks how long the log is.
  ///
  /// - Parameter db: The writer.
  func look(in db: Database) {
    views?.endOld(in: db)
    tell(in: db)
  }

  /// Tells whoever listens where the log is long.
  ///
  /// - Parameter db: The writer.
  func tell(in db: Database) {
    guard monitor.isHeard else { return }
    let (blocked, isShort) = limit.news(in: db)
    if isShort { isTold.store(false, ordering: .relaxed) }
    guard let blocked, !isTold.exchange(true, ordering: .relaxed) else { return }
    let holder =
      views?.oldest?.description ?? "a reader of another connection or process, or of this store"
    monitor.tell(.checkpointBlocked(by: holder, logByteCount: blocked.byteCount))
  }
}
