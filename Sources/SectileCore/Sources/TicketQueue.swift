/// The hubs that a drain has yet to deliver for, the one with the smallest ticket first.
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
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].ticket < entries[parent].ticket else { return }
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
        if entries[child].ticket < entries[smallest].ticket { smallest = child }
      }
      guard smallest != parent else { return first }
      entries.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
