internal import Glibc
internal import Synchronization

/// Text that is kept back while it fits on the screen, and goes to a pager when it does not.
final class PagedOutput: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var lineCount = 0
    /// The pager, once it runs.
    var process: UnsafeMutablePointer<FILE>?
  }

  private let pager: String
  private let lineLimit: Int
  private let direct: @Sendable (_ bytes: [UInt8]) throws -> Void

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())

  /// Creates the text's way.
  ///
  /// - Parameters:
  ///   - pager: The pager's command.
  ///   - lineLimit: How many lines fit.
  ///   - direct: Writes what fits.
  init(
    pager: String, lineLimit: Int, direct: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
  ) {
    self.pager = pager
    self.lineLimit = lineLimit
    self.direct = direct
  }

  /// Takes a block of text.
  ///
  /// - Throws: ``ClosedPipe`` where the pager was closed.
  func receive(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      if let process = state.process {
        return try Output.send(bytes, to: fileno(process))
      }
      state.waiting += bytes
      state.lineCount += bytes.count { $0 == UInt8(ascii: "\n") }
      guard state.lineCount > lineLimit else { return }
      // Also the indication that a statement runs leaves the screen to the pager.
      try direct([])
      state.process = popen(pager, "w")
      defer { state.waiting = [] }
      if let process = state.process {
        try Output.send(state.waiting, to: fileno(process))
      } else {
        try direct(state.waiting)
      }
    }
  }

  /// Writes what was kept back, or waits until the pager is closed.
  func finish() throws {
    try state.withLock { state in
      if let process = state.process {
        pclose(process)
        state.process = nil
      } else {
        try direct(state.waiting)
      }
      state.waiting = []
    }
  }
}
