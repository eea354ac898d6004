import SectileCore

/// The state of live results, as a pure value: without a lock, a query or a callback.
///
/// ``ResultsTracker`` guards it, and does what it answers.
///
/// ```
///    phase      which commits are worked out: see `ResultsPhase`
///    versions   what readers see, and what leads on from there
///    request    what is followed, since when
///    items      which items are at hand
/// ```
///
/// Whether the contents lack something, and why, is apart from the phase: results that follow
/// nothing may lack it, too.
struct ResultsStateMachine {
  private(set) var phase = ResultsPhase.idle
  /// Grows with each cancellation: a load, or a commit, that was under way then is dropped.
  private(set) var epoch = 0
  /// Whether the next transaction fetches everything again, whatever it touches.
  private(set) var needsRefetch = false
  /// What keeps the contents from being up to date; it is not delivered again with every commit.
  private(set) var failure: StandingFailure?
  /// All rows of a first load, where they were read before the first batch was delivered.
  private(set) var allContents: PlanContents?
  private(set) var statistics = ResultsStatistics()
  var request: FollowedRequest
  var versions = VersionedContents()
  var items = RecentItems()

  init(_ plan: FetchPlan) { request = FollowedRequest(plan) }

  /// Whether commits become changes, each by itself or after a load that reads.
  var isFollowing: Bool { phase.isFollowing }

  /// Whether a load reads, to which commits are left.
  var isReading: Bool { phase.unread != nil }

  /// Whether the results follow commits, and nothing is known that their contents lack.
  var isUpToDate: Bool { isFollowing && !needsRefetch && failure == nil }

  /// Whether nothing was loaded yet.
  var isUnloaded: Bool { versions.version == 0 && versions.pending.isEmpty && !isFollowing }

  // MARK: A transaction

  /// Says where a transaction finds the results, inside of it.
  ///
  /// - Parameters:
  ///   - isTouched: Whether the transaction touched a row that the request depends on.
  ///   - reading: What is known of these rows.
  ///   - concernsOtherTables: Whether it touched another table than the base table.
  ///   - nodeOfSameContents: The version of the base table after it, where it is ruled out that
  ///     the contents change.
  /// - Returns: Where it finds them.
  @inline(__always)
  mutating func stand(
    isTouched: Bool, _ reading: Reading, concernsOtherTables: @autoclosure () -> Bool,
    nodeOfSameContents: @autoclosure () -> VersionNode?
  ) -> Standing {
    if reading == .uncertain { needsRefetch = true }
    guard isTouched || needsRefetch else { return .elsewhere }
    switch phase {
    case .idle: return .elsewhere
    case .loading, .reloading:
      if reading == .uncertain || concernsOtherTables() { phase.noteOtherTables() }
      return .settled(.unread, epoch: epoch)
    case .following: break
    }
    statistics.commitCount += 1
    if !needsRefetch, let node = nodeOfSameContents() {
      return .settled(.unchanged(node), epoch: epoch)
    }
    if reading == .withForeignRows, !needsRefetch { statistics.loggedCount += 1 }
    return .at(baseline(), versions.latest())
  }

  /// Says where a change begins that is worked out from the latest contents.
  @inline(__always)
  mutating func baseline() -> Baseline {
    Baseline(
      version: versions.latestVersion, node: versions.latestNode, batchSize: request.batchSize,
      epoch: epoch, needsRefetch: needsRefetch, queries: request.queries, number: versions.number,
      nextNumber: versions.nextNumber())
  }

  /// Returns the epoch of a failure that somebody is to hear of; nil where nobody is.
  func epoch(of failure: StandingFailure) -> Int? {
    // One that was delivered already is not news.
    isFollowing && self.failure?.text != failure.text ? epoch : nil
  }

  /// Takes note of what a transaction came to that has committed.
  ///
  /// - Parameters:
  ///   - outcome: What it came to; it is taken, unless it belongs to another epoch.
  ///   - epoch: The epoch in which it was worked out.
  ///   - place: Up to where the change log was published before it.
  /// - Returns: What there is to do.
  @inline(__always)
  mutating func publish(
    _ outcome: inout CommitOutcome?, of epoch: Int, after place: SharedPlace?
  ) -> Action {
    guard epoch == self.epoch else { return .none }
    switch outcome.take() {
    case .change(var change):
      // Contents that are fetched again lacked more than that.
      if let place, !needsRefetch { change.place = place }
      needsRefetch = false
      return enqueue(change)
    case .unchanged(let node):
      needsRefetch = false
      failure = nil
      versions.advance(to: node)
      return .none
    case .unread, nil: return .none
    case .failure(let failure): return fail(failure)
    }
  }

  private mutating func fail(_ new: StandingFailure) -> Action {
    needsRefetch = true
    let former = exchange(&failure, with: new)
    return former?.text == new.text ? .release(former) : .submitFailure(new, before: former)
  }

  /// Takes note that the contents may lack something, nobody knows what.
  mutating func requireRefetch() { needsRefetch = true }

