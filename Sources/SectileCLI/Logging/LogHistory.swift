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

  /// Whether old values and times of changes are read.
  var readsValues = false

  /// Writes the history.
  ///
  /// - Parameters:
  ///   - token: Where it begins; nil for the oldest row.
  ///   - follows: Whether to go on until a signal comes.
  /// - Throws: ``CommandFailure`` and `StoreError`.
  func run(since token: ChangeToken?, follows: Bool) throws {
    var page = try self.page(since: token, limit: pageLimit(1_000))
    if let reason = page.reset {
      try writer.write(reason, page.token)
      if !follows {
        try refuse(reason, "Read everything anew, and go on from --since \(page.token)")
      }
    }
    if !follows {
      while true {
        if let last = try write(page, limit: limit) { return try writer.finish(last) }
        if page.isComplete { return try writer.finish(page.token) }
        page = try self.page(since: page.token, limit: pageLimit(1_000))
      }
    }
    try write(page)
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
      page = try self.page(since: page.token, limit: 1_000)
      if let reason = page.reset { try writer.write(reason, page.token) }
      try write(page)
    } while !stop.hasStopped
    try writer.finish(page.token)
  }

  /// Writes the history backwards, the newest first.
  ///
  /// - Parameter token: Where it begins; nil for the end of the log.
  /// - Throws: ``CommandFailure`` and `StoreError`.
  func runBackwards(before token: ChangeToken?) throws {
    var token = token
    while true {
      let page = try self.page(before: token)
      if let reason = page.reset {
        try writer.write(reason, page.token)
        try refuse(reason, "Leave --before out to begin at the end, or read on with --since.")
      }
      let last = try writer.writeBackwards(page, limit: limit) { try date(before: page) }
      if let last { return try writer.finishBackwards(last, isComplete: false) }
      if page.isComplete { return try writer.finishBackwards(page.token, isComplete: true) }
      token = page.token
    }
  }

  private func refuse(_ reason: ResetReason, _ hint: String) throws {
    try writer.output.flush()
    throw CommandFailure(
      .failed, "the history does not lead on from the token: \(reason)", hint: hint)
  }

  /// How many changes a page has: what is left to be told where all are told.
  private func pageLimit(_ usual: Int) -> Int {
    guard let limit, writer.filter.isOpen else { return usual }
    return max(1, limit - writer.count)
  }

  private func page(since token: ChangeToken?, limit: Int) throws -> Store.ChangeLog.Page {
    try store.history(since: token, limit: limit, includingValues: readsValues)
  }

  private func page(before token: ChangeToken?) throws -> Store.ChangeLog.Page {
    // Times are those of the commits around a change, which are not in a page of one table.
    try store.history(
      before: token, limit: pageLimit(1_000),
      table: writer.filter.hasTimes ? nil : writer.filter.table, includingValues: readsValues)
  }

  /// Writes a page.
  ///
  /// - Returns: The place after the last transaction, where that is the last that is wanted.
  @discardableResult
  private func write(_ page: Store.ChangeLog.Page, limit: Int? = nil) throws -> ChangeToken? {
    try writer.write(page, limit: limit) { try date(after: page) }
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

  /// When the last commit of a store before a page was made; nil where there is none.
  private func date(before page: Store.ChangeLog.Page) throws -> Date? {
    var page = page
    while !page.isComplete {
      page = try store.history(before: page.token)
      if let date = page.transactions.lazy.compactMap(\.date).first { return date }
    }
    return nil
  }
}
