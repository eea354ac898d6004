internal import Sectile

/// Writes the differences of two files as JSON: one document, or a line for each, which is a patch.
///
/// The lines stand in the order in which they are to be carried out; `sectile apply` does.
final class JSONFileDiffWriter: FileDiffWriting {
  let isPatch = true

  private let paths: (before: String, after: String)
  private let isDocument: Bool
  private let isSummary: Bool
  private let output: Output
  private var isFirst = true

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files.
  ///   - isDocument: Whether to write one document, instead of lines.
  ///   - isSummary: Whether to leave the rows out.
  ///   - output: Where it goes.
  init(
    paths: (before: String, after: String), isDocument: Bool, isSummary: Bool, output: Output
  ) {
    self.paths = paths
    self.isDocument = isDocument
    self.isSummary = isSummary
    self.output = output
  }

  func begin() throws {
    let files =
      "\"before\":\(ValueText.json(paths.before)),\"after\":\(ValueText.json(paths.after))"
    if isDocument {
      try output.write("{\"v\":\(ValueText.jsonVersion),\(files),\"changes\":[")
    } else {
      try line("\"kind\":\"file\",\(files)")
    }
  }

  func drop(_ entry: SchemaEntry, replacement: SchemaEntry?) throws {
    try schema("drop", entry)
  }

  func create(_ entry: SchemaEntry, original: SchemaEntry?) throws {
    try schema("create", entry)
  }

  func alter(_ entry: SchemaEntry, by sql: String) throws {
    try schema(
      "alter", SchemaEntry(kind: entry.kind, name: entry.name, table: entry.table, sql: sql))
  }

  func makeRowWriter(for part: DiffPart) throws -> any DiffWriting {
    JSONDiffWriter(
      part.diff, table: part.name, isDocument: false, isSummary: isSummary, output: output,
      line: line)
  }

  func rebuild(_ table: String) throws {
    try line("\"kind\":\"rebuild\",\"table\":\(ValueText.json(table))")
  }

  func sequence(of table: String, before: Int64?, after: Int64?) throws {
    func text(_ number: Int64?) -> String { ValueText.json(number.map { .integer($0) } ?? .null) }
    try line(
      "\"kind\":\"sequence\",\"table\":\(ValueText.json(table))"
        + ",\"before\":\(text(before)),\"after\":\(text(after))")
  }

  func setting(_ name: String, before: Int64, after: Int64) throws {
    try line(
      "\"kind\":\"setting\",\"name\":\(ValueText.json(name)),\"before\":\(before),\"after\":\(after)"
    )
  }

  func finish(_ summary: FileDiffSummary) throws {
    var counts =
      "\"tables\":\(summary.tableCount),\"differentTables\":\(summary.differentTableCount)"
      + ",\"schema\":\(summary.schemaCount),\"settings\":\(summary.settingCount)"
    if summary.newOrphanCount > 0 { counts += ",\"newOrphans\":\(summary.newOrphanCount)" }
    if isDocument {
      try output.line("],\"summary\":{\(counts)}}")
    } else {
      try line("\"kind\":\"end\",\(counts)")
    }
  }

  private func schema(_ action: String, _ entry: SchemaEntry) throws {
    try line(
      "\"kind\":\"schema\",\"action\":\"\(action)\",\"type\":\"\(entry.kind.rawValue)\""
        + ",\"name\":\(ValueText.json(entry.name)),\"table\":\(ValueText.json(entry.table))"
        + ",\"sql\":\(ValueText.json(entry.sql))")
  }

  private func line(_ members: String) throws {
    guard isDocument else { return try output.line("{\"v\":\(ValueText.jsonVersion),\(members)}") }
    try output.write((isFirst ? "\n" : ",\n") + "{\(members)}")
    isFirst = false
  }
}
