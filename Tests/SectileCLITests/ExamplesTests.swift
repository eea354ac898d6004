import ArgumentParser
import Testing

@testable import SectileCLI

/// The examples in the help of each command: whoever copies one gets no complaint of its options.
@Suite struct ExamplesTests {
  private static func commands(
    below command: any ParsableCommand.Type = SectileCommand.self
  ) -> [any ParsableCommand.Type] {
    let subcommands = command.configuration.subcommands
    return subcommands.isEmpty ? [command] : subcommands.flatMap { commands(below: $0) }
  }

  /// Returns the words of each call of `sectile` in a text of help.
  private static func examples(in discussion: String) -> [[String]] {
    let lines = discussion.replacing("\\\n", with: " ").split(separator: "\n")
    return lines.filter { $0.hasPrefix("  ") }.flatMap { words(of: String($0)) }
      .filter { $0.first == "sectile" }
  }

  /// Takes a line of a shell apart: its commands, each in words, without what is redirected.
  private static func words(of line: String) -> [[String]] {
    var commands: [[String]] = [[]]
    var word: String?
    var quote: Character?
    var isRedirected = false
    func endWord() {
      if let word, !isRedirected { commands[commands.count - 1].append(word) }
      word = nil
    }
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        word = word ?? ""
      case " ": endWord()
      case "|", "&", ";":
        endWord()
        isRedirected = false
        commands.append([])
      case "<", ">":
        endWord()
        isRedirected = true
      default: word = (word ?? "") + String(character)
      }
    }
    endWord()
    return commands
  }

  /// What stands for the variable `$TOKEN`.
  private static let token = "AQDIhI7gCT9QkX2OHYfyWhgQAQAAAAAAAACU9WLIenDffA0"

  @Test func linesOfAShellAreTakenApart() {
    #expect(
      Self.words(of: "  a 'b c' | sectile d \"e 'f'\" > g && h --x='i j'")
        == [["a", "b c"], ["sectile", "d", "e 'f'"], [], ["h", "--x=i j"]])
  }

  @Test func eachCommandHasExamplesThatCanBeCopied() throws {
    for command in Self.commands() {
      var isShown = false
      for example in Self.examples(in: command.configuration.discussion) {
        do {
          let words = example.dropFirst().map { $0 == "$TOKEN" ? Self.token : $0 }
          let parsed = try SectileCommand.parseAsRoot(words)
          isShown = isShown || ObjectIdentifier(type(of: parsed)) == ObjectIdentifier(command)
        } catch {
          Issue.record("\(example): \(SectileCommand.message(for: error))")
        }
      }
      #expect(isShown, "the help of \(command) has no example of it")
    }
  }

  @Test func examplesOfCommandsWithOthersBelowCanBeCopied() throws {
    let parents: [any ParsableCommand.Type] =
      [SectileCommand.self] + SectileCommand.configuration.subcommands
    var count = 0
    for parent in parents where !parent.configuration.subcommands.isEmpty {
      for example in Self.examples(in: parent.configuration.discussion) {
        count += 1
        #expect(throws: Never.self, "\(example)") {
          _ = try SectileCommand.parseAsRoot(Array(example.dropFirst()))
        }
      }
    }
    #expect(count > 5)
  }
}
