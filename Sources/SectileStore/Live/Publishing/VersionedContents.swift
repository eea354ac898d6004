import SectileCore

/// The contents of live results: those that readers see, and what leads on from there.
///
/// ```
///   visible ──pending[0]──▶ … ──pending[n]──▶ the latest contents, `ahead`
///   version                                    latestVersion
///   node                                       latestNode, number
/// ```
///
/// Contents are changed in place when a change is flipped. Only while changes are pending is there
/// a second copy, `ahead`, that the next commit is compared with.
struct VersionedContents {
  private(set) var visible = PlanContents()
  private(set) var version = 0
  /// The version of the base table that `visible` belongs to.
  private(set) var node = VersionNode()
  private(set) var pending: [PendingChange] = []
  /// The latest contents, where somebody has asked for them; nil where nothing is pending.
  private var ahead: PlanContents?
  /// The number of the latest contents: no others of these results have it.
  private(set) var number = 0
  private var greatestNumber = 0
  /// The rows of a version, where the load holds them that read it.
  private var held: (version: Int, view: HeldView)?
  /// Digests of the contents that are being taken.
  private(set) var digestPass: DigestPass?

  // MARK: The latest contents

  /// The version of the latest contents.
  var latestVersion: Int {
    // A change nobody hears of makes no version.
    pending.last { !$0.isSilent }?.targetVersion ?? version
  }

  /// The version of the base table that the latest contents belong to.
  var latestNode: VersionNode { pending.last?.node ?? node }

  /// Returns the contents with all pending changes.
  mutating func latest() -> PlanContents {
    if pending.isEmpty { return visible }
    if let ahead { return ahead }
    var contents = visible
    for next in pending { next.change.apply(to: &contents) }
    ahead = contents
    return contents
  }

  /// Returns a number for other contents.
  mutating func nextNumber() -> Int {
    greatestNumber += 1
    return greatestNumber
  }

  /// Takes note of a newer version of the base table in which these contents are the same.
  mutating func advance(to newest: VersionNode) {
    guard let last = pending.popLast() else {
      node = newest
      return
    }
    pending.append(last.with(last.change, at: newest))
  }

  // MARK: Changing

  /// Queues a change.
  @inline(__always)
  mutating func queue(_ change: consuming PendingChange) {
    number = change.number
    if !pending.isEmpty, var ahead = ahead.take() {
      change.change.apply(to: &ahead)
      self.ahead = ahead
    }
    pending.append(change)
  }

  /// Carries a change out at once, which nobody need hear of, where nothing waits.
  @inline(__always)
  mutating func absorb(_ change: PendingChange) {
    number = change.number
    carryOut(change)
  }

  /// Whether the oldest pending change is one that nobody need hear of.
  var isNextSilent: Bool { !pending.isEmpty && pending[0].isSilent }

  /// Takes the oldest pending change, and makes it visible.
  @inline(__always)
  mutating func flip() -> PendingChange {
    // The only one is taken from the end: from the front, the rest would be moved up.
    let change = pending.count == 1 ? pending.removeLast() : pending.removeFirst()
    // First: what it shares with the visible contents would be copied.
    if pending.isEmpty { ahead = nil }
    carryOut(change)
    return change
  }

  @inline(__always)
  private mutating func carryOut(_ change: PendingChange) {
    change.change.apply(to: &visible)
    node = change.node
    if !change.isSilent { version = change.targetVersion }
  }

  /// Drops what is pending.
  ///
  /// - Returns: What was dropped, to be released outside of the lock.
  mutating func drop() -> [PendingChange] {
    number = nextNumber()
    ahead = nil
    return exchange(&pending, with: [])
  }

  // MARK: Held rows

  /// The rows of what is visible, where a load holds them.
  var view: HeldView? { held.flatMap { $0.version == version ? $0.view : nil } }

  /// Takes note that a load holds the rows of the latest contents.
  mutating func hold(_ view: HeldView?) {
    held = view.map { (latestVersion, $0) }
  }

  // MARK: Digests

  /// Begins to take digests, unless the latest contents have them.
  ///
  /// - Parameter change: A change that is about to be queued.
  /// - Returns: The change with contents that know of the pass, and the pass; the same change and
  ///   nil where no digests are missing.
  mutating func beginDigestPass(
    queueing change: PlanChange?
  ) -> (change: PlanChange?, pass: DigestPass?) {
    guard (change?.contentsAfter ?? latest()).content == nil else { return (change, nil) }
    let pass = DigestPass()
    var table = DigestTable()
    table.pass = pass
    digestPass = pass
    changeAll { $0.content = table }
    return (change?.changingContents { $0.content = table }, pass)
  }

  /// Adds digests to all versions, for rows of which none is known.
  mutating func fill(_ table: DigestTable) {
    changeAll { contents in
      if contents.content == nil {
        contents.content = table
      } else {
        contents.content?.fill(from: table)
      }
    }
    digestPass = nil
  }

  /// Changes all versions of the contents.
  private mutating func changeAll(_ body: (inout PlanContents) -> Void) {
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
}

extension PlanChange {
  /// The contents after the change, where it has them as a whole.
  fileprivate var contentsAfter: PlanContents? {
    switch contents {
    case .oneRow, .edited: nil
    case .replaced(let after, _), .grown(let after, _, _): after
    }
  }

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
