#if Macros
  internal import SwiftDiagnostics
  internal import SwiftSyntax
  internal import SwiftSyntaxMacros

  /// The arguments of `@Attribute` and of `@Entity`: a name, and options such as `.primaryKey`.
  struct EntityMarker {
    /// The name, if one is given.
    private(set) var column: String?
    /// The names of the options.
    private(set) var options: Set<String> = []
    /// The arguments of options that have some.
    private(set) var arguments: [String: LabeledExprListSyntax] = [:]

    /// Reads the arguments of an attribute; nothing of none.
    init(_ attribute: AttributeSyntax?, in context: some MacroExpansionContext) {
      guard case .argumentList(let arguments) = attribute?.arguments else { return }
      for argument in arguments {
        if let option = argument.expression.as(MemberAccessExprSyntax.self) {
          options.insert(option.declName.baseName.text)
        } else if let call = argument.expression.as(FunctionCallExprSyntax.self),
          let option = call.calledExpression.as(MemberAccessExprSyntax.self)
        {
          let name = option.declName.baseName.text
          options.insert(name)
          self.arguments[name] = call.arguments
        } else if let text = argument.expression.as(StringLiteralExprSyntax.self)?.plainText {
          column = text
        } else if !argument.expression.is(NilLiteralExprSyntax.self) {
          context.diagnose(Diagnostic(node: argument, message: EntityDiagnostic.notALiteral))
        }
      }
    }
  }

  extension StringLiteralExprSyntax {
    /// The text of a literal without interpolations and escapes; nil for any other.
    fileprivate var plainText: String? {
      guard segments.count == 1, case .stringSegment(let segment) = segments.first,
        !segment.content.text.contains("\\")
      else { return nil }
      return segment.content.text
    }
  }
#endif
