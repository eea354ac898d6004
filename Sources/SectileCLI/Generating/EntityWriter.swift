/// Writes structs as Swift text.
struct EntityWriter {
  /// Whether `@Entity` writes the conformance.
  let usesMacro: Bool
  /// Whether the structs, and their keys, are `Codable`.
  let isCodable: Bool

  private static let lineLimit = 96
  private static let commentLimit = 90

  /// Returns the text of a file, without the end of its last line.
  func text(of model: EntityModel) -> String {
    let columns = model.tables.flatMap(\.columns)
    var lines = Self.comment(
      "Written by `sectile entities` from a schema. Where a comment counts values, the form was "
        + "guessed from them: from \(TableSampler.rowLimit) rows of a table at most, half of them "
        + "its first, half its last.")
    lines.append("")
    if columns.contains(where: { $0.form.needsFoundation }) { lines.append("import Foundation") }
    lines.append("import Sectile")
    var parts: [(name: String, lines: [String])] = model.tables.map { table in
      let isByMacro = usesMacro && reasonForHand(of: table) == nil
      return (table.table, isByMacro ? macroLines(of: table) : handLines(of: table))
    }
    parts += model.omissions.map { omission in
      (omission.name, omission.lines.flatMap { Self.comment($0) })
    }
    // The schema lists names in the order of their bytes.
    parts.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    for part in parts { lines += [""] + part.lines }
    if columns.contains(where: { $0.form == .mixed }) { lines += [""] + mixedValue }
    return lines.joined(separator: "\n")
  }

  // MARK: - With the macro

  private func macroLines(of table: EntityTable) -> [String] {
    let isNamed = SwiftName.snakeCase(table.type) != table.table
    var lines = head(of: table)
    lines.append(isNamed ? "@Entity(\(SwiftName.literal(table.table)))" : "@Entity")
    lines.append(declaration(of: table))
    lines += notes(of: table)
    let isPlainKey = table.key.count == 1 && table.key[0].property == "id"
    for column in table.columns {
      lines += note(column.note, indentation: "  ")
      var arguments: [String] = []
      if SwiftName.snakeCase(column.property) != column.name {
        arguments.append(SwiftName.literal(column.name))
      }
      if column.isKey && !isPlainKey { arguments.append(".primaryKey") }
      if let option = column.form.option { arguments.append(".\(option)") }
      let variable = "var \(column.writtenProperty): \(column.type)"
      let attribute = "@Attribute(\(arguments.joined(separator: ", ")))"
      if arguments.isEmpty {
        lines.append("  \(variable)")
      } else if attribute.count + variable.count + 3 > Self.lineLimit {
        lines += ["  \(attribute)", "  \(variable)"]
      } else {
        lines.append("  \(attribute) \(variable)")
      }
    }
    lines += relationships(of: table)
    lines.append("}")
    return lines
  }

  // MARK: - By hand

  /// Why the macro cannot write a conformance; nil where it can.
  private func reasonForHand(of table: EntityTable) -> String? {
    if !table.suitsMacro { return "the macro reads names without escapes only." }
    if isCodable, table.key.count > 1 { return "the key that the macro writes is not Codable." }
    return nil
  }

  private func handLines(of table: EntityTable) -> [String] {
    var lines = head(of: table)
    lines.append(declaration(of: table))
    if usesMacro, let reason = reasonForHand(of: table) {
      lines += Self.comment("By hand: \(reason)", indentation: "  ")
    }
    lines += notes(of: table)
    for column in table.columns {
      lines += note(column.note, indentation: "  ")
      lines.append("  var \(column.writtenProperty): \(column.type)")
    }
    lines += identity(of: table) + relationships(of: table)
    lines += ["}", ""]
    lines.append("extension \(table.type): Entity {")
    lines += schema(of: table)
    lines += ["", "  init(row: inout RowReader) throws {"]
    for column in table.columns {
      let verb = column.form.isJSON ? "nextJSON" : "next"
      lines.append("    self.\(column.writtenProperty) = try row.\(verb)()")
    }
    lines += ["  }", "", "  func write(to row: inout RowWriter) throws {"]
    for column in table.columns {
      let verb = column.form.isJSON ? "appendJSON" : "append"
      lines.append("    try row.\(verb)(self.\(column.writtenProperty))")
    }
    return lines + ["  }", "}"]
  }

