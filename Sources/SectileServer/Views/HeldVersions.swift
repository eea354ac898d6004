#if Server
  /// Versions of contents that can be read for a while: the newest, and some before it.
  ///
  /// A snapshot holds the places and identities of its version, and no transaction: as long as nobody overwrites
  /// a row it can be read, and the log of the file can begin anew whatever is held here.
  struct HeldVersions<Snapshot: Sendable>: Sendable {
    private struct Entry {
      let version: Int
      let snapshot: Snapshot
      /// When another one came; nil for the newest.
      var supersededAt: ContinuousClock.Instant?
    }

    private let limit: Int
    private let time: Duration
    // Ascending by version.
    private var entries: [Entry] = []

    init(limit: Int, time: Duration) {
      self.limit = max(1, limit)
      self.time = time
    }

    /// How many versions there are.
    var count: Int { entries.count }

    /// Adds a version; one that is there already is replaced.
    mutating func add(_ version: Int, _ snapshot: Snapshot, at now: ContinuousClock.Instant) {
      entries.removeAll { $0.version >= version }
      if let last = entries.indices.last { entries[last].supersededAt = now }
      entries.append(Entry(version: version, snapshot: snapshot))
      prune(at: now)
    }

    /// Lets go of what is too old, and too many.
    mutating func prune(at now: ContinuousClock.Instant) {
      if entries.count > limit { entries.removeFirst(entries.count - limit) }
      entries.removeAll { entry in entry.supersededAt.map { now - $0 > time } ?? false }
    }

    /// Returns a version; nil where it is not held.
    func snapshot(_ version: Int) -> Snapshot? {
      entries.last { $0.version == version }?.snapshot
    }
  }
#endif
