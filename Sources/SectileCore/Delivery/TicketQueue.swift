/// The hubs that a drain has yet to deliver for, the one with the smallest ticket first.
///
/// A composition's cycle has the ticket of the commit that it follows. Of the hubs that one commit
/// concerns the lower ones come first, and of these the one that was listed first: so a composition
/// comes after all of its inputs, whatever the depth of the chains between it and the source.
///
/// A binary heap (Williams, "Algorithm 232: Heapsort", 1964), since a hub goes back into the queue
/// under the ticket of its next cycle, which is often older than that of others.
///
/// - Complexity: Inserting and taking the first are O(log *n*).
struct TicketQueue {
  /// A hub, and the ticket of the cycle it is listed for.
  struct Entry {
    let ticket: UInt64
    let hub: HubCore
    /// That of the hub when it was listed.
    private let height: Int
    /// How many were listed before it.
    fileprivate var number = 0

    init(ticket: UInt64, hub: HubCore) {
      (self.ticket, self.hub, height) = (ticket, hub, hub.height)
    }

    fileprivate func isBefore(_ other: Entry) -> Bool {
      guard ticket == other.ticket else { return ticket < other.ticket }
      return (height, number) < (other.height, other.number)
    }
  }

  private var entries: [Entry] = []
  private var count = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func insert(_ entry: Entry) {
    var entry = entry
    entry.number = count
    count += 1
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].isBefore(entries[parent]) else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  mutating func popFirst() -> Entry? {
    guard entries.count > 1 else { return entries.popLast() }
    entries.swapAt(0, entries.count - 1)
    let first = entries.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].isBefore(entries[smallest]) { smallest = child }
      }
      guard smallest != parent else { return first }
      entries.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
