import GRDB
import SectileCore
import Synchronization

extension ResultsTracker {
  /// Whether the rows that are followed lack digests that others' writes would ask for.
  var needsDigests: Bool { state.withLock(\.isTracking) && lacksDigests }

  /// Whether the rows that were loaded lack digests, be it that they are not followed any more: the
  /// next load compares with them.
  private var lacksDigests: Bool {
    state.withLock { state in
      state.queries?.memory.keepsContent == false && state.latestContents().content == nil
    }
  }

  /// Prepares for digests that come later: commits note those of the rows they touch.
  func beginDigestPass() -> DigestPass {
    let pass = DigestPass()
    var table = DigestTable()
    table.pass = pass
    state.withLock { state in
      state.digestPass = pass
      state.setContentDigests(table)
    }
    return pass
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
    let (contents, queries) = state.withLock { ($0.latestContents(), $0.queries) }
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
  func fill(_ table: DigestTable) {
    state.withLock { state in
      state.changeContents { contents in
        if contents.content == nil {
          contents.content = table
        } else {
          contents.content?.fill(from: table)
        }
      }
      state.digestPass = nil
    }
  }

  /// Waits for digests that are being taken.
  func awaitDigests() {
    state.withLock { $0.digestPass }?.wait()
  }

  func rememberContents(of base: BaseRows, in db: Database) {
    awaitDigests()
    guard lacksDigests, let notes = base.notes, let positions = base.positions else { return }
    let node = state.withLock { $0.latestNode }
    let past = RowsBefore(
      since: node, upTo: notes.node, unfinished: notes.images, columns: notes.columns,
      positions: positions)
    var known: [RowKey: UInt64] = [:]
    past.forEachTouchedKey { key in
      known[key] = past.contentDigest(key) ?? RowDigest.unknown
    }
    if let table = try? takeDigests(in: db, known: known) { fill(table) }
  }
}

extension ResultsTracker.State {
  /// Changes all versions of the contents.
  fileprivate mutating func changeContents(_ body: (inout PlanContents) -> Void) {
    body(&visible)
    if var contents = ahead.take() {
      body(&contents)
      ahead = contents
    }
    for position in pending.indices {
      let prepared = pending[position]
      pending[position] = prepared.with(
        prepared.change.changingContents(body), at: prepared.node)
    }
  }

  fileprivate mutating func setContentDigests(_ table: DigestTable) {
    changeContents { $0.content = table }
  }
}

extension PlanChange {
  /// Returns the change with other contents where they are kept as a whole; edits bring the digests
  /// of their rows.
  fileprivate func changingContents(_ body: (inout PlanContents) -> Void) -> PlanChange {
    switch contents {
    case .oneRow, .edited: return self
    case .replaced(var contents, let rows):
      body(&contents)
      return PlanChange(.replaced(contents, rows), items: items)
    case .grown(var contents, let growth, let rows):
      body(&contents)
      return PlanChange(.grown(contents, from: growth, read: rows), items: items)
    }
  }
}

extension RowsBefore {
  /// The digest of a touched row's item as it was; nil where its values are not known.
  fileprivate func contentDigest(_ key: RowKey) -> UInt64? {
    guard case (.image(let offset), let images)? = finding(key) else { return nil }
    return images.withImage(at: offset) { RowDigest.of($0, at: positions) }
  }
}
