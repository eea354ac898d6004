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
  /// Others may write. Digests are taken within each load, in its transaction, which takes longer for
  /// it.
  case withLoad
  /// Others may write now and then. Digests are taken after each load, on a connection of their own
  /// that sees what the load saw.
  case afterLoad(DatabasePool)

  /// Takes digests of the rows that are being loaded.
  ///
  /// Called on the writer, inside the transaction of the load.
  func rememberInside(_ results: ResultsTracker, in db: Database) throws {
    guard case .withLoad = self, results.needsDigests else { return }
    results.fill(try results.takeDigests(in: db))
  }

  /// Takes digests of the rows that were just loaded.
  ///
  /// Called on the writer, outside of a transaction.
  ///
  /// - Parameters:
  ///   - results: The results.
  ///   - view: What the load saw, where it is held.
  ///   - isOutdated: Returns whether somebody else has committed since the load.
  func rememberAfterwards(
    _ results: ResultsTracker, seenBy view: HeldView?, unless isOutdated: () throws -> Bool
  ) {
    guard case .afterLoad(let pool) = self, results.needsDigests else { return }
    let pass = results.beginDigestPass()
    // Where others commit all the time, a reader that begins now sees another state than the load.
    if let view, view.isHeld, (try? isOutdated()) != false {
      return view.readLater { db in
        let table = db.flatMap { try? results.takeDigests(in: $0) }
        pass.end(with: table)
        if let table { results.fill(table) }
      }
    }
    let verdict = DigestVerdict()
    // Returns when the reader has its view of the database.
    pool.asyncConcurrentRead { db in
      // Without digests every row counts as changed after a foreign write: nothing is missed.
      let table = try? results.takeDigests(in: db.get())
      guard verdict.awaitIsExact(), let table else { return pass.end(with: nil) }
      pass.end(with: table)
      results.fill(table)
    }
    // Digests of what others have written since the load would hide that they wrote it.
    verdict.give(isExact: (try? isOutdated()) == false)
  }
}

/// Whether a connection sees what a load saw, which is known when it has its view.
private final class DigestVerdict: Sendable {
  // MARK: - Mutable state
  //
  // - `isExact`: guarded by its mutex; set once, before the semaphore is signalled.
  private let isExact = Mutex(false)
  private let semaphore = DispatchSemaphore(value: 0)

  func give(isExact: Bool) {
    self.isExact.withLock { $0 = isExact }
    semaphore.signal()
  }

  func awaitIsExact() -> Bool {
    semaphore.wait()
    return isExact.withLock { $0 }
  }
}

/// A pass over the rows of some results that runs beside everything else.
final class DigestPass: Sendable {
  /// How long a reader waits for digests to compare with, so that a row that others have just
  /// changed is not taken for what it was.
  ///
  /// A pass over some hundred thousand rows takes longer; until it has ended such a row is shown as
  /// it is.
  private static let patience = DispatchTimeInterval.milliseconds(50)

  // MARK: - Mutable state
  //
  // - `table`: guarded by the mutex; set once.
  private let table = Mutex<DigestTable?>(nil)
  private let group = DispatchGroup()

  init() { group.enter() }

  func end(with table: DigestTable?) {
    self.table.withLock { $0 = table }
    group.leave()
  }

  func wait() { group.wait() }

  func waitBriefly() { _ = group.wait(timeout: .now() + Self.patience) }

  func digest(of handle: Int32) -> UInt64? { table.withLock { $0?[handle] } }
}

extension ResultsTracker {
  /// Whether the rows that are followed lack digests that others' writes would ask for.
  var needsDigests: Bool { state.withLock(\.isTracking) && lacksDigests }

  /// Whether the rows that were loaded lack digests, be it that they are not followed any more: the next
  /// load compares with them.
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
