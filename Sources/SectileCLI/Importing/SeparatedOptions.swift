internal import ArgumentParser

/// How `sectile import` reads separated values.
struct SeparatedOptions: ParsableArguments {
  @Flag(help: "The first row is data; columns are named by --columns, the table, or c1, c2, ….")
  var noHeader = false

  @Option(
    help: ArgumentHelp(
      "The columns' names, instead of those in the header; commas between them.",
      valueName: "names"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "The sign that separates fields, instead of a comma or tab.", valueName: "sign"))
  var delimiter: String?

  @Flag(help: "Take double quotes as they are.")
  var noQuotes = false

  @Flag(help: "Fill fields that a row lacks at its end with NULL.")
  var fillRows = false

  @Option(
    name: .customLong("null"),
    help: ArgumentHelp(
      "A word that means NULL if it has no quotes; repeat it for more.", valueName: "word"))
  var nullWords: [String] = []

  func validate() throws {
    if columns != nil && names.contains("") {
      throw ValidationError("--columns takes names with commas between them.")
    }
    if let delimiter, Self.byte(delimiter) == nil {
      throw ValidationError("--delimiter is one ASCII character other than a quote or a line end.")
    }
  }

  /// Whether anything was said.
  var isEmpty: Bool {
    !noHeader && columns == nil && delimiter == nil && !noQuotes && !fillRows
      && nullWords.isEmpty
  }

  /// Returns how to read an input of a format.
  func input(_ format: ImportFormat) -> SeparatedInput {
    SeparatedInput(
      names: columns == nil ? nil : names, hasHeader: !noHeader,
      delimiter: delimiter.flatMap(Self.byte) ?? UInt8(ascii: format == .tsv ? "\t" : ","),
      hasQuotes: !noQuotes, fillsRows: fillRows, nullWords: nullWords)
  }

  private var names: [String] {
    (columns ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private static func byte(_ text: String) -> UInt8? {
    if text == "\\t" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80 else { return nil }
    return [UInt8(ascii: "\""), 0x0A, 0x0D, 0].contains(byte) ? nil : byte
  }
}
