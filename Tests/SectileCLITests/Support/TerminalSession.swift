import Foundation
import Testing

/// The built `sectile` in a terminal of its own: tmux holds the screen, sends the keys and resizes.
final class TerminalSession {
  private let socket: String
  private let status: String
  private let record: String

  /// Starts the binary in a terminal.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `sectile`.
  ///   - environment: What is added to the environment.
  ///   - width: How many columns the terminal has.
  ///   - height: How many lines it has.
  /// - Throws: Where tmux cannot be started.
  init(
    _ arguments: [String], environment: [String: String] = [:], width: Int = 80, height: Int = 24
  ) throws {
    let folder = FileManager.default.temporaryDirectory
    socket = folder.appendingPathComponent("sectile-tmux-\(UUID().uuidString)").path
    status = socket + ".status"
    record = socket + ".record"
    let program = CommandRun.program.path
    let words = ([program] + arguments).map(Self.quoted).joined(separator: " ")
    let settings = environment.map { "\($0.key)=\(Self.quoted($0.value)) " }.joined()
    try tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)",
      // The shell stays, so that the screen can still be read when the command has ended.
      "env LC_ALL=C.UTF-8 \(settings)\(words); echo $? > \(Self.quoted(status)); exec cat",
      // In one breath, so that nothing is missed.
      ";", "pipe-pane", "cat > \(Self.quoted(record))",
    ])
  }

  deinit {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(atPath: status)
    try? FileManager.default.removeItem(atPath: record)
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Returns what the screen shows, line by line, without trailing spaces; with `isStyled`, colours
  /// and weights are included as escape sequences.
  func screen(isStyled: Bool = false) throws -> String {
    try tmux(["capture-pane", "-p"] + (isStyled ? ["-e"] : []))
  }

  /// Waits until the command has written a text to the terminal, be it that it was wiped away:
  /// of what is shown for a moment a busy machine may never show a screen.
  func wait(
    forWritten text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try wait("'\(text)' to be written", sourceLocation: sourceLocation) { _ in
      let bytes = FileManager.default.contents(atPath: record) ?? Data()
      return String(decoding: bytes, as: UTF8.self).contains(text)
    }
  }

  /// Types text as it is.
  func type(_ text: String) throws {
    // A semicolon at the end of an argument would end tmux's own command.
    try tmux(["send-keys", "-l", text.hasSuffix(";") ? text.dropLast() + "\\;" : text])
  }

  /// Pastes text as a terminal does that was asked to mark it.
  func paste(_ text: String) throws {
    // A semicolon at the end of an argument would end tmux's own command.
    let argument = text.hasSuffix(";") ? text.dropLast() + "\\;" : text
    try tmux(["set-buffer", "-b", "pasted", argument])
    // Line ends are sent as Enter sends them.
    try tmux(["paste-buffer", "-p", "-b", "pasted"])
  }

  /// Presses keys by tmux's names: `Enter`, `Tab`, `C-c`, `C-d`, `Up`, `PPage`.
  func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  /// Gives the terminal another size.
  func resize(width: Int, height: Int) throws {
    try tmux(["resize-window", "-x", "\(width)", "-y", "\(height)"])
  }

  /// Returns a screen without its colours and weights.
  static func plain(_ styled: String) -> String {
    styled.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
  }

  /// Waits until the screen fulfils a condition, and returns it; fails after some minutes.
  @discardableResult
  func wait(
    _ what: String, isStyled: Bool = false, seconds: Double = 240,
    sourceLocation: SourceLocation = #_sourceLocation, until isRight: (String) -> Bool
  ) throws -> String {
    let end = Date() + seconds
    var last = ""
    repeat {
      last = try screen(isStyled: isStyled)
      if isRight(last) { return last }
      Thread.sleep(forTimeInterval: 0.03)
    } while Date() < end
    Issue.record("waited for \(what); the screen is:\n\(last)", sourceLocation: sourceLocation)
    return last
  }

  /// Waits for a text on the screen.
  @discardableResult
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    try wait("'\(text)'", sourceLocation: sourceLocation) { $0.contains(text) }
  }

  /// Waits until the command has ended, and returns its exit code.
  func exitCode() throws -> Int32? {
    try wait("the end") { _ in FileManager.default.fileExists(atPath: status) }
    // The shell creates the file before it writes the number.
    for _ in 0..<12_000 {
      let text = try String(contentsOfFile: status, encoding: .utf8)
      if let code = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) { return code }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return nil
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    // The server stays when the client has ended, and must not keep what other tests have open.
    let closing =
      "for f in /proc/self/fd/*; do n=${f##*/}; if [ $n -gt 2 ]; then eval \"exec $n>&-\"; fi; done"
    let run = try ProgramRun(
      "/bin/bash",
      ["-c", "\(closing); exec tmux \"$@\"", "tmux", "-u", "-S", socket] + arguments)
    return String(decoding: run.output, as: UTF8.self)
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
