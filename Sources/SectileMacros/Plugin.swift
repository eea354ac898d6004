#if Macros
  internal import SwiftCompilerPlugin
  internal import SwiftSyntaxMacros

  /// What the compiler loads.
  @main
  struct SectilePlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [EntityMacro.self, MarkerMacro.self]
  }
#else
  /// Without the trait `Macros` there is nothing to load, and an executable still needs a start.
  @main
  enum NoMacros {
    static func main() {}
  }
#endif
