internal import Glibc
internal import SectileInspecting
internal import Synchronization

/// Whoever read standard output has gone, as `head` does: a reason to end, not to complain.
struct ClosedPipe: Error {}

/// Text on its way to a file descriptor, or to a test; safe to use from any thread.
///
/// Lines are gathered and written in blocks, and at every ``flush()``. What cannot be written (a
/// full disk behind a redirection) is an error, where `print` would drop it.
final class Output: RowOutput, Sendable {
  private static let blockSize = 1 << 16

  private let sink: @Sendable (_ bytes: [UInt8]) throws -> Void
  /// Where the blocks go, if that is a file descriptor.
  private let descriptorSink: DescriptorSink?

  // MARK: - Mutable state
  //
  // - `gathered`: guarded by its mutex. The sink runs inside it, too, to keep blocks in order.
  private let gathered = Mutex<[UInt8]>([])

  /// Creates an output that hands its blocks to a closure.
  init(sink: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void) {
    self.sink = sink
    descriptorSink = nil
  }

  /// Creates an output to a file descriptor.
  init(descriptor: Int32) {
    let descriptorSink = DescriptorSink(descriptor)
    sink = { bytes in try descriptorSink.send(bytes) }
    self.descriptorSink = descriptorSink
  }

  /// Runs a closure in which nothing waits for whoever reads the output: what they do not take
  /// meanwhile is kept in a temporary file, and written when the closure has ended.
  ///
  /// - Parameter body: What holds something that others wait for, as a lock of a file.
  /// - Throws: What the closure throws; as ``send(_:to:)``.
  func withoutWaiting(_ body: () throws -> Void) throws {
    guard let descriptorSink else { return try body() }
    descriptorSink.hold()
    let result = Result { try body() }
    try descriptorSink.release()
    try result.get()
  }

  /// Writes bytes to a file descriptor.
  ///
  /// Where somebody has to take them, the other end of a pipe or a terminal, it waits in a way that
  /// a request to stop ends: a reader that sleeps holds up nothing but itself.
  ///
  /// - Parameters:
  ///   - bytes: What is written.
  ///   - descriptor: Where it goes.
  /// - Throws: ``ClosedPipe``, or ``CommandFailure`` for what cannot be written.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws {
    _ = try send(bytes[...], to: descriptor) {
      try waitForRoom(in: descriptor)
      return true
    }
  }

  /// Writes as many bytes to a file descriptor as it takes at once.
  ///
  /// - Parameters:
  ///   - bytes: What is written.
  ///   - descriptor: Where it goes.
  /// - Returns: How many were written.
  /// - Throws: As ``send(_:to:)``.
  static func offer(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws -> Int {
    try send(bytes, to: descriptor) { hasRoom(in: descriptor, within: 0) }
  }

  private static func send(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, while hasRoom: () throws -> Bool
  ) throws -> Int {
    let isFile = isRegularFile(descriptor)
    return try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        if !isFile, try !hasRoom() { break }
        let count = isFile ? rest.count : min(rest.count, pieceSize)
        let written = Glibc.write(descriptor, rest.baseAddress, count)
        if written < 0 {
          if errno == EINTR || errno == EAGAIN { continue }
          throw failure(errno)
        }
        rest = rest.dropFirst(written)
      }
      return buffer.count - rest.count
    }
  }

  /// How much a pipe that has room takes without waiting: `PIPE_BUF` of Linux.
  private static let pieceSize = 4096

  private static func isRegularFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func waitForRoom(in descriptor: Int32) throws {
    while !hasRoom(in: descriptor, within: 100) {
      if StopSignal.isRequested {
        throw CommandFailure(.interrupted, "stopped: nobody takes what is written")
      }
    }
  }

  /// Whether a piece can be written without waiting, after so many milliseconds at most.
  private static func hasRoom(in descriptor: Int32, within milliseconds: Int32) -> Bool {
    // poll() passes over negative numbers.
    if descriptor < 0 { return true }
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  private static func failure(_ code: Int32) -> any Error {
    switch code {
    case EPIPE: ClosedPipe()
    case EBADF: CommandFailure(.inputOutput, "cannot write: the output is closed")
    case EFBIG:
      CommandFailure(
        .inputOutput, "cannot write: the file is too large",
        hint: "The file system, or a limit on the size of files (ulimit -f), allows no more.")
    default: CommandFailure(.inputOutput, "cannot write: \(String(cString: strerror(code)))")
    }
  }

  /// Creates an output to the process's standard output.
  static func standard() -> Output { Output(descriptor: STDOUT_FILENO) }

  /// Creates an output to the process's standard error.
  static func standardError() -> Output { Output(descriptor: STDERR_FILENO) }

  /// Whether standard output is a pipe that nobody reads any more, which a write would find out.
  static var hasLostReader: Bool {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
  }

  /// Whether a person reads standard output directly.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Adds text as it is; the caller vouches for it.
  func write(_ text: String) throws {
    if text.utf8.count > Self.blockSize {
      var text = text
      return try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }
    try gathered.withLock { gathered in
      gathered.append(contentsOf: text.utf8)
      if gathered.count >= Self.blockSize { try send(&gathered) }
    }
  }

  /// Adds bytes as they are, block by block.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    try gathered.withLock { gathered in
      while !rest.isEmpty {
        gathered.append(contentsOf: rest.prefix(Self.blockSize))
        rest = rest.dropFirst(Self.blockSize)
        if gathered.count >= Self.blockSize { try send(&gathered) }
      }
    }
  }

  /// Adds text and a line end.
  func line(_ text: String = "") throws {
    try write(text + "\n")
  }

  /// Writes what was gathered.
  func flush() throws {
    try gathered.withLock { try send(&$0) }
  }

  private func send(_ gathered: inout [UInt8]) throws {
    if gathered.isEmpty { return }
    defer { gathered.removeAll(keepingCapacity: true) }
    try sink(gathered)
  }
}

extension Slice where Base == UnsafeRawBufferPointer {
  /// The address of the slice's first byte.
  fileprivate var baseAddress: UnsafeRawPointer? { base.baseAddress?.advanced(by: startIndex) }
}
