internal import Glibc
internal import Synchronization

/// Text that is kept back while it fits on the screen, and goes to a pager when it does not.
final class PagedOutput: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var lineCount = 0
    /// How many characters the line at the end has so far.
    var column = 0
    var isWide = false
    /// The pager, once it runs.
    var process: UnsafeMutablePointer<FILE>?
  }

  private let pager: String
  private let lineLimit: Int
  private let widthLimit: Int?
  private let willStart: @Sendable () -> Void
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
  ///   - widthLimit: How many characters of a line fit; nil where any number does.
  ///   - willStart: Called when the pager is about to start.
  ///   - direct: Writes what fits.
  init(
    pager: String, lineLimit: Int, widthLimit: Int?, willStart: @escaping @Sendable () -> Void,
    direct: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
  ) {
    self.pager = pager
    self.lineLimit = lineLimit
    self.widthLimit = widthLimit
    self.willStart = willStart
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
      measure(bytes, &state)
      guard state.lineCount > lineLimit || state.isWide else { return }
      willStart()
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

  private func measure(_ bytes: [UInt8], _ state: inout State) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        state.lineCount += 1
        state.column = 0
      } else if byte & 0xC0 != 0x80 {
        state.column += 1
        if let widthLimit, state.column > widthLimit { state.isWide = true }
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
