import ArgumentParser
import Foundation
import Sectile
import SectilePresenting
import SectileTestHelpers
import Testing

@testable import SectileCLI

@Suite(.ownThreads, .timeLimit(.minutes(60))) struct SectileCommandTests {
  @Test func withoutArgumentsItExplainsItself() throws {
    let run = try CommandRun([])
    #expect(run.code == 0)
    #expect(run.output.contains("demo"))
    #expect(run.output.contains("sqlite"))
  }

  @Test func unknownSubcommandsAndOptionsAreUsageErrors() throws {
    #expect(try CommandRun(["frobnicate"]).code == 64)
    #expect(try CommandRun(["demo", "--frobnicate"]).code == 64)
  }

  @Test func whatWasMeantIsSaid() throws {
    let command = try CommandRun(["wathc", "x.sqlite"])
    #expect(command.code == 64)
    #expect(
      command.errors == """
        Error: there is no command 'wathc'
        Hint: Did you mean watch? sectile --help lists the commands.

        """)
    let help = try CommandRun(["help", "wach"])
    #expect(help.code == 64)
    #expect(help.errors.contains("Hint: Did you mean watch?"), "\(help.errors)")
    #expect(try CommandRun(["help", "watch"]).code == 0)
    let option = try CommandRun(["watch", "x.sqlite", "--tabel", "t"])
    #expect(option.code == 64)
    #expect(option.errors.contains("Hint: Did you mean --table by --tabel?"), "\(option.errors)")
  }

  @Test(arguments: [
    (["sections", "x", "--table", "t", "--section-by", "a", "--mode", "jsn"], "json"),
    (["sqlite", "x", "--mode", "markdwn"], "markdown"),
    (["diff", "x", "y", "--mode", "ndsjon"], "ndjson"),
    (["import", "x", "--table", "t", "--on-conflict", "updte", "y"], "update"),
    (["import", "x", "--table", "t", "--format", "cvs", "y"], "csv"),
    (["apply", "x", "--on-conflict", "forse", "y"], "force"),
  ])
  func theValueThatWasMeantIsSaid(arguments: [String], meant: String) throws {
    let run = try CommandRun(arguments)
    #expect(run.code == 64)
    #expect(run.errors.contains("\nHint: Did you mean \(meant)?"), "\(run.errors)")
    let distant = try CommandRun(["diff", "x", "y", "--mode", "frobnicate"])
    #expect(distant.code == 64)
    #expect(!distant.errors.contains("Did you mean"), "\(distant.errors)")
  }

  @Test(arguments: [
    ["\(attack)"], ["sqlite", "x", "--\(attack)"], ["sqlite", "x", "--mode", attack],
    ["watch", "x", "--table", "t", "--for", attack], ["migrate", "x", "--to=\(attack)"],
    ["sections", "x", "--table", "t", "--section-by", "a", "--limit", attack],
    ["demo", "one", attack],
  ])
  func whatTheParserRepeatsOfArgumentsIsEscaped(arguments: [String]) throws {
    let run = try CommandRun(arguments)
    #expect(run.code == 64)
    #expect(run.output.isEmpty)
    // The parser's own message, with the argument in it.
    #expect(run.errors.contains("\\u{1B}[2J\\u{7}\\u{9B}31m\\u{202E}"), "\(run.errors)")
    #expect(!run.errors.unicodeScalars.contains { $0 != "\n" && TerminalText.isUnsafe($0) })
  }

  private static let attack = "\u{1B}[2J\u{7}\u{9B}31m\u{202E}"

  /// A line that is broken cannot be copied; one that is not indented runs on in a manual page.
  @Test func examplesKeepTheirLines() throws {
    for command in SectileCommand.configuration.subcommands {
      let help = SectileCommand.helpMessage(for: command, columns: 80)
        .split(separator: "\n", omittingEmptySubsequences: false)
      for line in command.configuration.discussion.split(separator: "\n") {
        #expect(!line.hasPrefix("sectile "), "\(command)")
        guard line.hasPrefix("  sectile ") || line.hasSuffix("\\") else { continue }
        #expect(help.contains(line), "\(command): \(line)")
      }
    }
  }

  @Test func theVersionIsOneLine() throws {
    let run = try CommandRun(["--version"])
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let process = try CommandRun.process(["--help"])
    let pipe = Pipe()
    let errors = Pipe()
    try pipe.fileHandleForReading.close()
    process.standardOutput = pipe
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(try errors.fileHandleForReading.readToEnd()?.isEmpty != false)
  }

  @Test func helpTellsTheExitCodesAndTheEnvironment() throws {
    let help = try CommandRun(["--help"]).output
    for code in CommandFailure.Code.allCases {
      #expect(help.contains("  \(code.rawValue)"))
      #expect(help.contains(code.meaning))
    }
    #expect(help.contains("NO_COLOR"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func shellsCompleteTheSubcommands(shell: String) throws {
    let run = try CommandRun(["--generate-completion-script", shell])
    #expect(run.code == 0)
    for command in SectileCommand.configuration.subcommands {
      #expect(run.output.contains(try #require(command.configuration.commandName)))
    }
  }

  @Test(arguments: [
    (["sectile", "mig"], "migrate"), (["sectile", "backup", "--fo"], "--force"),
    (["sectile", "migrate", "ne"], "new"),
    (["sectile", "verify", "--migrations", "Migra"], "Migrations"),
    (["sectile", "explain", "no"], "notes.db"),
  ])
  func bashCompletesWordsAndFiles(words: [String], completion: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("", to: "notes.db")
    try FileManager.default.createDirectory(
      atPath: folder.file("Migrations"), withIntermediateDirectories: true)
    let script = try folder.write(
      CommandRun(["--generate-completion-script", "bash"]).output, to: "completion.sh")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.currentDirectoryURL = folder.url
    // As the shell does it: the words, the place of the cursor, and what comes back.
    process.arguments =
      [
        "-c",
        """
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        COMP_TYPE=9; COMP_KEY=9
        _sectile sectile "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
        """, "bash", script,
      ] + words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let found = String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(found.contains(completion), "\(found)")
  }
}
