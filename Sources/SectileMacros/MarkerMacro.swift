#if Macros
  internal import SectileMacroExpansion
  internal import SwiftSyntax
  internal import SwiftSyntaxMacros

  /// `@Attribute` and `@Transient`, as the compiler finds them by name.
  ///
  /// See ``MarkerExpansion``.
  struct MarkerMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      try MarkerExpansion.expansion(of: node, providingPeersOf: declaration, in: context)
    }
  }
#endif
