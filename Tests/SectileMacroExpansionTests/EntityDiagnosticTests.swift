#if Macros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  @Suite struct EntityDiagnosticTests {
    /// Checks the one error of a source that expands to nothing but itself.
    private func expectError(
      _ message: String, line: Int, column: Int, in source: String, fixIt: String? = nil,
      fixed: String? = nil, without marker: String = "", expanded: String? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      expectExpansion(
        of: "@Entity\n\(source)",
        is: expanded ?? (marker.isEmpty ? source : source.replacing(marker, with: "")),
        diagnostics: [
          DiagnosticSpec(
            message: message, line: line, column: column,
            fixIts: fixIt.map { [FixItSpec(message: $0)] } ?? [])
        ],
        applyFixIts: fixIt.map { [$0] }, fixed: fixed.map { "@Entity\n\($0)" },
        sourceLocation: sourceLocation)
    }

    @Test func classIsRefused() {
      expectError(
        "@Entity applies to a struct: an entity is a value", line: 2, column: 1,
        in: "class Package {\n}", fixIt: "make it a struct", fixed: "struct Package {\n}")
      expectError(
        "@Entity applies to a struct: an entity is a value", line: 1, column: 1,
        in: "enum Package {\n}")
    }

    @Test func missingKeyIsRefused() {
      expectError(
        "an entity needs a primary key: a property 'id', or properties marked "
          + "@Attribute(.primaryKey)",
        line: 2, column: 8, in: "struct Package {\n  var name: String\n}",
        fixIt: "add 'var id: Int64'",
        fixed: "struct Package {\n  var id: Int64\n  var name: String\n}")
    }

    @Test func aComputedKeyIsRefused() {
      expectError(
        "'id' is computed, and no column holds it; mark the stored property that is the key with "
          + "@Attribute(.primaryKey)",
        line: 4, column: 3,
        in: "struct Package {\n  @Attribute(\"PackageId\") var packageID: Int64\n"
          + "  var id: Int64 { packageID }\n}",
        without: "@Attribute(\"PackageId\") ")
    }

    @Test(arguments: ["name", "NAME"]) func aColumnOfTwoPropertiesIsRefused(column: String) {
      expectError(
        "'title' has the column '\(column)', which 'name' has already; a column has one property",
        line: 5, column: 3,
        in: "struct Package {\n  var id: Int64\n  var name: String\n"
          + "  @Attribute(\"\(column)\") var title: String\n}",
        without: "@Attribute(\"\(column)\") ")
    }

    @Test func missingTypeIsRefused() {
      expectError(
        "the attribute 'id' needs a type annotation", line: 3, column: 7,
        in: "struct Package {\n  var id = 5\n}", fixIt: "add ': Int'",
        fixed: "struct Package {\n  var id: Int = 5\n}")
    }

    @Test func constantWithAValueIsRefused() {
      expectError(
        "the constant 'id' has a value and cannot be read from a row; make it 'var', "
          + "or mark it @Transient",
        line: 3, column: 3, in: "struct Package {\n  let id: Int = 5\n}", fixIt: "make it 'var'",
        fixed: "struct Package {\n  var id: Int = 5\n}")
    }

    @Test func aSecondAttributeIsRefused() {
      expectError(
        "'name' has more than one @Attribute; write its name and its options into one", line: 4,
        column: 19,
        in:
          "struct Package {\n  var id: Int64\n  @Attribute(\"n\") @Attribute(.json) var name: String\n}",
        expanded: "struct Package {\n  var id: Int64\n  var name: String\n}"
          + Self.extensionOfID)
    }

    @Test func lazyVariablesAreRefused() {
      expectError(
        "'name' is lazy, and reading and writing a row needs its value at once; remove 'lazy', "
          + "or mark it @Transient",
        line: 4, column: 3,
        in: "struct Package {\n  var id: Int64\n  lazy var name: String = \"\"\n}",
        expanded: "struct Package {\n  var id: Int64\n  lazy var name: String = \"\"\n}"
          + Self.extensionOfID)
    }

    @Test(arguments: [
      ("[String]", "an array"), ("[String]?", "an array"), ("[String: Int]", "a dictionary"),
      ("Set<Int>", "a set"), ("(Int, Int)", "a tuple"), ("() -> Void", "a function"),
      ("any Equatable", "an existential"), ("String??", "an optional of an optional"),
      ("Character", "a character"),
    ]) func typesThatNoColumnHoldsAreRefusedAtTheProperty(type: String, kind: String) {
      let source = "struct Package {\n  var id: Int64\n  var name: \(type)\n}"
      expectError(
        "'name' is \(kind) ('\(type)'), which no column holds as it is; mark it "
          + "@Attribute(.json) if it is Codable, or @Transient",
        line: 4, column: 13, in: source, expanded: source + Self.extensionOfID)
    }

    @Test func formsOfOtherTypesAreRefusedAtTheProperty() {
      expectError(
        "'name' is String, and .uuidBlob is a form of UUID only", line: 4, column: 35,
        in: "struct Package {\n  var id: Int64\n  @Attribute(.uuidBlob) var name: String\n}",
        expanded: "struct Package {\n  var id: Int64\n  var name: String\n}"
          + Self.extensionOfID)
      expectError(
        "the column of 'name' has one form; choose one of its options", line: 4, column: 3,
        in: "struct Package {\n  var id: Int64\n"
          + "  @Attribute(.unixSeconds, .iso8601) var name: Date\n}",
        expanded: "struct Package {\n  var id: Int64\n  var name: Date\n}"
          + Self.extensionOfID)
    }

    @Test func scalesOutsideOfTheirLimitsAreRefused() {
      expectError(
        "'name' is Int, and .decimal is a form of Decimal only", line: 4, column: 44,
        in: "struct Package {\n  var id: Int64\n  @Attribute(.decimal(scale: 2)) var name: Int\n}",
        expanded: "struct Package {\n  var id: Int64\n  var name: Int\n}" + Self.extensionOfID)
      expectError(
        "the column of 'name' has 0 to 18 digits behind the point", line: 4, column: 30,
        in: "struct Package {\n  var id: Int64\n"
          + "  @Attribute(.decimal(scale: 19)) var name: Decimal\n}",
        expanded: "struct Package {\n  var id: Int64\n  var name: Decimal\n}"
          + Self.extensionOfID)
    }

    /// What an entity expands to whose other property was refused.
    private static let extensionOfID = """


      extension Package: SectileStore.Entity {
        static let schema = SectileStore.EntitySchema<Package>(
          "package", primaryKey: "id",
          attributes:
            .init("id", \\.id))

        init(row: inout SectileStore.RowReader) throws {
          self.id = try row.next()
        }

        func write(to row: inout SectileStore.RowWriter) throws {
          try row.append(self.id)
        }
      }
      """

    @Test func severalNamesInOneLineAreRefused() {
      expectError(
        "declare one attribute in each line, by its name", line: 3, column: 3,
        in: "struct Package {\n  var id, other: Int\n}",
        expanded: """
          struct Package {
            var id, other: Int
          }
          """)
    }
  }
#endif
