/// Integer keys that leave few gaps: a key's handle is its distance from a base.
///
/// ```text
/// base 40     keys   40  41  43  44          handles  0  1  3  4
///             bits    1   1   0   1   1
/// ```
///
/// Nothing is stored but one bit per number in the range, in pages that copies share.
struct DenseKeyMap: Sendable {
  /// How much longer than twice the number of keys the range may be.
  private static let slack = 1024
  private static let wordCount = 512

  private var base: Int64 = 0
  private var pages: ContiguousArray<ContiguousArray<UInt64>> = []

  /// The number of keys.
  private(set) var count = 0

  /// The length of the range: one more than the largest handle.
  private(set) var capacity = 0

  init() {}

  /// Creates a map that can hold any key between two, without holding one.
  ///
  /// - Returns: The map, or nil where `count` keys between the two would leave too many gaps.
  init?(keys: ClosedRange<Int64>, count: Int) {
    // A range that begins near zero begins at zero: then keys are handles, and smaller keys fit.
    if keys.lowerBound < 0 || !Self.isDense(keys.upperBound, count: count) {
      base = keys.lowerBound
    }
    let (last, overflow) = keys.upperBound.subtractingReportingOverflow(base)
    guard !overflow, Self.isDense(last, count: count) else { return nil }
    extend(to: Int(last) + 1)
  }

  /// Whether `count` keys may have a handle as large as `offset` among them.
  private static func isDense(_ offset: Int64, count: Int) -> Bool {
    offset >= 0 && offset < Int64(Int32.max) && offset < 2 * Int64(count) + Int64(slack)
  }

  func key(of handle: Int32) -> Int64 { base + Int64(handle) }

  func handle(of key: Int64) -> Int32? {
    possibleHandle(of: key).flatMap { contains(Int($0)) ? $0 : nil }
  }

  /// Returns the handle that a key has if it is in the map.
  func possibleHandle(of key: Int64) -> Int32? {
    guard let offset = offset(of: key), offset < capacity else { return nil }
    return Int32(truncatingIfNeeded: offset)
  }

  /// Returns the handles of many keys; nil where the map lacks one.
  func handles(ofAll keys: ContiguousArray<Int64>) -> ContiguousArray<Int32>? {
    var knownCount = 0
    let handles = ContiguousArray<Int32>(unsafeUninitializedCapacity: keys.count) {
      handles, count in
      for key in keys {
        guard let handle = handle(of: key) else { break }
        handles.initializeElement(at: knownCount, to: handle)
        knownCount += 1
      }
      count = knownCount
    }
    return knownCount == keys.count ? handles : nil
  }

  func contains(_ handle: Int) -> Bool {
    pages[handle >> 15][(handle >> 6) & (Self.wordCount - 1)] & (1 << UInt64(handle & 63)) != 0
  }

  private func offset(of key: Int64) -> Int? {
    let (offset, overflow) = key.subtractingReportingOverflow(base)
    return overflow || offset < 0 ? nil : Int(offset)
  }

  /// Adds keys that lie in the range the map was created for, and returns their handles.
  ///
  /// - Returns: The handles, or nil where a key comes twice.
  mutating func insert(all keys: ContiguousArray<Int64>) -> ContiguousArray<Int32>? {
    var words = ContiguousArray<UInt64>(repeating: 0, count: pages.count * Self.wordCount)
    var isUnique = true
    let handles = ContiguousArray<Int32>(unsafeUninitializedCapacity: keys.count) {
      handles, count in
      words.withUnsafeMutableBufferPointer { words in
        for (position, key) in keys.enumerated() {
          let offset = Int(key &- base)
          let bit: UInt64 = 1 << UInt64(offset & 63)
          isUnique = isUnique && words[offset >> 6] & bit == 0
          words[offset >> 6] |= bit
          handles.initializeElement(at: position, to: Int32(truncatingIfNeeded: offset))
        }
      }
      count = keys.count
    }
    guard isUnique else { return nil }
    for page in pages.indices {
      pages[page] = ContiguousArray(words[page * Self.wordCount..<(page + 1) * Self.wordCount])
    }
    count = keys.count
    return handles
  }

  /// Returns the handle of a key, handing out one if it has none; nil where the key does not fit.
  mutating func insert(_ key: Int64) -> (handle: Int32, isNew: Bool)? {
    if capacity == 0 { base = (0..<Int64(Self.slack)).contains(key) ? 0 : key }
    guard let offset = offset(of: key) else { return nil }
    if offset >= capacity {
      guard Self.isDense(Int64(offset), count: count + 1) else { return nil }
      extend(to: offset + 1)
    }
    let page = offset >> 15
    let word = (offset >> 6) & (Self.wordCount - 1)
    let bit: UInt64 = 1 << UInt64(offset & 63)
    let isNew = pages[page][word] & bit == 0
    if isNew {
      pages[page][word] |= bit
      count += 1
    }
    return (Int32(truncatingIfNeeded: offset), isNew)
  }

  mutating func remove(_ handle: Int32) {
    let offset = Int(handle)
    precondition(
      offset >= 0 && offset < capacity && contains(offset), "handle \(handle) is not in use")
    pages[offset >> 15][(offset >> 6) & (Self.wordCount - 1)] &= ~(1 << UInt64(offset & 63))
    count -= 1
    // The next key may be anywhere.
    if count == 0 { self = DenseKeyMap() }
  }

  private mutating func extend(to capacity: Int) {
    self.capacity = capacity
    while pages.count << 15 < capacity {
      pages.append(ContiguousArray(repeating: 0, count: Self.wordCount))
    }
  }
}
