#if Server
  /// Versions of contents that can be read for a while: the newest, and some before it.
  ///
  /// A snapshot holds the places and identities of its version, and no transaction: as long as
  /// nobody overwrites a row it can be read, and the log of the file can begin anew whatever is
  /// held here.
  struct HeldVersions<Snapshot: Sendable>: Sendable {
    private struct Entry {
      let version: Int
      let snapshot: Snapshot
      let rowCount: Int
      /// When another one came; nil for the newest.
      var supersededAt: ContinuousClock.Instant?
    }

    private let limit: Int
    private let time: Duration
    /// How many rows all versions may have: they may share nothing.
    private let rowLimit: Int
    // Ascending by version.
    private var entries: [Entry] = []

    init(limit: Int, time: Duration, rowLimit: Int = 4_000_000) {
      self.limit = max(1, limit)
      self.time = time
      self.rowLimit = rowLimit
    }

    /// How many versions there are.
    var count: Int { entries.count }

    /// Adds a version; one that is there already is replaced.
    ///
    /// - Parameters:
    ///   - version: Its number.
    ///   - snapshot: Its contents.
    ///   - rowCount: How many rows it has.
    ///   - now: When it came.
    mutating func add(
      _ version: Int, _ snapshot: Snapshot, rowCount: Int = 0, at now: ContinuousClock.Instant
    ) {
      entries.removeAll { $0.version >= version }
      if let last = entries.indices.last { entries[last].supersededAt = now }
      entries.append(Entry(version: version, snapshot: snapshot, rowCount: rowCount))
      prune(at: now)
    }

    /// Lets go of what is too old, and too many.
    mutating func prune(at now: ContinuousClock.Instant) {
      if entries.count > limit { entries.removeFirst(entries.count - limit) }
      var rows = entries.reduce(0) { $0 + $1.rowCount }
      // The newest and the one before it stay in any case.
      while entries.count > 2, rows > rowLimit { rows -= entries.removeFirst().rowCount }
      entries.removeAll { entry in entry.supersededAt.map { now - $0 > time } ?? false }
    }

    /// Returns a version; nil where it is not held.
    func snapshot(_ version: Int) -> Snapshot? {
      entries.last { $0.version == version }?.snapshot
    }
  }
#endif
