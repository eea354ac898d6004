internal import ArgumentParser
internal import Foundation
internal import Sectile
internal import SectilePresenting

/// `sectile migrate new`: writes the file of the next migration, to be filled in.
struct MigrateNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write the file of the next migration, to be filled in.",
    discussion: """
      The file gets the next version, and a name by the rule. "Add size column", add-size-column \
      and AddSizeColumn all become V0004_add_size_column.sql after V0003. The command prints its \
      path.

      EXAMPLES
        sectile migrate new create_package
        sectile migrate new "add size column" --migrations Sources/App/Migrations
      """)

  @Argument(help: "What the migration does: a verb and a noun, as in add_size.")
  var name: String

  @Option(
    help: ArgumentHelp("The folder of the SQL files.", valueName: "dir"), completion: .directory)
  var migrations = "Migrations"

  func run() throws {
    let words = try MigrationName(name)
    _ = try Migrations.existing(migrations)
    let existing: [String]
    do {
      existing = try FileManager.default.contentsOfDirectory(atPath: migrations)
    } catch {
      throw CommandFailure(
        .inputOutput, "the folder \(migrations) cannot be read", hint: "Check its permissions.")
    }
    let path = "\(migrations)/\(try words.next(after: existing))"
    do {
      try Data(words.text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch {
      throw CommandFailure(
        FileManager.default.fileExists(atPath: path) ? .failed : .inputOutput,
        "\(path) cannot be written", hint: "Check that the folder may be written.")
    }
    let output = Output.standard()
    try output.line(Output.isTerminal ? TerminalText.escaped(path) : path)
    try output.flush()
  }
}
