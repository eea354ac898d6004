import GRDB
import SectileCore
import Synchronization

extension ResultsTracker {
  /// Whether the rows that were loaded lack digests, be it that they are not followed any more: the
  /// next load compares with them.
  private var lacksDigests: Bool {
    state.withLock { machine in
      machine.request.keepsNoDigests && machine.versions.latest().content == nil
    }
  }

  /// Prepares for digests that come later, where the rows that are followed lack them: commits note
  /// those of the rows they touch.
  ///
  /// - Parameter change: A change that is about to be queued.
  /// - Returns: The change with contents that know of the pass, and the pass; the same change and
  ///   nil where no digests are missing.
  func beginDigestPass(queueing change: PlanChange?) -> (change: PlanChange?, pass: DigestPass?) {
    state.withLock { machine in
      guard machine.isFollowing, machine.request.keepsNoDigests else { return (change, nil) }
      return machine.versions.beginDigestPass(queueing: change)
    }
  }

  /// Reads the latest contents' rows and returns their digests.
  ///
  /// - Parameters:
  ///   - db: Where to read.
  ///   - known: Digests that are known, by key; other rows are read.
  /// - Returns: The digests.
  /// - Throws: What reading throws.
  func takeDigests(in db: Database, known: [RowKey: UInt64] = [:]) throws -> DigestTable {
    InternalChecks.checkIsOneState(db)
    let (contents, queries) = state.withLock {
      ($0.versions.latest(), $0.request.queries)
    }
    var table = DigestTable()
    guard let queries else { return table }
    for (key, digest) in known {
      if let handle = contents.keys.handle(of: key) { table[handle] = digest }
    }
    try PlanReader(queries: queries, db: db).forEachBaseRow { key, digest in
      guard let handle = contents.keys.handle(of: key), known[key] == nil else { return }
      table[handle] = digest()
    }
    return table
  }

  /// Adds digests to all versions of the contents, for rows of which none is known.
  func fill(_ table: DigestTable) { state.withLock { $0.versions.fill(table) } }

  /// Waits for digests that are being taken.
  func awaitDigests() {
    state.withLock { $0.versions.digestPass }?.wait()
  }

  func rememberContents(of base: BaseRows, in db: Database) {
    awaitDigests()
    guard lacksDigests, let rows = base.recordedRows, let positions = base.positions else { return }
    let node = state.withLock { $0.versions.latestNode }
    let rowsBefore = RowsBefore(
      since: node, upTo: rows.node, unfinished: rows.preImages, columns: rows.columns,
      positions: positions)
    var known: [RowKey: UInt64] = [:]
    rowsBefore.forEachTouchedKey { key in
      known[key] = rowsBefore.contentDigest(key) ?? RowDigest.unknown
    }
    if let table = try? takeDigests(in: db, known: known) { fill(table) }
  }
}

extension RowsBefore {
  /// The digest of a touched row's item as it was; nil where its values are not known.
  fileprivate func contentDigest(_ key: RowKey) -> UInt64? {
    guard case (.image(let offset), let preImages)? = entry(of: key) else { return nil }
    return preImages.withImage(at: offset) { RowDigest.of($0, at: positions) }
  }
}