  /// Takes note that everything is read again, by these statements.
  mutating func willRefetch(by queries: PlanQueries) {
    request.queries = queries
    statistics.resyncCount += 1
  }

  /// Takes note of what it took to work out a change.
  @inline(__always)
  mutating func note(_ effort: ResultsStatistics) { statistics.add(effort) }

  /// Takes note that the contents are the same at a newer version of the base table.
  ///
  /// While a load reads they need not be: commits are left to it, and old rows are found from where
  /// it began.
  mutating func catchUp(to node: VersionNode) {
    if isUpToDate, !isReading { versions.advance(to: node) }
  }

  // MARK: Changes

  /// Queues a change, or carries it out at once: a change that nobody need hear of (a sort key
  /// changed and moved nothing), where nothing waits.
  @inline(__always)
  mutating func enqueue(_ change: consuming PendingChange) -> Action {
    failure = nil
    let isSilent = change.isSilent
    guard isSilent, versions.pending.isEmpty else {
      versions.queue(change)
      return isSilent ? .none : .submitNext
    }
    let before = items.takeLatest()
    versions.absorb(change)
    return .carriedOut(items.note(change.change), change.change, before: before)
  }

  /// Makes the oldest pending change visible.
  ///
  /// - Parameter released: Is handed what is to be released outside of the lock.
  /// - Returns: The change, and what is to be done with items; nil where nothing is pending.
  @inline(__always)
  mutating func flip(
    releasing released: inout ReleasedChanges
  ) -> (change: PendingChange, step: RecentItems.Step)? {
    guard !versions.pending.isEmpty else { return nil }
    released.before = items.takeLatest()
    let change = versions.flip()
    let step = items.note(change.change)
    if items.latest == nil { released.others.append(change.change) }
    if case .forgetAll = step { released.areItemsForgotten = true }
    return (change, step)
  }

  /// Makes the oldest pending change visible if nobody need hear of it.
  ///
  /// - Parameter released: Is handed what is to be released outside of the lock.
  /// - Returns: What is to be done with items; nil where there is no such change.
  @inline(__always)
  mutating func flipSilently(releasing released: inout ReleasedChanges) -> RecentItems.Step? {
    guard versions.isNextSilent else { return nil }
    if let latest = items.takeLatest() { released.others.append(latest) }
    let change = versions.flip().change
    released.others.append(change)
    return items.note(change)
  }

  // MARK: Loads

  /// Takes all rows that a first load has read already.
  mutating func takeAllContents() -> PlanContents? { allContents.take() }

  /// Leaves commits to a load from now on.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the load.
  ///   - place: Up to where the change log was published.
  /// - Returns: Whether the load reads; false where the results were cancelled.
  mutating func leaveCommitsToLoad(in epoch: Int, after place: LogPlace?) -> Bool {
    guard epoch == self.epoch else { return false }
    if isUpToDate { notePlace(place) }
    phase.leaveCommitsToLoad()
    return true
  }

  /// Takes commits back from a load that has failed.
  ///
  /// - Returns: Whether the results follow commits: what was committed meanwhile was not worked
  ///   out.
  mutating func takeCommitsBack(in epoch: Int) -> Bool {
    guard epoch == self.epoch else { return false }
    phase.takeCommitsBack()
    return isFollowing
  }

  /// Ends a first load whose rest was read, or was not.
  mutating func endFirstBatch() {
    phase.takeCommitsBack()
    allContents = nil
  }

  /// Follows commits from now on, or leaves them to the load once more where it has not read all.
  ///
  /// - Returns: False where the results were cancelled meanwhile.
  mutating func follow(
    _ plan: FetchPlan, by queries: PlanQueries?, _ read: LoadDerivation.Outcome, in epoch: Int
  ) -> Bool {
    guard epoch == self.epoch else { return false }
    request.follow(plan, by: queries, from: versions.latestVersion + 1)
    phase.follow(isComplete: read.isComplete)
    allContents = read.allContents
    needsRefetch = false
    failure = nil
    return true
  }

  /// Takes note of what a load met of results that follow no commits: it stands until another load.
  ///
  /// Those that do follow them show what they showed, and what the next commit finds counts.
  ///
  /// - Returns: What is to be released outside of the lock.
  mutating func noteFailedLoad(_ new: StandingFailure, in epoch: Int) -> StandingFailure? {
    guard epoch == self.epoch, !isFollowing else { return nil }
    return exchange(&failure, with: new)
  }

  /// Stops following commits; the visible contents stay.
  ///
  /// - Returns: What was on its way, to be released outside of the lock.
  mutating func stop() -> [PendingChange] {
    epoch += 1
    phase.stop()
    request.note(nil)
    allContents = nil
    return versions.drop()
  }

  // MARK: The change log

  /// Takes note of up to where the change log is in what readers see.
  ///
  /// - Parameter place: Up to where it is in what they see when all that is pending is delivered,
  ///   and a load that is under way has caught up.
  mutating func notePlace(_ place: LogPlace?) {
    if let next = versions.pending.first {
      if let before = next.place { request.note(before.value) }
    } else if !isReading {
      request.note(place)
    }
  }
}
