internal import Foundation
internal import Sectile
internal import Synchronization

/// Gathers what happens in a watch for a screen that looks when it is ready.
final class ScreenReporter: WatchReporting {
  /// What has happened since the screen looked last.
  struct News: Sendable {
    /// The request, where the contents begin anew.
    var request: WatchedRequest?
    var results: WatchedResults?
    var status = ScreenModel.Status()
    var changed: [(UntypedRow.ID, ScreenHighlights.Kind)] = []
    var deletes = 0
  }

  private let wake: @Sendable () -> Void

  // MARK: - Mutable state
  //
  // - `news`: guarded by its mutex; nobody is called under it.
  private let news = Mutex(News())

  /// Creates a reporter that says when there is news.
  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  /// Returns the news, and begins to gather new ones.
  func take() -> News {
    news.withLock { news in
      defer {
        news.request = nil
        news.changed = []
        news.deletes = 0
      }
      return news
    }
  }

  func begin(_ request: WatchedRequest, _ results: WatchedResults) throws {
    update { news in
      news.request = request
      news.results = results
      news.status = ScreenModel.Status(file: request.file, table: request.table)
    }
  }

  func schemaChanged(to request: WatchedRequest?, restarts: Bool) throws {
    update { $0.status.state = request == nil ? "table gone" : "schema changed" }
  }

  func willLoad(at version: Int) throws {
    update { $0.status.state = "loading" }
  }

  func changed(_ changes: WatchedChanges, isFirstLoad: Bool, _ results: WatchedResults) throws {
    let count = changes.inserts.count + changes.updates.count + changes.moves.count
    let isShown = !isFirstLoad && count <= ScreenHighlights.limit
    let changed: [(UntypedRow.ID, ScreenHighlights.Kind)] =
      isShown
      ? changes.inserts.map { ($0.id, .inserted) } + changes.updates.map { ($0.id, .updated) }
        + changes.moves.map { ($0.id, .moved) } : []
    let time = ClockText.now()
    update { news in
      news.changed += changed
      // Rows that another condition leaves out are not gone.
      guard !isFirstLoad else { return }
      news.status.lastChange = time
      news.deletes += changes.deletes.count
    }
  }

  func differs(by changes: WatchedChanges, _ results: WatchedResults) throws {
    try changed(changes, isFirstLoad: false, results)
  }

  func finished(_ results: WatchedResults) throws {
    update { news in
      news.status.state = "live"
      news.status.isFailed = false
    }
  }

  func failed(_ error: any Error) throws {
    let text = CommandFailure(error)?.message ?? "it failed"
    update { news in
      news.status.state = "failed: \(text)"
      news.status.isFailed = true
    }
  }

  private func update(_ body: (inout News) -> Void) {
    news.withLock { body(&$0) }
    wake()
  }
}
