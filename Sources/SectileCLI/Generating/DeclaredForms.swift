/// The types and forms of the properties in a file that ``EntityWriter`` wrote and somebody may
/// have edited, as far as they stand where it puts them.
struct DeclaredForms {
  private var types: [String: [String: String]] = [:]
  private var options: [String: [String: String]] = [:]
  /// Whether the file leaves conformances to `@Entity`.
  private(set) var usesMacro = false
  /// Whether its structs are `Codable`.
  private(set) var isCodable = false

  /// Reads a file.
  init(of text: String) {
    var structure = ""
    var isInside = false
    var attribute = ""
    for line in text.split(separator: "\n") {
      let code = String(line.drop { $0 == " " })
      if code.hasPrefix("@Entity") { usesMacro = true }
      if let name = Self.name(behind: ["struct ", "extension "], in: code), line.first != " " {
        structure = name
        if code.hasSuffix(": Codable {") { isCodable = true }
      }
      // A nested type has properties of its own.
      if line.first == " ", code.hasPrefix("struct ") { isInside = true }
      if isInside {
        if line.hasPrefix("  }"), !line.hasPrefix("   ") { isInside = false }
        continue
      }
      if code.hasPrefix("@Attribute("), !code.contains(" var ") {
        attribute = code
      } else if code.hasPrefix(".init(") || code.hasPrefix("attributes: .init(") {
        readAttribute(code, of: structure)
      } else {
        readProperty(code, attribute, of: structure)
        attribute = ""
      }
    }
  }

  /// Returns the form of a property; nil where there is none.
  func form(of property: String, in type: String) -> ColumnForm? {
    guard let name = types[type]?[property] else { return nil }
    return ColumnForm(name, options[type]?[property])
  }

  /// A line as `@Attribute("at", .unixSeconds) var at: Date?`.
  private mutating func readProperty(
    _ line: String, _ attribute: String, of structure: String
  ) {
    // A space before it finds the variable also where nothing else is before it.
    let line = " " + line
    guard let variable = line.firstRange(of: " var ") else { return }
    let parts = line[variable.upperBound...].split(separator: ":", maxSplits: 1)
    guard parts.count == 2, !parts[1].contains("{") else { return }
    let name = parts[0].filter { $0 != "`" && $0 != " " }
    let type = parts[1].filter { $0 != "?" }.drop { $0 == " " }
    types[structure, default: [:]][name] = String(type)
    let head = attribute + line[..<variable.lowerBound]
    guard let option = Self.option(in: head) else { return }
    options[structure, default: [:]][name] = option
  }

  /// A line as `.init("at", \.at, as: .unixSeconds),`.
  private mutating func readAttribute(_ line: String, of structure: String) {
    guard let path = line.firstRange(of: "\\.") else { return }
    let rest = line[path.upperBound...]
    let name = rest.prefix { $0 != "," && $0 != ")" }.filter { $0 != "`" }
    if line.contains(", json: \\.") {
      options[structure, default: [:]][name] = "json"
    } else if let option = Self.option(in: String(rest)) {
      options[structure, default: [:]][name] = option
    }
  }

  private static let known = [
    "json", "uuidBlob", "uuidLowercase", "unixSecondsReal", "unixSeconds", "unixMilliseconds",
    "iso8601Milliseconds", "iso8601", "referenceSecondsReal",
  ]

  /// The option that says how a column holds a value.
  private static func option(in text: String) -> String? {
    if let start = text.firstRange(of: ".decimal(scale: ") {
      let digits = text[start.upperBound...].prefix { $0.isNumber }
      return "decimal(scale: \(digits))"
    }
    return known.first { option in
      ["(.\(option))", ", .\(option))", "as: .\(option))"].contains { text.contains($0) }
    }
  }

  private static func name(
    behind beginnings: [String], in line: String
  ) -> String? {
    for beginning in beginnings where line.hasPrefix(beginning) {
      return String(line.dropFirst(beginning.count).prefix { $0 != ":" && $0 != " " })
    }
    return nil
  }
}
