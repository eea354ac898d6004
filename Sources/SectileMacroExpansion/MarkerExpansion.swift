#if Macros
  package import SwiftSyntax
  package import SwiftSyntaxMacros

  /// `@Attribute` and `@Transient`: they expand to nothing, `@Entity` reads them.
  package struct MarkerExpansion: PeerMacro {
    package static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      []
    }
  }
#endif
