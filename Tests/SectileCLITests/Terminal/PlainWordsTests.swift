import ArgumentParser
import Foundation
import Sectile
import Testing

@testable import SectileCLI

/// Hints of the library, in the words of the tool.
@Suite struct PlainWordsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The library's sources, with texts of several literals as one.
  private static func sources() throws -> String {
    let folder = root.appendingPathComponent("Sources/SectileStore").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      // Nothing that the tool does can be undone by the library.
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Undoing/") }
    return try files.map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        .replacing(#/"\s*\+\s*"/#, with: "")
    }.joined(separator: "\n")
  }

  /// What programs call, which nobody at a prompt can.
  private static func namesSomethingOfTheLibrary(_ hint: String) -> Bool {
    hint.contains(#/\bStoreConfiguration\b|\b[Ss]tore\.[a-z]|\bQuery\(/#)
  }

  @Test func everyWordOfTheLibraryThatIsReplacedIsStillThere() throws {
    let sources = try Self.sources()
    for (library, _) in CommandFailure.plainWords {
      let literal = library.replacing("\"", with: "\\\"")
      #expect(sources.contains(literal), "no hint says \(library)")
    }
  }

  @Test func noHintNamesSomethingOfTheLibrary() throws {
    let literals = try Self.sources().split(separator: "\n").filter {
      !$0.drop { $0 == " " }.hasPrefix("//")
    }.flatMap { line in
      line.matches(of: #/"((?:[^"\\]|\\.)*)"/#).map { String($0.1) }
    }
    // The beginning of an interpolation is code.
    let hints = literals.filter {
      $0.contains(" ") && !$0.contains("\\(store") && Self.namesSomethingOfTheLibrary($0)
    }
    // Else nothing was looked at.
    #expect(hints.count > 5)
    for hint in hints {
      let plain = CommandFailure.plain(hint)
      #expect(!Self.namesSomethingOfTheLibrary(plain), "\(plain)")
    }
  }

  /// Names that somebody at a prompt has never heard of.
  private static let typeNames = [
    "FetchPlan", "FetchRequest", "Migrator", "ResultsSnapshot", "SectionedResults",
    "StoreConfiguration", "StoreError", "TableRequest", "UntypedRow", "Query(", "Store.", "store.",
  ]

  @Test func noMessageOfTheToolNamesSomethingOfTheLibrary() throws {
    let folder = Self.root.appendingPathComponent("Sources/SectileCLI").path
    // Entities are written in Swift, for programs.
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Generating/") && !$0.hasSuffix("+PlainWords.swift")
    }
    var count = 0
    for file in files {
      let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      for line in source.split(separator: "\n") where line.contains("\"") {
        count += 1
        guard Self.typeNames.contains(where: { line.contains($0) }) else { continue }
        let texts = line.matches(of: #/"((?:[^"\\]|\\.)*)"/#).map { String($0.1) }
        for text in texts where text.contains(" ") {
          let names = Self.typeNames.filter { text.contains($0) }
          #expect(names.isEmpty, "\(file): \(text)")
        }
      }
    }
    // Else nothing was looked at.
    #expect(count > 1000)
  }

  @Test func noHelpNamesSomethingOfTheLibrary() {
    let commands: [any ParsableCommand.Type] = SectileCommand.configuration.subcommands.flatMap {
      [$0] + $0.configuration.subcommands
    }
    for command in commands {
      let help = SectileCommand.helpMessage(for: command)
      let names = Self.typeNames.filter { help.contains($0) }
      #expect(names.isEmpty, "\(command)")
    }
  }

  @Test(arguments: [
    (
      "Try again when the other connection is done, or raise StoreConfiguration.busyTimeout.",
      "Try again when the other connection is done."
    ),
    (
      "Choose key columns that are declared NOT NULL, or the row id.",
      "Name columns that are declared NOT NULL with --key, or the row id: --key rowid."
    ),
    ("Check the path.", "Check the path."),
  ])
  func hintsSayWhatToDoAtAPrompt(hint: String, plain: String) {
    #expect(CommandFailure.plain(hint) == plain)
  }
}
