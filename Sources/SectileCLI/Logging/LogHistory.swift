internal import Foundation
internal import Sectile

/// Reads the history of a file, page by page, and goes on with what happens.
struct LogHistory {
  /// How often to look where nothing tells of commits.
  private static let interval = Duration.milliseconds(200)
  /// How far apart looks are at least.
  private static let distance = Duration.milliseconds(1)

  let store: Store
  let writer: LogWriter
  /// How many rows are told at most; nil for all.
  let limit: Int?

  /// Writes the history.
  ///
  /// - Parameters:
  ///   - token: Where it begins; nil for the oldest row.
  ///   - follows: Whether to go on until a signal comes.
  /// - Throws: ``CommandFailure`` and `StoreError`.
  func run(since token: ChangeToken?, follows: Bool) throws {
    var page = try store.history(since: token, limit: limit ?? 1_000)
    if let reason = page.reset {
      try writer.write(reason, page.token)
      if !follows {
        try writer.output.flush()
        throw CommandFailure(
          .failed, "the history does not lead on from the token: \(reason)",
          hint: "Read everything anew, and go on from --since \(page.token)")
      }
    }
    try write(page)
    if !follows {
      while limit == nil && !page.isComplete {
        page = try store.history(since: page.token)
        try write(page)
      }
      return try writer.finish(page.token)
    }
    let stop = StopSignal()
    let listening = store.listenForCommits { stop.wake() }
    defer { withExtendedLifetime(listening) {} }
    // Whatever came before somebody listened.
    stop.wake()
    repeat {
      try writer.output.flush()
      stop.rest(for: Self.distance)
      if page.isComplete && stop.wait(for: Self.interval) { break }
      // A file that was replaced is told here.
      try store.checkForExternalChanges()
      page = try store.history(since: page.token)
      if let reason = page.reset { try writer.write(reason, page.token) }
      try write(page)
    } while !stop.hasStopped
    try writer.finish(page.token)
  }

  private func write(_ page: Store.ChangeLog.Page) throws {
    try writer.write(page) { try date(after: page) }
  }

  /// When the first commit of a store after a page was made; nil where there is none.
  private func date(after page: Store.ChangeLog.Page) throws -> Date? {
    var page = page
    while !page.isComplete {
      page = try store.history(since: page.token)
      if let date = page.transactions.lazy.compactMap(\.date).first { return date }
    }
    return nil
  }
}
