import SectileCore
import Synchronization

/// A version of one table, as far as reading old rows is concerned, and the way to the next.
///
/// ```
///  snapshot at 7      visible contents at 9
///      │                     │
///      ▼                     ▼
///   node 7 ──before 8──▶ node 8 ──before 9──▶ node 9
/// ```
///
/// Each arrow carries what the touched rows were *before* the commit that leads along it. To read a
/// row as of version 7, follow the arrows: the first that knows the row has it; if none does,
/// nobody touched the row since, and the database has it. All results of a table share one chain.
/// Links only point forward, so a version that nobody reads any more is released together with its
/// rows.
///
/// A link is made before COMMIT and removed again on rollback. A reader that sees the new database
/// state therefore also sees the link, and a reader that follows a link too early reads the same
/// values from it that the database still has.
final class VersionNode: Sendable {
  private struct Link: Sendable {
    let successor: VersionNode
    var before: PreImages
  }

  // MARK: - Mutable state
  //
  // - `link`: guarded by the mutex. Set once per commit by the writer, removed on rollback; what it
  //   carries is dropped at most once, for room.
  private let link = Mutex<Link?>(nil)
  // - `overwrites`: guarded by the mutex; made when an old version is read.
  private let overwrites = Mutex<FirstOverwrites?>(nil)

  /// Releases the versions that only this one led to, one by one: a snapshot that was held over a
  /// million commits must not release them recursively.
  deinit {
    overwrites.withLock { $0 = nil }
    var next = link.withLock { $0.take()?.successor }
    // No other name for the node, which would be another reference to it.
    while isKnownUniquelyReferenced(&next) {
      next = next?.link.withLock { $0.take()?.successor }
    }
  }

  func connect(to successor: consuming VersionNode, before: consuming PreImages) {
    var new: Link? = Link(successor: successor, before: before)
    // Not copied into place, which would be to retain both.
    link.withLock { swap(&$0, &new) }
  }

  func disconnect() {
    link.withLock { $0 = nil }
  }

  /// Returns what is known of a row as it was at this version: of the first commit since that may
  /// have touched it.
  ///
  /// - Parameters:
  ///   - key: The row's key.
  ///   - columns: The columns whose values are wanted.
  /// - Returns: What is known, and by which commit; nil where none touched the row.
  /// - Complexity: O(1); the first time, and after more commits, O(*k*) for *k* rows that they
  ///   touched.
  func entry(
    of key: RowKey, columns: [String] = []
  ) -> (entry: PreImages.Entry, preImages: PreImages)? {
    var node = firstNode(toAskAbout: key)
    while let link = node.link.withLock({ $0 }) {
      switch link.before.entry(of: key, columns: columns) {
      case .untouched: node = link.successor
      case let entry: return (entry, link.before)
      }
    }
    return nil
  }

  /// So many links are followed one after the other.
  private static let walkLimit = 4

  /// The version from which on links have to be asked about a row: none before it touched the row.
  private func firstNode(toAskAbout key: RowKey) -> VersionNode {
    overwrites.withLock { overwrites in
      if overwrites == nil {
        guard leads(further: Self.walkLimit) else { return self }
        overwrites = FirstOverwrites()
      }
      return overwrites?.node(toAskAbout: key, since: self) ?? self
    }
  }

  /// Whether more than so many links lead on from here.
  private func leads(further count: Int) -> Bool {
    var node = self
    for _ in 0...count {
      guard let next = node.successor else { return false }
      node = next
    }
    return true
  }

  /// The next version, as far as there is one.
  var successor: VersionNode? { link.withLock { $0?.successor } }

  /// What the commit after this version touched; nil where there was none.
  var touched: PreImages? { link.withLock { $0?.before } }

  /// Calls a closure with what each commit since this version touched, the oldest first.
  ///
  /// - Returns: The newest version.
  func forEachLater(_ body: (PreImages) -> Void) -> VersionNode {
    var node = self
    while let link = node.link.withLock({ $0 }) {
      body(link.before)
      node = link.successor
    }
    return node
  }

  /// Returns the rows that were touched from this version up to another one; nil where not all of
  /// them are known.
  func rowsTouched(upTo end: VersionNode) -> Set<RowKey>? {
    var keys: Set<RowKey> = []
    var node = self
    while node !== end {
      guard let link = node.link.withLock({ $0 }), link.before.isComplete else { return nil }
      link.before.forEachKey { keys.insert($0) }
      node = link.successor
    }
    return keys
  }

  /// Gives the memory of old rows back, from this version up to another one; whoever asks for one
  /// of them is told that it is lost.
  func dropImages(before end: VersionNode?) {
    var node = self
    while node !== end {
      let successor = node.link.withLock { link in
        link?.before = .unknown
        return link?.successor
      }
      guard let successor else { return }
      node = successor
    }
  }
}
