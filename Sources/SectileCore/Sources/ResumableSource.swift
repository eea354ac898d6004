/// A source that can tell what happened since a place in a change log, also to who was told by
/// another process.
package protocol ResumableSource: DataSource {
  /// The version that readers see, and what one can go on from who has it.
  ///
  /// All of it is read at once. It is nil where there is no log or the source is not loaded, and
  /// also while a change of the request is under way: from before any snapshot shows the new
  /// request until readers do.
  var resumableVersion: ResumableVersion? { get }

  /// Returns what became of rows since a point, with the newest contents there are; or why nobody
  /// can tell.
  ///
  /// The point is looked up, the log read and the contents taken in one read transaction. The
  /// version of the contents may be ahead of the source's, and what leads there is delivered next.
  ///
  /// - Parameters:
  ///   - point: Where somebody stands; it may come from anywhere.
  ///   - duration: For how long the contents can be read whatever others write, at most.
  /// - Returns: The answer; a request other than the point's is a reset, too.
  /// - Throws: What reading the log throws; `CancellationError`.
  func resume(
    from point: ResumePoint, holdingFor duration: Duration
  ) async throws -> Resumption<Snapshot>
}

/// A version of a source that can be gone on from in another process.
package struct ResumableVersion: Hashable, Sendable {
  /// The version of the contents.
  package var version: Int
  /// The first version of the request that these contents show; zero where it never was another.
  package var requestedSince: Int
  /// What there is to go on from.
  ///
  /// Everything up to its place is in the contents; a place that lags behind them is good as well,
  /// one that is ahead never.
  package var point: ResumePoint

  /// Creates a version.
  package init(version: Int, requestedSince: Int = 0, point: ResumePoint) {
    self.version = version
    self.requestedSince = requestedSince
    self.point = point
  }
}

/// What a ``ResumableSource`` answers.
package enum Resumption<Snapshot: DataSourceSnapshot>: Sendable {
  /// These rows may be others, be elsewhere, be new or gone; all others are what and where they
  /// were.
  ///
  /// An identity may be there twice, and may be one that the contents never had.
  case changes(touching: [Snapshot.ItemID], in: Snapshot)
  /// Nobody can tell: the contents have to be read anew.
  case reset(ResetReason)
}
