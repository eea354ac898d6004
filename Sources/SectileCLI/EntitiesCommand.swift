internal import ArgumentParser
internal import Foundation
internal import Sectile
internal import SectilePresenting

/// `sectile entities`: Swift structs from a schema.
struct EntitiesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entities",
    abstract: "Write Swift structs for the tables of a file.",
    discussion: """
        sectile entities app.db > Sources/App/Entities.swift
        sectile entities app.db --table purchase --table customer
        sectile entities app.db --no-macro --output Entities.swift
        sectile entities app.db --codable > Sources/App/Entities.swift
        sectile entities app.db --check Sources/App/Entities.swift

      Each table with a primary key becomes a struct with @Entity, in the order of names: its \
      columns as properties, its foreign keys as relationships in both directions. A table that \
      links two others is named where it leads from one to the other. With --no-macro the \
      conformances are written out. With --codable structs and keys are Codable, so that a feed \
      can send the rows as JSON.

      The schema says names, keys and which columns take NULL. The values say the rest: whether \
      integers are dates or truth values, whether texts are dates, UUIDs, decimal numbers or JSON. \
      Of each table 10000 rows are read at most, the first and the last ones by row id. A comment \
      says where a form was guessed, from how many values, and what could not be typed: views, \
      tables without a primary key, generated columns.

      The same schema and rows give the same text. --check compares a file with it, ignoring \
      comments and empty lines, and keeps a type of the file that all values fit: so it also works \
      with a database that has no rows yet. It shows the lines that differ. A file without @Entity \
      is compared with what --no-macro writes, one with Codable structs with what --codable \
      writes.

      The exit code is 0 if all is well, 1 if --check finds differences or --output would replace \
      a file without --force.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @Option(
    name: .customLong("table"),
    help: ArgumentHelp("A table; repeat it for more. All without it.", valueName: "table"),
    completion: .custom(SchemaCompletion.tables))
  var tables: [String] = []

  @Flag(help: "Write the conformances out, for builds without the macro.")
  var noMacro = false

  @Flag(help: "Make the structs and their keys Codable.")
  var codable = false

  @Option(
    help: ArgumentHelp("Compare this file with what would be written.", valueName: "file"),
    completion: .file())
  var check: String?

  @Option(help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Let --output replace a file.")
  var force = false

  func validate() throws {
    if check != nil && output != nil {
      throw ValidationError("--check and --output exclude each other. Leave one of them out.")
    }
    if force && output == nil { throw ValidationError("--force needs --output.") }
  }

  func run() throws {
    let connection = try opening.connection(to: file)
    if let check { return try compare(check, connection) }
    let model = try EntityModeler(connection).model(of: tables)
    let text = EntityWriter(usesMacro: !noMacro, isCodable: codable).text(of: model)
    guard let output, output != "-" else {
      let standard = Output.standard()
      try standard.line(text)
      return try standard.flush()
    }
    let target = try ExportFile(path: output, replaces: force, database: file)
    try target.output.line(text)
    try target.finish()
    let messages = Output.standard()
    let count = CountText.text(model.tables.count, "struct")
    try messages.line("\(count) written to \(TerminalText.escaped(output))")
    try messages.flush()
  }

  private func compare(_ path: String, _ connection: InspectionConnection) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(
        .noInput, "\(path) cannot be read", hint: "Write it with: sectile entities FILE > \(path)")
    }
    let text = String(decoding: data, as: UTF8.self)
    let declared = DeclaredForms(of: text)
    let model = try EntityModeler(connection, keeping: declared).model(of: tables)
    let writer = EntityWriter(
      usesMacro: declared.usesMacro && !noMacro, isCodable: declared.isCodable || codable)
    let found = EntityFileCheck(file: text, written: writer.text(of: model))
    guard !found.differences.isEmpty else { return }
    let standard = Output.standard()
    for line in found.shown { try standard.line(TerminalText.escaped(line)) }
    try standard.flush()
    let number = found.differences.count
    let count = number == 1 ? "1 line differs" : "\(number) lines differ"
    throw CommandFailure(
      .failed, "\(path) is not what the schema says: \(count)",
      hint: "Write it anew with: sectile entities, or migrate the database.")
  }
}
