internal import Foundation
internal import Glibc
internal import SectilePresenting

/// A file that hears of each statement: when it ran, how long, and what came of it.
final class StatementLog {
  /// The file's path.
  let path: String
  private let descriptor: Int32

  /// Opens a file, to write behind what it holds.
  ///
  /// - Throws: ``CommandFailure``.
  init(path: String) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(.inputOutput, "\(path) is no file", hint: "Choose another file.")
    }
    // A link that leads nowhere makes no file elsewhere.
    let flags = O_WRONLY | O_APPEND | O_CLOEXEC | (exists ? 0 : O_CREAT | O_EXCL)
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .inputOutput, "cannot write \(path): \(String(cString: strerror(errno)))",
        hint: "Check that the folder exists and may be written.")
    }
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Writes a line about a statement.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - outcome: What came of it.
  ///   - duration: How long it took.
  /// - Throws: ``CommandFailure`` where it cannot be written.
  func write(_ sql: String, _ outcome: String, after duration: Duration) throws {
    let time = Date().formatted(.iso8601)
    let text = TerminalText.escaped(sql.trimmingCharacters(in: .whitespacesAndNewlines))
    let line =
      "\(time) \(DurationText.text(duration)), \(TerminalText.escaped(outcome)): \(text)\n"
    try Output.send(Array(line.utf8), to: descriptor)
  }
}
