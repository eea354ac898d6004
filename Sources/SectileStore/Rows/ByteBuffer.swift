import Foundation

/// Bytes that are written one behind the other: the images of rows, or what rows are sorted by.
///
/// In memory of its own: an array would look up for each value who shares it.
struct ByteBuffer: ~Copyable {
  /// Room for the first row: most take less.
  private static let leastCapacity = 256

  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private(set) var count = 0

  deinit { free(memory.baseAddress) }

  /// How much memory is taken.
  var capacity: Int { memory.count }

  /// The bytes, valid until more are added.
  var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Returns the same bytes in other memory.
  func copy() -> ByteBuffer {
    var copy = ByteBuffer()
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
    let capacity = max(count, 2 * memory.count, Self.leastCapacity)
    // Pages of much memory are moved, not copied.
    guard let start = realloc(memory.baseAddress, capacity) else {
      preconditionFailure("there is no memory for \(capacity) bytes")
    }
    memory = UnsafeMutableRawBufferPointer(start: start, count: capacity)
  }
}
