internal import Foundation
internal import Glibc

/// The program that shows long results page by page.
enum Pager {
  /// The command: `PAGER`, else `less` where it is installed; nil where `PAGER` is empty or there
  /// is none.
  static let command: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let pager = environment["PAGER"] {
      return pager.allSatisfy(\.isWhitespace) ? nil : pager
    }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less -S" : nil
  }()

  /// How many columns standard output's terminal has; nil where that is unknown.
  static var screenWidth: Int? { screen.map { Int($0.ws_col) } }

  /// How many lines standard output's terminal shows; nil where that is unknown.
  static var screenHeight: Int? { screen.map { Int($0.ws_row) } }

  private static var screen: winsize? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0
    else { return nil }
    return size
  }
}
