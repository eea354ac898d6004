internal import Foundation

/// Keys that are one text each, and their handles: a hash table.
///
/// ```text
/// bytes   5f3e…a1  5f4a…07  77c0…3b       one text after another
/// spans   0, 36    36, 36   72, 36        by handle: where the text begins, and its length
/// ```
///
/// The texts lie in one piece of memory: a string of its own for each takes several times the room
/// and an allocation. ``HandleSlots`` finds them by their hash. Bytes of texts that are gone are
/// used again by texts of the same length; where half of the bytes are of no use, the rest moves
/// together.
struct TextKeyMap: Sendable {
  /// Where a text lies: its beginning in the upper 40 bits, its length in the lower 24.
  private struct Span: Sendable {
    private static let lengthBits: UInt64 = 24

    static let empty = Span(word: 0)

    private let word: UInt64

    private init(word: UInt64) { self.word = word }

    /// Creates a span; nil where it begins too far away or is too long.
    init?(start: Int, length: Int) {
      guard length < 1 << Self.lengthBits, start < 1 << (64 - Self.lengthBits) else { return nil }
      word = UInt64(start) << Self.lengthBits | UInt64(length)
    }

    var start: Int { Int(word >> Self.lengthBits) }
    var length: Int { Int(word & (1 << Self.lengthBits - 1)) }
    var range: Range<Int> { start..<start + length }
  }

  private var bytes: ContiguousArray<UInt8> = []
  private var spans: ContiguousArray<Span> = []
  /// The handles that are not in use.
  private(set) var freeHandles: ContiguousArray<Int32> = []
  /// How many bytes belong to no text any more.
  private var unusedByteCount = 0
  private var slots = HandleSlots()

  /// The number of keys.
  var count: Int { spans.count - freeHandles.count }

  /// One more than the largest handle.
  var capacity: Int { spans.count }

  /// How many bytes are held for texts, of use or not.
  var byteCount: Int { bytes.count }

  init() {}

  // MARK: - Finding

  func key(of handle: Int32) -> String {
    let range = spans[Int(handle)].range
    return bytes.withUnsafeBufferPointer {
      // What came from a string is UTF-8.
      StoredText.decode(UnsafeBufferPointer(rebasing: $0[range])) ?? ""
    }
  }

  func handle(of key: String) -> Int32? {
    guard !slots.isEmpty else { return nil }
    var key = key
    return key.withUTF8 { slots.handle(inSlot: slot(of: $0, hash: Self.hash(of: $0))) }
  }

  private func slot(of key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    slots.slot(hash: hash) { isEqual(spans[Int($0)], key) }
  }

  private func isEqual(_ span: Span, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    guard span.length == key.count else { return false }
    guard let other = key.baseAddress, key.count > 0 else { return true }
    return bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0 + span.start, other, key.count) == 0 } ?? false
    }
  }

  private static func hash(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  private static func hash(
    of handle: Int32, in spans: ContiguousArray<Span>, _ bytes: ContiguousArray<UInt8>
  ) -> UInt64 {
    let range = spans[Int(handle)].range
    return bytes.withUnsafeBufferPointer { hash(of: UnsafeBufferPointer(rebasing: $0[range])) }
  }

  // MARK: - Changing

  /// Appends a key that may be there already: it is not found before ``findAll()``.
  ///
  /// - Returns: False where there is no room for it.
  mutating func append(_ key: String) -> Bool {
    var key = key
    return key.withUTF8 { key in
      guard let span = add(key) else { return false }
      spans.append(span)
      return true
    }
  }

  /// Makes it possible to find what was appended to an empty map.
  ///
  /// - Returns: A handle whose key another one has, too; the map is of no use then.
  mutating func findAll() -> Int32? {
    slots.reserve(count: spans.count, keyCount: 0, free: []) { _ in 0 }
    for (handle, span) in spans.enumerated() {
      let (hash, slot) = bytes.withUnsafeBufferPointer { bytes in
        let key = UnsafeBufferPointer(rebasing: bytes[span.range])
        let hash = Self.hash(of: key)
        return (hash, self.slot(of: key, hash: hash))
      }
      guard slots.handle(inSlot: slot) == nil else { return Int32(handle) }
      slots.put(Int32(handle), hash: hash, inSlot: slot)
    }
    return nil
  }

  /// Returns the handle of a key, handing out one if it has none.
  ///
  /// - Returns: The handle, and whether the key is new; nil where there is no room for it.
  mutating func insert(_ key: String) -> (handle: Int32, isNew: Bool)? {
    var key = key
    return key.withUTF8 { insert($0) }
  }

  private mutating func insert(
    _ key: UnsafeBufferPointer<UInt8>
  ) -> (handle: Int32, isNew: Bool)? {
    reserve(count: spans.count + 1)
    let hash = Self.hash(of: key)
    let slot = slot(of: key, hash: hash)
    if let found = slots.handle(inSlot: slot) { return (found, false) }
    let handle: Int32
    if let reused = freeHandles.last {
      let former = spans[Int(reused)]
      if former.length == key.count {
        bytes.replaceSubrange(former.range, with: key)
        unusedByteCount -= key.count
      } else {
        guard let span = add(key) else { return nil }
        spans[Int(reused)] = span
      }
      handle = freeHandles.removeLast()
    } else {
      guard let span = add(key) else { return nil }
      handle = Int32(spans.count)
      spans.append(span)
    }
    slots.put(handle, hash: hash, inSlot: slot)
    if unusedByteCount > max(1024, bytes.count / 2) { moveTogether() }
    return (handle, true)
  }

  private mutating func add(_ key: UnsafeBufferPointer<UInt8>) -> Span? {
    guard let span = Span(start: bytes.count, length: key.count) else { return nil }
    bytes.append(contentsOf: key)
    return span
  }

  /// Takes a key out of the map.
  mutating func remove(_ handle: Int32) {
    let (spans, bytes) = (spans, bytes)
    slots.remove(handle) { Self.hash(of: $0, in: spans, bytes) }
    unusedByteCount += spans[Int(handle)].length
    freeHandles.append(handle)
  }

  /// Makes room for so many keys in all.
  mutating func reserve(count: Int) {
    guard !slots.hasRoom(for: count) else { return }
    let (spans, bytes) = (spans, bytes)
    slots.reserve(count: count, keyCount: spans.count, free: freeHandles) {
      Self.hash(of: $0, in: spans, bytes)
    }
  }

  /// Leaves no bytes between the texts.
  private mutating func moveTogether() {
    let (former, formerSpans) = (bytes, spans)
    bytes = []
    bytes.reserveCapacity(former.count - unusedByteCount)
    for handle in freeHandles { spans[Int(handle)] = .empty }
    for (handle, span) in spans.enumerated() where span.length > 0 {
      former[formerSpans[handle].range].withUnsafeBufferPointer { text in
        if let moved = add(text) { spans[handle] = moved }
      }
    }
    unusedByteCount = 0
  }
}
