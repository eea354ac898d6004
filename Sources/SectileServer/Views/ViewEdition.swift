#if Server
  internal import Sectile
  internal import SectileFeed
  internal import Synchronization

  /// A view as long as its table has the same columns: live results, their feed, and the versions
  /// that are held.
  final class ViewEdition: Sendable {
    typealias Results = SectionedResults<UntypedRow>
    typealias Shape = FeedShape<UntypedRow.ID, UntypedRow>

    let results: Results
    /// What was asked for; the results may read more columns than its.
    let plan: FetchPlan
    /// Told without items, unless a client wants them.
    let feed: Feed<Results, Bool>
    private let observation: DataSourceObservation

    // MARK: - Mutable state
    //
    // - `held`: guarded by its mutex; what is let go of is released outside.
    private let held: Mutex<HeldVersions<Results.Snapshot>>
    // - `undecodable`: guarded by its mutex.
    private let undecodable = Mutex(false)

    /// Makes an edition of results that are loaded.
    init(of results: Results, _ plan: FetchPlan, _ limits: ViewLimits) {
      self.results = results
      self.plan = plan
      held = Mutex(HeldVersions(limit: limits.heldVersions, time: limits.holdingTime))
      let structure = Shape.structural()
      let whole = Shape()
      feed = Feed(of: results) { wantsItems in wantsItems ? whole : structure }
      let note = OnceBound<ViewEdition>()
      observation = results.observe { event in
        switch event {
        case .didPartiallyLoad: note.value?.hold()
        case .didFail(let error as StoreError) where error.code == .decodingFailed:
          note.value?.undecodable.withLock { $0 = true }
        default: break
        }
      }
      note.bind(self)
      hold()
    }

    deinit { finish() }

    /// Ends the edition: clients are told what was kept for them.
    func finish() {
      observation.cancel()
      feed.finish()
      results.cancel()
    }

    /// Whether a row came that has no identity by the key, or a section that has none.
    var isUndecodable: Bool { undecodable.withLock { $0 } }

    private func hold() {
      let snapshot = results.snapshot
      let former = held.withLock { held in
        let former = held
        held.add(
          snapshot.version, snapshot, rowCount: snapshot.numberOfItems, at: .now)
        return former
      }
      withExtendedLifetime(former) {}
    }

    /// How many versions can be read.
    var heldCount: Int { held.withLock { $0.count } }

    /// Lets go of versions that are too old.
    func prune() {
      let former = held.withLock { held in
        let former = held
        held.prune(at: .now)
        return former
      }
      withExtendedLifetime(former) {}
    }

    /// Returns a version, or the newest one.
    ///
    /// - Parameter version: The version; nil for the newest.
    /// - Returns: Its contents.
    /// - Throws: ``Refusal`` for one that is not held.
    func snapshot(_ version: Int?) throws(Refusal) -> Results.Snapshot {
      guard let version else { return results.snapshot }
      guard let snapshot = held.withLock({ $0.snapshot(version) }) else { throw gone(version) }
      return snapshot
    }

    /// Refuses a client whose versions do not lead to those of this edition, though their numbers
    /// may be the same: the server was started anew, or the columns are others.
    ///
    /// - Parameter position: What the client was told last; nil where it does not say.
    /// - Throws: ``Refusal`` for a position that is none of this edition.
    func requireFollower(at position: String?) throws(Refusal) {
      guard let position else { return }
      if let position = FeedPosition(position), feed.isOrigin(of: position) { return }
      throw Refusal(
        .gone, "the contents were given anew since",
        hint: "Follow the events: they begin again.", version: results.version)
    }

    /// Says that a version cannot be read any more, and which one can.
    func gone(_ version: Int) -> Refusal {
      if version == results.version {
        // A row of it was overwritten, and nobody has heard of that yet.
        return Refusal(.busy, "the rows are written just now", hint: "Try again in a second.")
      }
      return Refusal(
        .gone, "version \(version) is not held any more",
        hint: "Ask for the version that is there.",
        version: results.version)
    }
  }

  /// A weak reference that is set once.
  private final class OnceBound<Object: AnyObject & Sendable>: Sendable {
    private struct Reference {
      weak var object: Object?
    }

    // MARK: - Mutable state
    //
    // - `reference`: guarded by its mutex.
    private let reference = Mutex(Reference())

    var value: Object? { reference.withLock { $0.object } }

    func bind(_ object: Object) { reference.withLock { $0.object = object } }
  }
#endif
