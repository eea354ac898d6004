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
