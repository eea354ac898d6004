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
      followed.countUnseenChange()
    }
  }

  /// Has whatever was committed read that nobody has read so far, and delivers what has changed.
  func catchUp() throws {
    var hasNews = false
    defer { if hasNews { commits.deliver() } }
    try perform { try commits.catchUp(in: $0, hasNews: &hasNews) }
  }

  /// Has whatever was committed read that nobody has read so far, and delivers what has changed;
  /// reads the very state of the database that this has led to.
  ///
  /// - Parameters:
  ///   - held: Where to hold a view of that state.
  ///   - body: Called on the writer, inside the transaction that has caught up. It is handed the
  ///     view; where there is none, it reads on the writer.
  /// - Throws: What the closure throws; where a transaction cannot begin.
  func catchUp(
    holding held: LoadViews, _ body: (Database, HeldView?) throws -> Void
  ) throws {
    var hasNews = false
    defer { if hasNews { commits.deliver() } }
    try perform { db in
      try commits.catchUp(
        in: db, holding: makeView(held, in: db), publishing: .inside, hasNews: &hasNews
      ) { try body(db, $0) }
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
      let view = makeView(held, in: db)
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
      // Where it fails, what was read before holds nevertheless, and the next look finds the rest.
      try? commits.catchUp(in: db, hasNews: &hasNews)
    }
    guard let result else { throw StaleContents() }
    return result
  }

  private func makeView(_ held: LoadViews, in db: Database) -> HeldView? {
    let view = views?.makeView(for: held.use, in: db)
    if let view { held.append(view) }
    return view
  }
}