  private func schema(of table: EntityTable) -> [String] {
    let key = table.key.map { SwiftName.literal($0.name) }.joined(separator: ", ")
    var lines = [
      "  static let schema = EntitySchema<\(table.type)>(",
      "    \(SwiftName.literal(table.table)), primaryKey: \(key),",
    ]
    for (place, column) in table.columns.enumerated() {
      let label = column.form.isJSON ? "json: " : ""
      let option = column.form.isJSON ? "" : column.form.option.map { ", as: .\($0)" } ?? ""
      let beginning = place == 0 ? "attributes: " : ""
      let end = place == table.columns.count - 1 ? ")" : ","
      let name = SwiftName.literal(column.name)
      lines.append(
        "    \(beginning).init(\(name), \(label)\\.\(column.writtenProperty)\(option))\(end)")
    }
    return lines
  }

  /// The property `id`, and its type where the key has several columns.
  private func identity(of table: EntityTable) -> [String] {
    let key = table.key
    if key.count == 1 {
      if key[0].property == "id" { return [] }
      return ["", "  var id: \(key[0].type) { \(key[0].writtenProperty) }"]
    }
    let names = key.map(\.writtenProperty)
    let arguments = names.map { "\($0): \($0)" }.joined(separator: ", ")
    let parameters = key.map { "\($0.writtenProperty): \($0.type)" }
    let conformances = isCodable ? "EntityKey, Codable" : "EntityKey"
    var lines = ["", "  var id: ID { ID(\(arguments)) }", "", "  struct ID: \(conformances) {"]
    lines += parameters.map { "    var \($0)" }
    lines += ["", "    init(\(parameters.joined(separator: ", "))) {"]
    lines += names.map { "      self.\($0) = \($0)" }
    lines += ["    }", "", "    init(keyValues: [StoredValue]) throws {"]
    lines.append("      var key = KeyReader(keyValues)")
    lines += names.map { "      self.\($0) = try key.next()" }
    let values = names.map { "\($0).keyValues" }.joined(separator: " + ")
    lines += ["    }", "", "    var keyValues: [StoredValue] { \(values) }", "  }"]
    return lines
  }

  // MARK: - Parts of both

  private func head(of table: EntityTable) -> [String] {
    ["/// A row of the table \(table.table.inComment)."]
  }

  private func declaration(of table: EntityTable) -> String {
    "struct \(table.type)\(isCodable ? ": Codable" : "") {"
  }

  private func notes(of table: EntityTable) -> [String] {
    table.notes.flatMap { Self.comment($0, indentation: "  ") }
  }

  private func relationships(of table: EntityTable) -> [String] {
    if table.relationships.isEmpty { return [] }
    var lines = ["", "  struct Relationships: EntityRelationships {"]
    for relationship in table.relationships {
      lines += note(relationship.note, indentation: "    ")
      let kind = relationship.isToMany ? "ToMany" : "ToOne"
      let columns = relationship.columns.map(SwiftName.literal).joined(separator: ", ")
      let name = SwiftName.written(relationship.name)
      lines.append("    let \(name) = \(kind)<\(relationship.target)>(\(columns))")
    }
    return lines + ["  }"]
  }

  private func note(_ text: String?, indentation: String) -> [String] {
    text.map { Self.comment($0, indentation: indentation) } ?? []
  }

  /// Returns a text as lines of a comment, broken between words.
  private static func comment(_ text: String, indentation: String = "") -> [String] {
    var lines: [String] = []
    var line = "\(indentation)//"
    for word in text.split(separator: " ") {
      if line.count + word.count >= commentLimit, !line.hasSuffix("//") {
        lines.append(line)
        line = "\(indentation)//"
      }
      line += " \(word)"
    }
    return lines + [line]
  }

  private var mixedValue: [String] {
    let lines = Self.mixedValueHead(isCodable ? ", Codable" : "")
    return lines + (isCodable ? Self.mixedValueCoding : []) + ["}"]
  }

  private static func mixedValueHead(_ conformance: String) -> [String] {
    [
      "/// A value of any type, in a column that holds several.",
      "struct MixedValue: StorableValue\(conformance) {",
      "  var storedValue: StoredValue",
      "",
      "  init(_ value: StoredValue) {",
      "    storedValue = value",
      "  }",
      "",
      "  init(stored column: StoredColumn) throws(ColumnValueError) {",
      "    storedValue = try column.value()",
      "  }",
    ]
  }

  private static let mixedValueCoding = [
    "",
    "  init(from decoder: any Swift.Decoder) throws {",
    "    storedValue = try StoredValue(from: decoder)",
    "  }",
    "",
    "  func encode(to encoder: any Swift.Encoder) throws {",
    "    try storedValue.encode(to: encoder)",
    "  }",
  ]
}
