#if Macros
  import SectileMacroExpansion
  import SwiftSyntaxMacroExpansion
  import SwiftSyntaxMacros
  import SwiftSyntaxMacrosGenericTestSupport
  import Testing

  private let macros: [String: MacroSpec] = [
    "Entity": MacroSpec(type: EntityExpansion.self, conformances: ["Entity"]),
    "Attribute": MacroSpec(type: MarkerExpansion.self),
    "Transient": MacroSpec(type: MarkerExpansion.self),
  ]

  /// Checks what a source expands to, and what is said about it.
  func expectExpansion(
    of source: String, is expanded: String, diagnostics: [DiagnosticSpec] = [],
    applyFixIts: [String]? = nil, fixed: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    assertMacroExpansion(
      source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros,
      applyFixIts: applyFixIts, fixedSource: fixed, indentationWidth: .spaces(2),
      failureHandler: { failure in
        Issue.record(Comment(rawValue: failure.message), sourceLocation: sourceLocation)
      })
  }
#endif
