internal import CScreen
internal import Glibc

/// The whole screen of the terminal, taken over until it is closed.
///
/// Confined to the thread that opened it.
final class CursesScreen {
  // A pipe: what is written to its one end wakes up who waits.
  private let wakeEnds: [Int32]

  /// Takes the terminal over.
  ///
  /// - Throws: ``CommandFailure`` where there is none, one that nobody knows, or one that cannot
  ///   move its cursor.
  init() throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw Self.noTerminal }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw CommandFailure(.inputOutput, "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeEnds = ends
    switch sectile_screen_open(TextStyle.isShown ? 1 : 0) {
    case 0: break
    case Int32(SECTILE_SCREEN_FIXED.rawValue):
      throw CommandFailure(
        .usage, "this terminal cannot move its cursor: TERM is '\(Self.terminalName)'",
        hint: "Leave --tui out to get lines, or set TERM to what the terminal is, xterm for one.")
    default:
      throw CommandFailure(
        .usage, "the terminal's kind is not known here: TERM is '\(Self.terminalName)'",
        hint: "Set TERM to one that is, xterm for one, or leave --tui out.")
    }
  }

  deinit {
    close()
    for end in wakeEnds { _ = Glibc.close(end) }
  }

  /// The error of a screen that is no terminal.
  static let noTerminal = CommandFailure(
    .usage, "--tui needs a terminal, for keys and for the screen",
    hint: "Leave it out to get lines, or write --ndjson for a program.")

  private static var terminalName: String { getenv("TERM").map { String(cString: $0) } ?? "" }

  /// Gives the terminal back as it was; may be called twice.
  func close() {
    sectile_screen_close()
  }

  /// How large the terminal is.
  var size: (columns: Int, lines: Int) {
    var columns: Int32 = 0
    var lines: Int32 = 0
    sectile_screen_size(&columns, &lines)
    return (Int(columns), Int(lines))
  }

  /// Shows lines from the top of the screen.
  func show(_ lines: [ScreenLine]) {
    sectile_screen_clear()
    for (number, line) in lines.enumerated() {
      for span in line.spans {
        sectile_screen_put(Int32(number), Int32(span.column), span.style.rawValue, span.text)
      }
    }
    sectile_screen_show()
  }

  /// Returns what wakes up ``wait(milliseconds:)``; may be called on any thread, while the screen
  /// lives.
  func makeWaker() -> @Sendable () -> Void {
    let descriptor = wakeEnds[1]
    return {
      // A pipe that is full wakes up as well.
      var byte: UInt8 = 0
      _ = write(descriptor, &byte, 1)
    }
  }

  /// Waits for a key, a call of a waker, or for the time to pass.
  func wait(milliseconds: Int) {
    sectile_screen_wait(wakeEnds[0], Int32(milliseconds))
  }

  /// Returns what was typed next; nil where there is nothing.
  func nextInput() -> ScreenInput? {
    let code = sectile_screen_key()
    switch code {
    case Int32(SECTILE_KEY_NONE.rawValue): return nil
    case Int32(SECTILE_KEY_UP.rawValue): return .key(.up)
    case Int32(SECTILE_KEY_DOWN.rawValue): return .key(.down)
    case Int32(SECTILE_KEY_LEFT.rawValue): return .key(.left)
    case Int32(SECTILE_KEY_RIGHT.rawValue): return .key(.right)
    case Int32(SECTILE_KEY_PAGE_UP.rawValue): return .key(.pageUp)
    case Int32(SECTILE_KEY_PAGE_DOWN.rawValue): return .key(.pageDown)
    case Int32(SECTILE_KEY_HOME.rawValue): return .key(.home)
    case Int32(SECTILE_KEY_END.rawValue): return .key(.end)
    default:
      return UInt32(exactly: code).flatMap(Unicode.Scalar.init).map(ScreenInput.character)
        ?? .key(.other)
    }
  }
}
