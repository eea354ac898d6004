/// The two-way map between row keys and the dense handles that the index stores.
///
/// Handles of removed rows are handed out again. A copy is a value: who holds one keeps reading the
/// keys of its own version.
struct RowKeyMap: Sendable {
  private var keys: [RowKey] = []
  private var handles: [RowKey: Int32] = [:]
  private var free: [Int32] = []

  var count: Int { handles.count }

  /// One more than the largest handle ever handed out: the size of an array indexed by handle.
  var capacity: Int { keys.count }

  mutating func reserveCapacity(_ count: Int) {
    keys.reserveCapacity(count)
    handles.reserveCapacity(count)
  }

  func handle(of key: RowKey) -> Int32? { handles[key] }

  func key(of handle: Int32) -> RowKey { keys[Int(handle)] }

  /// Returns the handle of a key, handing out one if it has none.
  mutating func insert(_ key: RowKey) -> (handle: Int32, isNew: Bool) {
    if let known = handles[key] { return (known, false) }
    let handle: Int32
    if let reused = free.popLast() {
      handle = reused
      keys[Int(handle)] = key
    } else {
      handle = Int32(keys.count)
      keys.append(key)
    }
    handles[key] = handle
    return (handle, true)
  }

  mutating func remove(_ handle: Int32) {
    handles[keys[Int(handle)]] = nil
    free.append(handle)
  }
}
