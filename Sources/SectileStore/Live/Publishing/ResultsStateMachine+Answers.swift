import SectileCore

// What happens to live results, and what is to be done about it.
extension ResultsStateMachine {
  /// What is known of the rows that a transaction has touched.
  enum Reading: Sendable {
    /// The recorder has seen them all.
    case certain
    /// Others wrote, too, and the change log names the rows.
    case withForeignRows
    /// Nobody knows which they are.
    case uncertain
  }

  /// Where a transaction finds the results.
  enum Standing: ~Copyable {
    /// They do not follow it.
    case elsewhere
    /// Without a look it is known what it comes to.
    case settled(CommitOutcome, epoch: Int)
    /// Their change is to be worked out from these contents.
    case at(Baseline, PlanContents)
  }

  /// What is to be done outside of the lock, but for ``RecentItems/Step``.
  enum Action {
    case none
    /// A change was carried out that nobody need hear of: it and the one before it are released.
    case carriedOut(RecentItems.Step, PlanChange, before: PlanChange?)
    /// The hub is told that a change waits.
    case submitNext
    /// Listeners are told of a failure, and the one before it is released.
    case submitFailure(StandingFailure, before: StandingFailure?)
    /// A failure is released: the same stands again.
    case release(StandingFailure?)
  }

  /// Changes that are released outside of the lock: what the release of an item runs is not ours.
  struct ReleasedChanges {
    /// The change that was carried out last before.
    var before: PlanChange?
    /// Others whose items are not at hand any more.
    var others: [PlanChange] = []
    /// Whether all remembered items were forgotten.
    var areItemsForgotten = false

    /// Whether remembered items may have been forgotten.
    var mayForgetItems: Bool { areItemsForgotten || !others.isEmpty }
  }
}

// MARK: - What readers are told

extension ResultsStateMachine {
  /// What readers see.
  var shown: ShownContents {
    ShownContents(
      contents: versions.visible, version: versions.version, node: versions.node,
      batchSize: request.batchSize, view: versions.view)
  }

  /// The latest contents, which are what the database holds; nil where a load reads them, where
  /// they could not be read, or where the results follow nothing any more.
  mutating func latestContents() -> LatestContents? {
    guard phase == .following, !needsRefetch else { return nil }
    return LatestContents(
      contents: versions.latest(), version: versions.latestVersion, node: versions.latestNode,
      batchSize: request.batchSize)
  }

  /// Looks for a place in the change log up to which everything is in what readers see.
  ///
  /// - Parameter place: Up to where the log was published.
  /// - Returns: The place; nil where none is known.
  mutating func shownPlace(upTo place: LogPlace?) -> LogPlace? {
    guard isUpToDate else { return nil }
    // What is on its way is in the place, and not yet in what readers see.
    notePlace(place)
    return request.place
  }

  /// The latest version, and since which one it shows the request; nil where something that is
  /// committed is in no version yet.
  var latestVersionShowingRequest: (version: Int, requestedSince: Int)? {
    guard isUpToDate, !isReading else { return nil }
    return (versions.latestVersion, request.shownSince)
  }
}
