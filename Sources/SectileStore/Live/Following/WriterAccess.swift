import GRDB
import SectileCore

/// Exclusive use of the writer, outside of any transaction of others.
struct WriterAccess: Sendable {
  let commits: CommitCenter
  /// Where results register that follow commits.
  let followed: FollowedResults
  /// When digests are taken of rows that others may write.
  let digests: ForeignChangeDigests
  /// Reading beside the writer.
  let reading: ReadAccess
  /// Threads for tasks that load and read.
  var blockingCalls: BlockingCalls { reading.blockingCalls }
  /// What holds the rows that a load hands out; nil where there is one connection.
  private let views: HeldViews?
  private let use: @Sendable ((Database) throws -> Void) throws -> Void

  init(
    commits: CommitCenter, followed: FollowedResults, digests: ForeignChangeDigests,
    reading: ReadAccess, views: HeldViews?,
    _ use: @escaping @Sendable ((Database) throws -> Void) throws -> Void
  ) {
    self.commits = commits
    self.followed = followed
    self.digests = digests
    self.reading = reading
    self.views = views
    self.use = use
  }

  /// Runs a closure on the writer.
  func perform(_ body: (Database) throws -> Void) throws { try use(body) }

  /// Has results that were found to be wrong fetched again by the next look.
  func correct(_ results: ResultsTracker) throws {
    try perform { _ in
      followed.requireRefetch(of: results)
      commits.countUnseenChange()
    }
  }

  /// Has whatever was committed read that nobody has read so far, and delivers what has changed.
  func look() throws {
    var hasNews = false
    try perform { hasNews = try commits.look(in: $0) }
    if hasNews { commits.deliver() }
  }

  /// Has whatever was committed read that nobody has read so far, and delivers what has changed;
  /// reads the very state of the database that this has led to.
  ///
  /// - Parameters:
  ///   - held: Where to hold a view of that state.
  ///   - body: Called on the writer. It is handed the view; where there is none, it reads on the
  ///     writer, inside the transaction that has looked.
  /// - Throws: What the closure throws; where a transaction cannot begin.
  func look(
    holding held: LoadViews, _ body: (Database, HeldView?) throws -> Void
  ) throws {
    var hasNews = false
    defer { if hasNews { commits.deliver() } }
    try perform { db in
      if let view = views?.makeView(for: held.use, in: db) {
        held.append(view)
        hasNews = try commits.look(in: db, holding: view)
        if view.isHeld { return try body(db, view) }
      }
      try commits.look(in: db, hasNews: &hasNews) { try body(db, nil) }
    }
  }

  /// Runs a closure on the writer; what it reads is one state of the database.
  ///
  /// Then whatever was committed is read that nobody has read so far.
  ///
  /// - Parameters:
  ///   - held: Where to hold a view of that state.
  ///   - body: Reads, inside a transaction; it is handed the view, if there is one.
  ///   - next: Called on the writer after it, before anybody else may write.
  /// - Returns: What `body` returns.
  /// - Throws: What the closures throw.
  func perform<Result>(
    holding held: LoadViews, _ body: (Database, HeldView?) throws -> Result,
    then next: (Database, HeldView?) throws -> Void
  ) throws -> Result {
    var result: Result?
    var hasNews = false
    defer { if hasNews { commits.deliver() } }
    try perform { db in
      let view = views?.makeView(for: held.use, in: db)
      if let view { held.append(view) }
      var attempts = 0
      repeat {
        attempts += 1
        try commits.inReadTransaction(of: db) {
          if let view, try !view.begin(while: { _ = try DatabaseVersion.data(of: db) }) {
            // Somebody committed just then.
            if attempts < HeldView.attemptLimit { return }
            view.end()
          }
          result = try body(db, view)
        }
      } while result == nil
      try next(db, view)
      if commits.lookBehindRead(in: db) { hasNews = true }
    }
    guard let result else { throw StaleContents() }
    return result
  }
}
