/// The bytes of row images, one image behind the other.
///
/// In memory of its own: an array would look up for each value who shares it.
struct ImageBytes: ~Copyable {
  /// Room for the first image: most rows take less.
  private static let leastCapacity = 256

  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private(set) var count = 0

  deinit { memory.deallocate() }

  /// How much memory is taken.
  var capacity: Int { memory.count }

  /// The bytes, valid until more are added.
  var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Returns the same bytes in other memory.
  func copy() -> ImageBytes {
    var copy = ImageBytes()
    guard count > 0 else { return copy }
    UnsafeMutableRawBufferPointer(start: copy.extend(by: count), count: count)
      .copyMemory(from: all)
    return copy
  }

  /// Makes room for more bytes at the end, one at least, and returns where they go.
  mutating func extend(by length: Int) -> UnsafeMutableRawPointer {
    if count + length > memory.count { grow(to: count + length) }
    guard let start = memory.baseAddress else { preconditionFailure("no memory was asked for") }
    defer { count += length }
    return start + count
  }

  /// Takes back what was added behind the first so many.
  mutating func truncate(to count: Int) { self.count = count }

  private mutating func grow(to count: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(count, 2 * memory.count, Self.leastCapacity), alignment: 1)
    larger.copyMemory(from: all)
    memory.deallocate()
    memory = larger
  }
}
