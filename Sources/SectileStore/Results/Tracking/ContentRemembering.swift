import Dispatch
import GRDB
import SectileCore
import Synchronization

/// When digests are taken of the rows that results show.
///
/// The recorder sees what this store writes. What another connection writes it does not see; to tell
/// afterwards which rows became others, results need a digest of each from before.
enum ContentRemembering: Sendable {
  /// Nobody else can write: digests are taken when the schema is about to change.
  case whenSchemaChanges
  /// Others may write. Digests are taken within each load, which takes longer for it.
  case withLoad
  /// Others may write. Digests are taken after each load, on a connection of their own that sees
  /// what the load saw.
  case afterLoad(DatabasePool)

  /// Takes digests of the rows that were just loaded.
  ///
  /// Called on the writer, outside of a transaction.
  func remember(_ results: ResultsTracker, in db: Database) throws {
    switch self {
    case .whenSchemaChanges: break
    case .withLoad: try results.fillDigests(in: db)
    case .afterLoad(let pool):
      let pass = results.beginDigestPass()
      pool.asyncConcurrentRead { db in
        defer { pass.end() }
        // Without digests every row counts as changed after a foreign write: nothing is missed.
        try? results.fillDigests(in: db.get())
      }
    }
  }
}

/// A pass over the rows of some results that runs beside everything else.
final class DigestPass: Sendable {
  private let isRunning = Mutex(true)
  private let group = DispatchGroup()

  init() { group.enter() }

  func end() {
    let wasRunning = isRunning.withLock { isRunning in
      defer { isRunning = false }
      return isRunning
    }
    if wasRunning { group.leave() }
  }

  func wait() { group.wait() }
}

extension ResultsTracker {
  /// Whether the rows that are loaded lack digests that others' writes would ask for.
  var needsDigests: Bool {
    state.withLock { state in
      state.isTracking && state.queries?.memory.keepsContent == false
        && state.latestContents().content == nil
    }
  }

  /// Prepares for digests that come later: commits note those of the rows they touch.
  func beginDigestPass() -> DigestPass {
    let pass = DigestPass()
    state.withLock { state in
      state.digestPass = pass
      state.fill(DigestTable())
    }
    return pass
  }

  /// Reads the latest contents' rows and remembers their digests.
  ///
  /// - Parameter known: Digests that are known, by key; other rows are read.
  func fillDigests(in db: Database, known: [RowKey: UInt64] = [:]) throws {
    let (contents, queries) = state.withLock { ($0.latestContents(), $0.queries) }
    guard let queries else { return }
    var table = DigestTable()
    for (key, digest) in known {
      if let handle = contents.keys.handle(of: key) { table[handle] = digest }
    }
    try PlanReader(queries: queries, db: db).forEachBaseRow { key, digest in
      guard let handle = contents.keys.handle(of: key), known[key] == nil else { return }
      table[handle] = digest()
    }
    state.withLock { $0.fill(table) }
  }

  /// Waits for digests that are being taken.
  func awaitDigests() {
    state.withLock { $0.digestPass }?.wait()
  }

  func rememberContents(of base: BaseRows, in db: Database) {
    awaitDigests()
    guard needsDigests, let notes = base.notes, let positions = base.positions else { return }
    let count = state.withLock { $0.queries?.memory.itemCount } ?? 0
    var past = base.past(since: starting().node)
    past = RowsBefore(later: past.later + [notes.images], positions: positions)
    var known: [RowKey: UInt64] = [:]
    past.forEachTouchedKey { key in
      known[key] = past.contentDigest(key, itemCount: count) ?? RowDigest.unknown
    }
    try? fillDigests(in: db, known: known)
  }
}

extension ResultsTracker.State {
  /// Adds digests to all versions of the contents, for rows of which none is known.
  mutating func fill(_ table: DigestTable) {
    visible.fillContent(from: table)
    ahead?.fillContent(from: table)
    for position in pending.indices { pending[position].change.fillContent(from: table) }
  }
}

extension PlanChange {
  /// Adds digests to contents that are kept as a whole; edits bring those of their rows.
  fileprivate mutating func fillContent(from table: DigestTable) {
    switch contents {
    case .edited: break
    case .replaced(var contents):
      contents.fillContent(from: table)
      self.contents = .replaced(contents)
    case .grown(var contents, let growth):
      contents.fillContent(from: table)
      self.contents = .grown(contents, from: growth)
    }
  }
}

extension RowsBefore {
  /// The digest of a touched row's item as it was; nil where its values are not known.
  fileprivate func contentDigest(_ key: RowKey, itemCount: Int) -> UInt64? {
    guard case (.image(let offset), let commit)? = finding(key), let positions else { return nil }
    return later[commit].withImage(at: offset) { image in
      var digest = RowDigest()
      for position in positions[..<itemCount] { digest.combine(image[position]) }
      return digest.value
    }
  }
}
