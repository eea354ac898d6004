#if Macros
  internal import SwiftSyntax
  internal import SwiftSyntaxBuilder

  /// The conformance that `@Entity` writes, as text.
  struct EntityDeclaration {
    let type: String
    let table: String
    let properties: [EntityProperty]
    let key: [EntityProperty]
    /// `public `, `package ` or nothing.
    let access: String
    let isGeneric: Bool
    /// Whether the extension has to declare the conformance.
    let conforms: Bool
    let declaresID: Bool
    let declaresIDType: Bool

    func extensionSyntax() throws -> ExtensionDeclSyntax {
      let conformance = conforms ? ": SectileStore.Entity" : ""
      let parts = [schema, reading, writing, identity].filter { !$0.isEmpty }
      let body = parts.joined(separator: "\n\n")
      return try ExtensionDeclSyntax(
        "extension \(raw: type)\(raw: conformance) {\n\(raw: body)\n}")
    }

    private var schema: String {
      let names = key.map { quote($0.column) }.joined(separator: ", ")
      let attributes = properties.map { property in
        let label = property.isJSON ? "json: " : ""
        let form = property.writtenForm.map { ", as: .\($0)" } ?? ""
        return "    .init(\(quote(property.column)), \(label)\\.\(property.name)\(form))"
      }
      // A generic type has no stored static properties.
      let opening =
        isGeneric
        ? "static var schema: SectileStore.EntitySchema<Self> {\n  SectileStore.EntitySchema<Self>("
        : "static let schema = SectileStore.EntitySchema<\(type)>("
      let closing = isGeneric ? ")\n}" : ")"
      return """
        \(access)\(opening)
          \(quote(table)), primaryKey: \(names),
          attributes:
        \(attributes.joined(separator: ",\n"))\(closing)
        """
    }

    /// One assignment of all properties where that is quick to type-check: what throws between
    /// several makes the compiler copy the entity.
    private var reading: String {
      let names = properties.map { "self.\($0.name)" }
      let values = properties.map { "row.next\($0.isJSON ? "JSON" : "")()" }
      let lines =
        if properties.count > 1, !properties.contains(where: \.isJSON) {
          ["  (\(names.joined(separator: ", "))) = try (\(values.joined(separator: ", ")))"]
        } else {
          zip(names, values).map { "  \($0) = try \($1)" }
        }
      return """
        \(access)init(row: inout SectileStore.RowReader) throws {
        \(lines.joined(separator: "\n"))
        }
        """
    }

    private var writing: String {
      let lines = properties.map { property in
        "  try row.append\(property.isJSON ? "JSON" : "")(self.\(property.name))"
      }
      return """
        \(access)func write(to row: inout SectileStore.RowWriter) throws {
        \(lines.joined(separator: "\n"))
        }
        """
    }

    /// The property `id` and its type, where the struct does not have them.
    private var identity: String {
      guard !declaresID else { return "" }
      if key.count == 1 {
        return "\(access)var id: \(key[0].type.trimmedDescription) { \(key[0].name) }"
      }
      let arguments = key.map { "\($0.plainName): \($0.name)" }.joined(separator: ", ")
      let property = "\(access)var id: ID { ID(\(arguments)) }"
      return declaresIDType ? property : "\(property)\n\n\(identityType)"
    }

    private var identityType: String {
      let types = key.map { (name: $0.name, type: $0.type.trimmedDescription) }
      let stored = types.map { "  \(access)var \($0.name): \($0.type)" }
      let parameters = types.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      let assignments = types.map { "    self.\($0.name) = \($0.name)" }
      let reads = types.map { "    self.\($0.name) = try key.next()" }
      let values = types.map { "\($0.name).keyValues" }.joined(separator: " + ")
      return """
        \(access)struct ID: SectileStore.EntityKey {
        \(stored.joined(separator: "\n"))

          \(access)init(\(parameters)) {
        \(assignments.joined(separator: "\n"))
          }

          \(access)init(keyValues: [SectileCore.StoredValue]) throws {
            var key = SectileStore.KeyReader(keyValues)
        \(reads.joined(separator: "\n"))
          }

          \(access)var keyValues: [SectileCore.StoredValue] { \(values) }
        }
        """
    }

    /// A name as a string literal.
    private func quote(_ text: String) -> String {
      StringLiteralExprSyntax(content: text).description
    }
  }
#endif
