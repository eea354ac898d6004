/// Which commits live results work out.
///
/// ```
///                               it has a first batch
///                                  ┌───────┐
///             a load reads         │       ▼   it has all
///    idle ─────────────────────▶  loading ────────────────▶ following
///     ▲                              │                        │  ▲
///     └────── the load failed ───────┘           a load reads │  │ it has all, or it failed
///                                                             ▼  │
///                                                           reloading
///
///    on the writer    from idle to loading with a first batch, to following with all
///    cancelled        from each of them to idle
/// ```
///
/// A load that reads on the writer leaves no commit behind while it does.
enum ResultsPhase: Hashable, Sendable {
  /// None: nothing was loaded, the results were cancelled, or the only load has failed.
  case idle
  /// None so far: they are left to the load that reads, which catches up with them.
  case loading(UnreadCommits)
  /// Each.
  case following
  /// None for a while: they are left to the load that reads. Where it fails, the results follow
  /// commits again.
  case reloading(UnreadCommits)

  /// Commits that a load catches up with.
  struct UnreadCommits: Hashable, Sendable {
    /// Whether one of them touched another table than the base table, or nobody knows what.
    var concernOtherTables = false
  }

  /// Whether commits become changes, each by itself or those since a load began together.
  var isFollowing: Bool {
    switch self {
    case .idle, .loading: false
    case .following, .reloading: true
    }
  }

  /// The commits that are left to a load; nil where none reads.
  var unread: UnreadCommits? {
    switch self {
    case .idle, .following: nil
    case .loading(let commits), .reloading(let commits): commits
    }
  }

  /// Commits are left to a load from now on.
  mutating func leaveCommitsToLoad() {
    self = isFollowing ? .reloading(UnreadCommits()) : .loading(UnreadCommits())
  }

  /// Takes note that a commit that is left to a load touched other tables than the base table.
  mutating func noteOtherTables() {
    switch self {
    case .idle, .following: break
    case .loading: self = .loading(UnreadCommits(concernOtherTables: true))
    case .reloading: self = .reloading(UnreadCommits(concernOtherTables: true))
    }
  }

  /// No load reads any more that has not read all.
  mutating func takeCommitsBack() { self = isFollowing ? .following : .idle }

  /// A load has read.
  ///
  /// - Parameter isComplete: Whether it has all; commits are left to it once more where it has the
  ///   first batch.
  mutating func follow(isComplete: Bool) {
    self = isComplete ? .following : .loading(UnreadCommits())
  }

  mutating func stop() { self = .idle }
}
