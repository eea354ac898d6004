internal import Sectile

/// Writes differences as JSON: one document, or a line for each.
final class JSONDiffWriter: DiffWriting {
  private let diff: TableDiff
  private let table: String
  private let isDocument: Bool
  private let isSummary: Bool
  private let output: Output
  private let line: (_ members: String) throws -> Void
  private var isFirst = true

  /// Creates a writer of one table.
  ///
  /// - Parameters:
  ///   - diff: What is compared.
  ///   - table: The table's name.
  ///   - isDocument: Whether to write one document, instead of lines.
  ///   - isSummary: Whether to leave the differences out.
  ///   - output: Where it goes.
  ///   - line: Writes the members of a line; nil for a line of the output.
  init(
    _ diff: TableDiff, table: String, isDocument: Bool, isSummary: Bool, output: Output,
    line: ((_ members: String) throws -> Void)? = nil
  ) {
    self.diff = diff
    self.table = table
    self.isDocument = isDocument
    self.isSummary = isSummary
    self.output = output
    self.line = line ?? { try output.line("{\"v\":\(ValueText.jsonVersion),\($0)}") }
  }

  func begin() throws {
    let members =
      "\"table\":\(ValueText.json(table)),\"key\":\(Self.list(diff.key))"
      + ",\"columns\":\(Self.list(diff.columns))"
      + ",\"columnsOnlyBefore\":\(Self.list(diff.columnsOnlyBefore))"
      + ",\"columnsOnlyAfter\":\(Self.list(diff.columnsOnlyAfter))"
    if isDocument {
      let changes = isSummary ? "" : ",\"changes\":["
      try output.write("{\"v\":\(ValueText.jsonVersion),\(members)\(changes)")
    } else {
      try line("\"kind\":\"table\",\(members)")
    }
  }

  func write(_ difference: RowDifference) throws {
    if isSummary { return }
    let members =
      switch difference {
      case .delete(let path, let row):
        "\"kind\":\"delete\",\"path\":\(Self.path(path)),\"id\":\(Self.list(row.key))"
          + ",\"row\":\(object(row))"
      case .insert(let path, let row):
        "\"kind\":\"insert\",\"path\":\(Self.path(path)),\"id\":\(Self.list(row.key))"
          + ",\"row\":\(object(row))"
      case .update(let source, let target, let before, let after, let changed):
        "\"kind\":\"update\",\"source\":\(Self.path(source)),\"target\":\(Self.path(target))"
          + ",\"id\":\(Self.list(after.key)),\"before\":\(object(before, changed))"
          + ",\"after\":\(object(after, changed))"
      }
    if isDocument {
      try output.write((isFirst ? "\n" : ",\n") + "{\(members)}")
      isFirst = false
    } else {
      try line(members)
    }
  }

  func finish(_ summary: DiffSummary) throws {
    let counts =
      "\"deletes\":\(summary.deleteCount),\"inserts\":\(summary.insertCount)"
      + ",\"updates\":\(summary.updateCount),\"equal\":\(summary.equalCount)"
    if isDocument {
      try output.line((isSummary ? "" : "]") + ",\"summary\":{\(counts)}}")
    } else {
      try line("\"kind\":\"summary\",\(counts)")
    }
  }

  private func object(_ row: DiffRow, _ columns: [Int]? = nil) -> String {
    let members = (columns ?? Array(diff.columns.indices)).map { column in
      "\(ValueText.json(diff.columns[column])):\(ValueText.json(row.values[column]))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func path(_ path: ItemPath) -> String {
    "{\"section\":\(path.section),\"item\":\(path.item)}"
  }

  private static func list(_ names: [String]) -> String {
    "[\(names.map { ValueText.json($0) }.joined(separator: ","))]"
  }

  private static func list(_ values: [ExactValue]) -> String {
    "[\(values.map { ValueText.json($0) }.joined(separator: ","))]"
  }
}
