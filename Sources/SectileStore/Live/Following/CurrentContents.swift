import GRDB
import SectileCore
import Synchronization

/// Reads everything that results show as one state of the database, whoever writes.
///
/// ```text
///   writer   read what others committed ─── begin a view of the same state
///   view                                     └── read all rows
/// ```
///
/// The rows are read where nobody can change them any more: in a view, beside the writer; where
/// there is one connection, on it.
struct CurrentContents<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  typealias Contents = SectionedContents<Item.ID, Item>

  /// How often a newer version is read where the one before could not be.
  private static var attemptLimit: Int { 8 }

  let tracker: ResultsTracker
  let items: ItemDelivery<Item>
  let writer: WriterAccess

  /// Reads them.
  ///
  /// - Throws: What reading and decoding throw.
  func read() throws -> Contents {
    var isCorrected = false
    for _ in 1..<Self.attemptLimit {
      do {
        return try attempt()
      } catch let error as StoreError where error.code == .itemChangedElsewhere {
        // A load is under way, say, whose version was overwritten: there is another one by now.
      } catch let gone as GoneRow {
        // Where everything was read again and a row is gone still, its key does not lead to it.
        guard !isCorrected else { throw gone.error }
        isCorrected = true
        try writer.correct(tracker)
      }
    }
    do { return try attempt() } catch let gone as GoneRow { throw gone.error }
  }

  /// A row is not there in the very state of the database that the results have followed: they are
  /// wrong.
  private struct GoneRow: Error {
    let error: StoreError
  }

  /// Returns what results come to as a snapshot, whose rows are held.
  ///
  /// - Parameter views: What holds them.
  /// - Returns: The snapshot; the one that readers see where nothing is held, as in a file without
  ///   a write-ahead log, whose writers would wait for whoever holds it. Where a row of it is not
  ///   found though it is held, the results are fetched again by the next look.
  /// - Throws: What looking for what others have committed throws.
  func snapshot(holding views: LoadViews) throws -> ResultsSnapshot<Item> {
    var held: ResultsSnapshot<Item>?
    var hasLog = true
    try writer.catchUp(holding: views) { db, view in
      guard view != nil else { return }
      hasLog = try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal"
      guard hasLog, let view, let latest = tracker.latestContents else { return }
      view.whenARowIsGone { [writer, tracker] in
        Task.detached {
          // Where it fails, the next one who does not find the row says so again.
          try? await writer.blockingCalls.run { try writer.correct(tracker) }
        }
      }
      held = items.snapshot(of: latest, in: view, heldBy: views)
    }
    if !hasLog { views.end() }
    return held ?? items.snapshot(of: tracker)
  }

  private func attempt() throws -> Contents {
    guard tracker.isTracking else { return try shownContents() }
    let views = LoadViews(for: .contents, of: items.reader.table)
    var latest: LatestContents?
    var held: HeldView?
    var stored: [Item?] = []
    try writer.catchUp(holding: views) { db, view in
      latest = tracker.latestContents
      held = view
      if view == nil, let contents = latest?.contents {
        stored = try items.reader.currentItems(of: contents, in: db)
      }
    }
    // While a load reads, there is what its view shows.
    guard let latest else { return try shownContents() }
    if let held {
      let found = try items.reader.access.read(in: held) { db in
        try items.reader.currentItems(of: latest.contents, in: db)
      }
      guard let found else { throw StaleContents() }
      stored = found
    }
    do {
      return try latest.contents.materialized(
        version: latest.version, items: stored, readBy: items.reader)
    } catch let error as StoreError where error.code == .itemChangedElsewhere {
      throw GoneRow(error: error)
    }
  }
}

extension CurrentContents {
  /// Reads what a reader sees, unless that is known to be out of date.
  private func shownContents() throws -> Contents {
    if let failure = tracker.failure { throw failure }
    return try items.snapshot(of: tracker).materialized()
  }
}

extension ResultsTracker {
  /// The latest contents, which are what the database holds; nil where a load reads them, where
  /// they could not be read, or where the results follow nothing any more.
  ///
  /// Called on the writer, after it has looked for what others have committed.
  var latestContents: LatestContents? {
    state.withLock { $0.latestContents() }
  }
}
