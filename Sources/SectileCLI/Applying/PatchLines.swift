internal import Glibc

/// The lines of a patch as they come, from a file or a pipe that may stay open for days.
final class PatchLines {
  private static let blockSize = 1 << 18
  /// How long a line gets: SQLite's limit for a value, and what is written around it.
  private static let lineLimit = 2_100_000_000

  /// What messages call the input.
  let name: String
  /// The number of the line that was read last.
  private(set) var number = 0

  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let checkpoint: () throws -> Void
  private var block: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Opens an input.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or `-` for standard input.
  ///   - checkpoint: Is called every now and then while nothing comes; what it throws ends the reading.
  /// - Throws: ``CommandFailure`` where there is nothing to read.
  init(path: String, checkpoint: @escaping () throws -> Void) throws {
    self.checkpoint = checkpoint
    ownsDescriptor = path != "-"
    name = ownsDescriptor ? path : "standard input"
    descriptor =
      ownsDescriptor ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : STDIN_FILENO
    guard descriptor >= 0 else {
      throw CommandFailure(
        .noInput, "\(name): \(String(cString: strerror(errno)))", hint: "Check the path.")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw CommandFailure(.noInput, "\(name) is a directory", hint: "Name a patch in it.")
    }
  }

  deinit {
    if ownsDescriptor && descriptor >= 0 { close(descriptor) }
  }

  /// Returns the next line without its end; nil after the last.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be read; what the checkpoint throws.
  func next() throws -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if let end = block[position...].firstIndex(of: UInt8(ascii: "\n")) {
        line += block[position..<end]
        position = end + 1
        number += 1
        return line
      }
      line += block[position...]
      guard line.count <= Self.lineLimit else {
        throw CommandFailure(.data, "\(name):\(number + 1): the line is too long")
      }
      if try !fill() {
        number += 1
        return line.isEmpty ? nil : line
      }
    }
  }

  private func fill() throws -> Bool {
    position = 0
    block = []
    while !isAtEnd {
      try checkpoint()
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&request, 1, 100) == 0 { continue }
      var buffer = [UInt8](repeating: 0, count: Self.blockSize)
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw failure()
      }
      isAtEnd = count == 0
      block = Array(buffer.prefix(count))
      if count > 0 { return true }
    }
    return false
  }

  private func failure() -> CommandFailure {
    CommandFailure(.inputOutput, "cannot read \(name): \(String(cString: strerror(errno)))")
  }
}
