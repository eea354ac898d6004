#if Postgres
  internal import Sectile
  internal import Synchronization

  /// When changesets are told: each with the time at which its commit was done, and told.
  final class ChangesetWatch: DataSourceDelegate {
    struct Times: Sendable {
      /// When the delivery of its commit began, which comes after COMMIT.
      let committed: ContinuousClock.Instant
      let told: ContinuousClock.Instant
    }

    let times: AsyncStream<Times>
    private let continuation: AsyncStream<Times>.Continuation

    // MARK: - Mutable state
    //
    // - `begin`: of the cycle that is delivered; guarded by its mutex.
    private let begin = Mutex(ContinuousClock.now)

    init() { (times, continuation) = AsyncStream.makeStream() }

    func dataSourceWillLoad(_ source: any DataSource<UntypedRow.ID, UntypedRow>) {
      begin.withLock { $0 = .now }
    }

    func dataSource(
      _ source: any DataSource<UntypedRow.ID, UntypedRow>,
      didPartiallyLoad changes: Changeset<UntypedRow.ID, UntypedRow>
    ) {
      continuation.yield(Times(committed: begin.withLock { $0 }, told: .now))
    }
  }
#endif
