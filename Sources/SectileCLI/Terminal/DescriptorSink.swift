internal import Foundation
internal import Glibc
internal import Synchronization

/// Sends blocks of bytes to a file descriptor.
///
/// Whoever reads a pipe may rest for as long as they like. While the sink may not wait, what nobody
/// takes goes into a temporary file, and from there to the descriptor as soon as it may:
///
/// ```text
///   block ──┬── room in the pipe ──────────────────► descriptor
///           └── none ──► temporary file ── release() ──┘
/// ```
final class DescriptorSink: Sendable {
  private static let blockSize = 1 << 16

  private let descriptor: Int32

  private struct State {
    /// Whether it may wait for the reader.
    var mayWait = true
    /// What the reader has not taken; nil where that is nothing.
    var rest: FileHandle?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Blocks are sent inside it, too, to keep them in order.
  private let state = Mutex(State())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Sends a block, or keeps what the reader does not take.
  ///
  /// - Throws: As ``Output/send(_:to:)``.
  func send(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      guard !state.mayWait else { return try Output.send(bytes, to: descriptor) }
      var bytes = bytes[...]
      if state.rest == nil {
        bytes = bytes.dropFirst(try Output.offer(bytes, to: descriptor))
        if bytes.isEmpty { return }
        state.rest = Self.makeTemporaryFile()
      }
      // Without a file there is no other way than waiting.
      let target = state.rest?.fileDescriptor ?? descriptor
      try Output.send(Array(bytes), to: target)
    }
  }

  /// Has nothing wait for the reader from now on.
  func hold() { state.withLock { $0.mayWait = false } }

  /// Sends what the reader did not take, waiting for it, and waits from now on.
  ///
  /// - Throws: As ``Output/send(_:to:)``.
  func release() throws {
    try state.withLock { state in
      state.mayWait = true
      guard let rest = exchange(&state.rest, with: nil) else { return }
      try rest.seek(toOffset: 0)
      while let block = try rest.read(upToCount: Self.blockSize), !block.isEmpty {
        try Output.send(Array(block), to: descriptor)
      }
    }
  }

  /// Makes a file that nobody else sees, and that goes with the process; nil where there can be
  /// none.
  private static func makeTemporaryFile() -> FileHandle? {
    let folder = FileManager.default.temporaryDirectory.path
    var pattern = Array("\(folder)/sectile-output-\(String(repeating: "X", count: 6))".utf8CString)
    let descriptor = mkstemp(&pattern)
    guard descriptor >= 0 else { return nil }
    // Commands of --exec have no use for it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(pattern)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
