internal import Glibc

/// The lines of a file descriptor, as bytes.
final class InputLines {
  private static let blockSize = 1 << 16

  /// What messages call it.
  let name: String
  /// The number of the line that was read last.
  private(set) var number = 0

  private let descriptor: Int32
  private let lineLimit: Int
  private let keepsReturns: Bool
  private let checkpoint: (() throws -> Void)?
  private var block: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - descriptor: Where the lines come from; it is not closed.
  ///   - name: What messages call it.
  ///   - lineLimit: How many bytes a line may have.
  ///   - keepsReturns: Whether a return before a line feed belongs to the line.
  ///   - checkpoint: Is called every now and then while nothing comes; what it throws ends the
  ///     reading.
  init(
    descriptor: Int32, name: String, lineLimit: Int = .max, keepsReturns: Bool = false,
    checkpoint: (() throws -> Void)? = nil
  ) {
    self.descriptor = descriptor
    self.name = name
    self.lineLimit = lineLimit
    self.keepsReturns = keepsReturns
    self.checkpoint = checkpoint
  }

  /// Returns the next line without its line feed; nil after the last.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be read.
  func next() throws -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if let end = block[position...].firstIndex(of: UInt8(ascii: "\n")) {
        line += block[position..<end]
        position = end + 1
        number += 1
        if !keepsReturns, line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
      }
      line += block[position...]
      guard line.count <= lineLimit else {
        throw CommandFailure(.data, "\(name):\(number + 1): the line is too long")
      }
      if try !fill() {
        if line.isEmpty { return nil }
        number += 1
        return line
      }
    }
  }

  private func fill() throws -> Bool {
    position = 0
    block = []
    if isAtEnd { return false }
    while true {
      if let checkpoint {
        try checkpoint()
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&request, 1, 100) == 0 { continue }
      }
      var buffer = [UInt8](repeating: 0, count: Self.blockSize)
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR || (errno == EAGAIN && checkpoint != nil) { continue }
        throw CommandFailure(
          .inputOutput, "cannot read \(name): \(String(cString: strerror(errno)))")
      }
      isAtEnd = count == 0
      block = Array(buffer.prefix(count))
      return count > 0
    }
  }
}
