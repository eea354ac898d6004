internal import Glibc

/// Where the shell's results go: standard output, a pager, or a file that `.output` named.
final class ShellOutput {
  /// A file that results go to.
  private struct Redirection {
    let path: String
    let descriptor: Int32
    let output: Output
    let isOnce: Bool
    /// Whether an input has begun since.
    var isUsed = false
  }

  /// What shows that a statement takes long; removed before anything is written.
  let indicator: RunningIndicator

  private let standard: Output

  // MARK: - Mutable state
  //
  // Confined to the thread that runs the shell.
  // - `redirection`: from `.output` or `.once` on.
  // - `paged`: while the results of one input are written.
  private var redirection: Redirection?
  private var paged: (way: PagedOutput, output: Output)?

  /// Creates an output to standard output.
  init() {
    let indicator = RunningIndicator()
    self.indicator = indicator
    standard = Output { bytes in try Self.show(bytes, hiding: indicator) }
  }

  private static func show(_ bytes: [UInt8], hiding indicator: RunningIndicator) throws {
    indicator.hide()
    try Output.send(bytes, to: STDOUT_FILENO)
  }

  /// Where results go now.
  var current: Output { redirection?.output ?? paged?.output ?? standard }

  /// Whether results appear on a terminal.
  var isTerminal: Bool { redirection == nil && Output.isTerminal }

  /// Whether results may go through a pager just now.
  var isPaging: Bool { paged != nil }

  /// The file that results go to; nil for standard output.
  var path: String? { redirection?.path }

  /// Begins the results of one input; with a pager, they are kept until it is clear that they fit.
  ///
  /// - Parameters:
  ///   - isPaged: Whether the pager is wanted.
  ///   - cutsLines: Whether it is wanted for lines that are wider than the screen, too.
  ///   - willPage: Called when the pager is about to start.
  func begin(isPaged: Bool, cutsLines: Bool, willPage: @escaping @Sendable () -> Void) {
    redirection?.isUsed = true
    guard isPaged, isTerminal, let pager = Pager.command, let height = Pager.screenHeight else {
      return
    }
    let indicator = indicator
    let way = PagedOutput(
      pager: pager, lineLimit: height - 1, widthLimit: cutsLines ? Pager.screenWidth : nil,
      willStart: willPage
    ) { bytes in
      try Self.show(bytes, hiding: indicator)
    }
    paged = (way, Output { bytes in try way.receive(bytes) })
  }

  /// Writes what was kept back for the pager, and what follows directly.
  ///
  /// - Throws: What writing throws.
  func stopPaging() throws {
    defer { paged = nil }
    if let paged {
      do {
        try paged.output.flush()
      } catch is ClosedPipe {
        // Closing the pager early is fine.
      }
      try paged.way.finish()
    }
  }

  /// Ends the results of one input.
  func end() throws {
    try stopPaging()
    try standard.flush()
    try redirection?.output.flush()
    if let redirection, redirection.isOnce, redirection.isUsed { try close() }
  }

  /// Sends results to a file from now on, or those of the next input.
  ///
  /// - Parameters:
  ///   - path: The file's path, for messages.
  ///   - descriptor: The open file; closed by this class.
  ///   - isOnce: Whether it is for the next input only.
  func redirect(to path: String, descriptor: Int32, isOnce: Bool) {
    redirection = Redirection(
      path: path, descriptor: descriptor, output: Output(descriptor: descriptor), isOnce: isOnce)
  }

  /// Sends results to standard output again.
  ///
  /// - Throws: ``CommandFailure`` where the file cannot be written.
  func close() throws {
    guard let redirection else { return }
    self.redirection = nil
    defer { _ = Glibc.close(redirection.descriptor) }
    try redirection.output.flush()
  }

  /// Ends all output.
  func finish() throws {
    try end()
    try close()
  }
}
