internal import SectileCore

/// Changesets that follow one another, as few as can be.
///
/// Merging each changeset with all before it would take O(*n*) for each; so only those of like
/// sizes are merged, as in a binary counter: O(log *n*) times each row.
struct WaitingChanges<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  private var list: [Changeset<ItemID, Item>] = []
  /// Whether some of them did not fit.
  private var isBroken = false

  var isEmpty: Bool { list.isEmpty && !isBroken }

  /// Takes in one more.
  mutating func append(_ changes: Changeset<ItemID, Item>) {
    guard !changes.isEmpty, !isBroken else { return }
    let last = list.last?.targetVersion ?? 0
    var next = changes.leading(from: last, to: last + 1)
    while let before = list.last, before.rowCount <= 2 * next.rowCount {
      guard let merged = try? before.merging(next) else {
        (list, isBroken) = ([], true)
        return
      }
      next = merged
      list.removeLast()
    }
    list.append(next)
  }

  /// All of them as one; nil where they do not fit together.
  func merged() -> Changeset<ItemID, Item>? {
    guard !isBroken, var result = list.last else { return nil }
    for changes in list.dropLast().reversed() {
      guard let merged = try? changes.merging(result) else { return nil }
      result = merged
    }
    return result
  }
}

/// The rows that changesets change in all, and how many they are.
struct WaitingRows<ItemID: Hashable & Sendable>: Sendable {
  private enum Change {
    case inserted, deleted, changed, moved
  }

  private var rows: [IdentityKey<ItemID>: Change] = [:]
  private(set) var counts = HeldChanges()

  /// Takes in a changeset.
  ///
  /// - Complexity: O(*c*) for *c* changes.
  mutating func add<Item>(_ changes: Changeset<ItemID, Item>) {
    for change in changes.deletes { note(change.id, .deleted) }
    for change in changes.inserts { note(change.id, .inserted) }
    for change in changes.updates { note(change.id, .changed) }
    for change in changes.moves { note(change.id, change.isContentChanged ? .changed : .moved) }
    counts.sectionCount +=
      changes.sectionInserts.count + changes.sectionDeletes.count + changes.sectionMoves.count
      + changes.sectionUpdates.count
  }

  private mutating func note(_ id: ItemID, _ change: Change) {
    let key = IdentityKey(id)
    let known = rows[key]
    let now: Change? =
      switch (known, change) {
      case (.inserted?, .deleted): nil
      case (.inserted?, _): .inserted
      case (.deleted?, .inserted): .changed
      case (.changed?, .moved): .changed
      default: change
      }
    if let known { count(known, -1) }
    if let now { count(now, 1) }
    rows[key] = now
  }

  private mutating func count(_ change: Change, _ number: Int) {
    switch change {
    case .inserted: counts.insertedCount += number
    case .deleted: counts.deletedCount += number
    case .changed: counts.changedCount += number
    case .moved: counts.movedCount += number
    }
  }
}

extension Changeset {
  /// How many rows it names.
  fileprivate var rowCount: Int { inserts.count + deletes.count + moves.count + updates.count }
}
