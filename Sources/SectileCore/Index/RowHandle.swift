/// A row's handle as an element of ``RankedBlocks``.
struct RowHandle: RankedElement {
  static var isWeighted: Bool { false }

  let key: Int32

  var weight: Int { 1 }

  /// Looks through sixteen handles at a time.
  static func offset(of key: Int32, in block: ContiguousArray<RowHandle>) -> Int? {
    block.withUnsafeBytes { bytes in
      let wanted = SIMD16<Int32>(repeating: key)
      let stride = MemoryLayout<SIMD16<Int32>>.size
      var offset = 0
      while offset + stride <= bytes.count {
        let handles = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<Int32>.self)
        if any(handles .== wanted) { break }
        offset += stride
      }
      while offset < bytes.count {
        if bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self) == key {
          return offset / MemoryLayout<Int32>.size
        }
        offset += MemoryLayout<Int32>.size
      }
      return nil
    }
  }
}
