/// A row's handle as an element of ``RankedBlocks``.
struct RowHandle: RankedElement {
  static var isWeighted: Bool { false }

  let key: Int32

  var weight: Int { 1 }

  /// Looks through sixteen handles at a time.
  static func offset(of key: Int32, in block: ContiguousArray<RowHandle>) -> Int? {
    block.withUnsafeBufferPointer { handles in
      guard handles.count >= Handles.scalarCount else {
        return handles.firstIndex { $0.key == key }
      }
      // The last sixteen overlap those before them.
      let last = handles.count &- Handles.scalarCount
      var start = 0
      while start < last {
        if let lane = lane(of: key, in: handles, from: start) { return start &+ lane }
        start &+= Handles.scalarCount
      }
      return lane(of: key, in: handles, from: last).map { last &+ $0 }
    }
  }

  private typealias Handles = SIMD16<Int32>

  /// Which of sixteen handles is the one wanted.
  @inline(__always)
  private static func lane(
    of key: Int32, in handles: UnsafeBufferPointer<RowHandle>, from start: Int
  ) -> Int? {
    guard let first = handles.baseAddress else { return nil }
    let found = UnsafeRawPointer(first + start).loadUnaligned(as: Handles.self)
    let matches = found .== Handles(repeating: key)
    guard any(matches) else { return nil }
    // A byte for each lane, and eight of them in a number: the match is where its bits begin.
    let lanes = Handles.zero.replacing(with: -1, where: matches)
    let bytes = SIMD16<Int8>(truncatingIfNeeded: lanes)
    let halves = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    // Which half it is in is worked out without a branch that nobody could predict.
    let isUpper = halves[0] == 0 ? 1 : 0
    let bits = UInt64(littleEndian: halves[0] | halves[1])
    return bits.trailingZeroBitCount / UInt8.bitWidth &+ 8 &* isUpper
  }
}
