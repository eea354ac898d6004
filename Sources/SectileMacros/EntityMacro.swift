#if Macros
  internal import SectileMacroExpansion
  internal import SwiftSyntax
  internal import SwiftSyntaxMacros

  /// `@Entity`, as the compiler finds it by name.
  ///
  /// See ``EntityExpansion``.
  struct EntityMacro: ExtensionMacro {
    static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      try EntityExpansion.expansion(
        of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols,
        in: context)
    }
  }
#endif
