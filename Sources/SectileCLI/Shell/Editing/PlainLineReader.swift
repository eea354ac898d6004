internal import Glibc

/// Reads lines from a terminal that can do nothing but show them.
final class PlainLineReader: LineReading {
  private let lines = InputLines(descriptor: STDIN_FILENO, name: "standard input")

  func read(prompt: String) throws -> TypedLine {
    try Output.send(Array(prompt.utf8), to: STDOUT_FILENO)
    guard let line = try lines.next() else { return .end }
    return .line(String(decoding: line, as: UTF8.self))
  }

  func remember(_ entry: String) {}
}
