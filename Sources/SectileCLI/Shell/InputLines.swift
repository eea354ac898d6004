internal import Glibc

/// The lines of a file descriptor, as bytes.
final class InputLines {
  private static let blockSize = 1 << 16

  private let descriptor: Int32
  private let name: String
  private var block: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - descriptor: Where the lines come from; it is not closed.
  ///   - name: What messages call it.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Returns the next line without its end; nil after the last.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be read.
  func next() throws -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if let end = block[position...].firstIndex(of: UInt8(ascii: "\n")) {
        line += block[position..<end]
        position = end + 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
      }
      line += block[position...]
      if try !fill() { return line.isEmpty ? nil : line }
    }
  }

  private func fill() throws -> Bool {
    position = 0
    block = []
    if isAtEnd { return false }
    while true {
      var buffer = [UInt8](repeating: 0, count: Self.blockSize)
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw CommandFailure(
          .inputOutput, "cannot read \(name): \(String(cString: strerror(errno)))")
      }
      isAtEnd = count == 0
      block = Array(buffer.prefix(count))
      return count > 0
    }
  }
}
