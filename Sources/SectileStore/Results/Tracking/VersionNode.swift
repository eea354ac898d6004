import SectileCore
import Synchronization

/// A version of the database, as far as reading old rows is concerned, and the way to the next.
///
/// ```
///  snapshot at 7      visible contents at 9
///      │                     │
///      ▼                     ▼
///   node 7 ──before 8──▶ node 8 ──before 9──▶ node 9
/// ```
///
/// Each arrow carries what the touched rows were *before* the commit that leads along it. To read a
/// row as of version 7, follow the arrows: the first that knows the row has it; if none does, nobody
/// touched the row since, and the database has it. Links only point forward, so a version that
/// nobody reads any more is released together with its rows.
///
/// A link is made before COMMIT and removed again on rollback. A reader that sees the new database
/// state therefore also sees the link, and a reader that follows a link too early reads the same
/// values from it that the database still has.
final class VersionNode: Sendable {
  private struct Link: Sendable {
    let successor: VersionNode
    let before: PreImages
  }

  // MARK: - Mutable state
  //
  // - `link`: guarded by the mutex. Set once per commit by the writer, removed on rollback.
  private let link = Mutex<Link?>(nil)

  /// Releases the versions that only this one led to, one by one: a snapshot that was held over a
  /// million commits must not release them recursively.
  deinit {
    var next = link.withLock { $0.take()?.successor }
    // No other name for the node, which would be another reference to it.
    while isKnownUniquelyReferenced(&next) {
      next = next?.link.withLock { $0.take()?.successor }
    }
  }

  func connect(to successor: VersionNode, before: PreImages) {
    link.withLock { $0 = Link(successor: successor, before: before) }
  }

  /// Leads the newest version that is reached from here on to one that was read anew.
  ///
  /// Nothing is known of what happened in between: rows that this process has not written since are
  /// found in the database, or found to be others than they were.
  func connectEnd(to successor: VersionNode) {
    let end = newest
    guard end !== successor else { return }
    end.connect(to: successor, before: PreImages(columns: nil, rows: [:]))
  }

  /// The newest version that is reached from here.
  var newest: VersionNode {
    var node = self
    while let next = node.link.withLock({ $0?.successor }) { node = next }
    return node
  }

  func disconnect() {
    link.withLock { $0 = nil }
  }

  /// Follows the links from here and returns what the row was at this version, or nil if no known
  /// commit has touched it since.
  func rowBeforeLaterCommits(_ key: RowKey) -> [StoredValue]? {
    var node = self
    while let link = node.link.withLock({ $0 }) {
      if let row = link.before.row(key) { return row }
      node = link.successor
    }
    return nil
  }
}

/// What the rows of one table were before one transaction touched them: the values of the observed
/// columns.
///
/// Shared by all results on that table.
struct PreImages: Sendable {
  /// The column positions of each result's items within a row, or nil where the order is the same.
  let columns: [Int]?
  let rows: [RowKey: [StoredValue]]

  func row(_ key: RowKey) -> [StoredValue]? {
    guard let row = rows[key] else { return nil }
    guard let columns else { return row }
    return columns.map { row[$0] }
  }
}
