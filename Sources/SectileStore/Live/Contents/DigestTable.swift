/// Digests by handle.
///
/// Handles that are not in use hold what was there last.
struct DigestTable: Sendable {
  private struct Parts {
    var words: ContiguousArray<UInt64> = []
    var pass: DigestPass?
  }

  // One element. Behind one reference a copy of the table costs one retain; the array brings copy
  // on write.
  private var storage: ContiguousArray<Parts>

  /// Where the digests come from that are still being taken, of rows that nobody wrote since.
  var pass: DigestPass? {
    get { storage[0].pass }
    set { storage[0].pass = newValue }
  }

  init() { storage = [Parts()] }

  /// Creates a table of digests that were taken in the order of positions.
  ///
  /// - Parameters:
  ///   - digests: The digests, by position.
  ///   - handles: The handles by position, where they are not the positions themselves.
  init(_ digests: ContiguousArray<UInt64>, handles: ContiguousArray<Int32>?) {
    guard let handles else {
      storage = [Parts(words: digests)]
      return
    }
    storage = [Parts()]
    for (position, handle) in handles.enumerated() { self[handle] = digests[position] }
  }

  /// The digest of a handle; ``RowDigest/unknown`` where none was taken.
  subscript(handle: Int32) -> UInt64 {
    get {
      let own =
        Int(handle) < storage[0].words.count ? storage[0].words[Int(handle)] : RowDigest.unknown
      return own == RowDigest.unknown ? pass?.digest(of: handle) ?? own : own
    }
    set {
      let position = Int(handle)
      while storage[0].words.count <= position { storage[0].words.append(RowDigest.unknown) }
      storage[0].words[position] = newValue
    }
  }

  /// Takes over the digests of handles that have none.
  mutating func fill(from other: DigestTable) {
    pass = nil
    guard !storage[0].words.isEmpty else {
      storage[0].words = other.storage[0].words
      return
    }
    for handle in 0..<Int32(other.storage[0].words.count) where self[handle] == RowDigest.unknown {
      self[handle] = other[handle]
    }
  }
}
