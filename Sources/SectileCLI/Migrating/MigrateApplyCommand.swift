internal import ArgumentParser
internal import Foundation
internal import Sectile

/// `sectile migrate FILE`: applies what is pending, or tells what would be.
struct MigrateApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Apply the pending files, as `sectile migrate FILE` does.",
    discussion: """
        sectile migrate apply app.db --migrations Migrations
        sectile migrate apply app.db --migrations Migrations --dry-run
      """)

  @Argument(help: "The SQLite file. It is created if there is none.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The folder of the SQL files.", valueName: "dir"), completion: .directory)
  var migrations: String

  @Flag(help: "Show the applied and the pending files; exit with 1 if something is wrong.")
  var status = false

  @Flag(help: "Apply the pending files to a copy in a temporary folder, and leave the file alone.")
  var dryRun = false

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The version of the last file to apply.", valueName: "v"))
  var version: Int64?

  @Option(
    help: ArgumentHelp(
      "The version up to which a file without a ledger has everything already, made by another tool.",
      valueName: "v"))
  var baseline: Int64?

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if status && dryRun {
      throw ValidationError("--status and --dry-run exclude each other. Leave one of them out.")
    }
    if status && version != nil { throw ValidationError("--status takes no --to.") }
    if let baseline, baseline < 0 { throw ValidationError("--baseline is a version, such as 1.") }
    if let version, version < 0 { throw ValidationError("--to is a version, such as 3.") }
  }

  func run() throws {
    let output = Output.standard()
    defer { try? output.flush() }
    let files = try Migrations.existing(migrations)
    let run = MigrationRun(
      file: file, migrations: baseline.map { files.baseline(through: $0) } ?? files,
      version: version, isJSON: json, output: output)
    if status {
      try run.tellStatus()
    } else if dryRun {
      try run.tryOnCopy()
    } else {
      try run.apply()
    }
    try output.flush()
  }
}
