/// A row's handle as an element of ``RankedBlocks``.
struct RowHandle: RankedElement {
  static var isWeighted: Bool { false }

  let key: Int32

  var weight: Int { 1 }

  /// Looks through sixteen handles at a time.
  ///
  /// Where in the sixteen is worked out without a branch that nobody could predict.
  static func offset(of key: Int32, in block: ContiguousArray<RowHandle>) -> Int? {
    block.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let wanted = SIMD16<Int32>(repeating: key)
      let stride = MemoryLayout<SIMD16<Int32>>.size
      let end = bytes.count
      var offset = 0
      while offset &+ stride <= end {
        let handles = (start + offset).loadUnaligned(as: SIMD16<Int32>.self)
        let matches = handles .== wanted
        if any(matches) {
          return offset / MemoryLayout<Int32>.size
            &+ Int(numbers.replacing(with: 0, where: .!matches).wrappedSum())
        }
        offset &+= stride
      }
      while offset < end {
        if (start + offset).loadUnaligned(as: Int32.self) == key {
          return offset / MemoryLayout<Int32>.size
        }
        offset &+= MemoryLayout<Int32>.size
      }
      return nil
    }
  }

  private static var numbers: SIMD16<Int32> {
    SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  }
}
