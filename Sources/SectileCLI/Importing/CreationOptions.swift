internal import ArgumentParser
internal import Foundation

/// What is said about a table that `sectile import` creates.
struct CreationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The columns, or the whole CREATE TABLE, instead of learning types.", valueName: "sql"))
  var schema: String?

  @Option(help: "A file with the text for --schema.", completion: .file())
  var schemaFile: String?

  @Option(
    help: ArgumentHelp(
      "The type of a column that should not be learned, as in zip=TEXT; commas between several.",
      valueName: "name=type"))
  var types: [String] = []

  @Flag(help: "Make all columns TEXT, and learn nothing.")
  var textColumns = false

  func validate() throws {
    if schema != nil && schemaFile != nil {
      throw ValidationError("--schema and --schema-file exclude each other.")
    }
    if (schema != nil || schemaFile != nil) && (!types.isEmpty || textColumns) {
      throw ValidationError("--schema says all types; leave out --types and --text-columns.")
    }
    for entry in entries {
      guard entry.count == 2, Self.known.contains(entry[1].uppercased()) else {
        throw ValidationError(
          "--types takes a column and one of \(Self.known.joined(separator: ", ")), as in zip=TEXT."
        )
      }
    }
  }

  /// The types by the columns' names in lower case.
  var typesByName: [String: String] {
    Dictionary(entries.map { ($0[0].lowercased(), $0[1].uppercased()) }) { $1 }
  }

  /// What `--schema` or the file says; nil where neither is given.
  func schemaText() throws -> String? {
    guard let schemaFile else { return schema }
    guard let data = FileManager.default.contents(atPath: schemaFile) else {
      throw CommandFailure(.noInput, "\(schemaFile) cannot be read", hint: "Check the path.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static let known = ["INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC"]

  private var entries: [[String]] {
    types.flatMap { $0.split(separator: ",") }.map { entry in
      entry.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
