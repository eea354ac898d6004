import SectileCore

/// One version of what a plan yields: which rows, in which sections, in which order, and a digest
/// of each where the recorder cannot tell what it was.
///
/// A value; copies share their storage until one is changed.
struct PlanContents: Sendable {
  var index = SectionedIndex(blockCapacity: InternalChecks.blockCapacity)
  var keys = RowKeyMap()
  /// Digests of the items; nil where old values are seen as they are overwritten.
  var content: DigestTable?
  /// Digests of the values of the sort terms; nil likewise.
  var order: DigestTable?

  var count: Int { index.count }

  var isEmpty: Bool { count == 0 && index.sectionCount == 0 }

  func key(at path: ItemPath) -> RowKey { keys.key(of: index.handle(at: path)) }

  func path(of key: RowKey) -> ItemPath? {
    keys.handle(of: key).flatMap { index.path(of: $0) }
  }

  func section(_ ordinal: Int) -> SectionState {
    SectionState(header: index.header(ofSection: ordinal), order: index.order(ofSection: ordinal))
  }
}

/// Digests by handle.
///
/// Handles that are not in use hold what was there last.
struct DigestTable: Sendable {
  private var words: ContiguousArray<UInt64> = []
  /// Where the digests come from that are still being taken, of rows that nobody wrote since.
  var pass: DigestPass?

  init() {}

  /// Creates a table of digests that were taken in the order of positions.
  ///
  /// - Parameters:
  ///   - digests: The digests, by position.
  ///   - handles: The handles by position, where they are not the positions themselves.
  init(_ digests: ContiguousArray<UInt64>, handles: ContiguousArray<Int32>?) {
    guard let handles else {
      words = digests
      return
    }
    for (position, handle) in handles.enumerated() { self[handle] = digests[position] }
  }

  /// The digest of a handle; ``RowDigest/unknown`` where none was taken.
  subscript(handle: Int32) -> UInt64 {
    get {
      let known = Int(handle) < words.count ? words[Int(handle)] : RowDigest.unknown
      return known == RowDigest.unknown ? pass?.digest(of: handle) ?? known : known
    }
    set {
      let position = Int(handle)
      while words.count <= position { words.append(RowDigest.unknown) }
      words[position] = newValue
    }
  }

  /// Takes over the digests of handles that have none.
  mutating func fill(from other: DigestTable) {
    pass = nil
    guard !words.isEmpty else {
      words = other.words
      return
    }
    for handle in 0..<Int32(other.words.count) where self[handle] == RowDigest.unknown {
      self[handle] = other[handle]
    }
  }
}
