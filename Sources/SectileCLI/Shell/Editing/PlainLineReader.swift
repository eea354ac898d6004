internal import Glibc

/// Reads lines from a terminal that can do nothing but show them.
final class PlainLineReader: StatementReading {
  private let lines = InputLines(descriptor: STDIN_FILENO, name: "standard input")

  func read(start: String?) throws -> TypedText {
    if let start { return .text(start) }
    var text = ""
    while true {
      let prompt = text.isEmpty ? PromptLayout.prompt : PromptLayout.continuation
      try Output.send(Array(prompt.utf8), to: STDOUT_FILENO)
      guard let line = try lines.next() else { return text.isEmpty ? .end : .text(text) }
      text += String(decoding: line, as: UTF8.self)
      if StatementBuffer.isWhole(text) { return .text(text) }
      text += "\n"
    }
  }

  func remember(_ entry: String) {}

  func useVi(_ isVi: Bool) {}
}
