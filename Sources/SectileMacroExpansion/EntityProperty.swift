#if Macros
  internal import SwiftDiagnostics
  internal import SwiftSyntax
  internal import SwiftSyntaxMacros

  /// One stored property that is an attribute of an entity.
  struct EntityProperty {
    /// The name as it is written, with backticks if it has them.
    let name: String
    /// The column.
    let column: String
    /// The type as it is written.
    let type: TypeSyntax
    /// Whether it is marked as (part of) the primary key.
    let isPrimaryKey: Bool
    /// Whether the column holds JSON text.
    let isJSON: Bool

    /// The declaration, to point at.
    let syntax: VariableDeclSyntax

    /// The name without backticks.
    var plainName: String { name.filter { $0 != "`" } }

    /// Whether the type is written as an optional.
    var isOptional: Bool {
      type.is(OptionalTypeSyntax.self) || type.trimmedDescription.hasPrefix("Optional<")
    }

    /// Reads a member of a struct; nil if it is no attribute, after a diagnosis if it should be.
    init?(_ variable: VariableDeclSyntax, in context: some MacroExpansionContext) {
      guard !variable.isStatic, variable.isStored else { return nil }
      guard variable.bindings.count == 1, let binding = variable.bindings.first,
        let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
      else {
        context.diagnose(Diagnostic(node: variable, message: EntityDiagnostic.severalNames))
        return nil
      }
      let name = pattern.identifier.text
      guard variable.attribute(named: "Transient") == nil else {
        Self.checkTransient(variable, binding, name: name, in: context)
        return nil
      }
      if variable.bindingSpecifier.tokenKind == .keyword(.let), binding.initializer != nil {
        Self.diagnoseConstant(variable, name: name, in: context)
        return nil
      }
      guard let type = binding.typeAnnotation?.type else {
        Self.diagnoseType(binding, name: name, in: context)
        return nil
      }
      let marker = EntityMarker(variable.attribute(named: "Attribute"), in: context)
      self.name = name
      self.type = type.trimmed
      syntax = variable
      column = marker.column ?? name.filter { $0 != "`" }.snakeCased
      isPrimaryKey = marker.options.contains("primaryKey")
      isJSON = marker.options.contains("json")
    }

    private static func checkTransient(
      _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, name: String,
      in context: some MacroExpansionContext
    ) {
      let isOptionalVariable =
        variable.bindingSpecifier.tokenKind == .keyword(.var)
        && binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true
      guard binding.initializer == nil, !isOptionalVariable else { return }
      context.diagnose(
        Diagnostic(node: binding, message: EntityDiagnostic.transientWithoutValue(name)))
    }

    private static func diagnoseConstant(
      _ variable: VariableDeclSyntax, name: String, in context: some MacroExpansionContext
    ) {
      let specifier = variable.bindingSpecifier
      let fixed = specifier.with(\.tokenKind, .keyword(.var))
      context.diagnose(
        Diagnostic(
          node: specifier, message: EntityDiagnostic.constantWithValue(name),
          fixIt: FixIt(
            message: EntityDiagnostic.makeVariable,
            changes: [.replace(oldNode: Syntax(specifier), newNode: Syntax(fixed))])))
    }

    private static func diagnoseType(
      _ binding: PatternBindingSyntax, name: String, in context: some MacroExpansionContext
    ) {
      let type = binding.initializer?.value.literalTypeName ?? "<#Type#>"
      var fixed = binding
      fixed.pattern = fixed.pattern.with(\.trailingTrivia, [])
      fixed.typeAnnotation = TypeAnnotationSyntax(
        colon: .colonToken(trailingTrivia: .space),
        type: IdentifierTypeSyntax(name: .identifier(type)),
        trailingTrivia: binding.initializer == nil ? [] : .space)
      context.diagnose(
        Diagnostic(
          node: binding, message: EntityDiagnostic.noType(name),
          fixIt: FixIt(
            message: EntityDiagnostic.addType(type),
            changes: [.replace(oldNode: Syntax(binding), newNode: Syntax(fixed))])))
    }
  }

  extension VariableDeclSyntax {
    /// Whether the variable belongs to the type and not to its values.
    fileprivate var isStatic: Bool {
      modifiers.contains { ["static", "class"].contains($0.name.text) }
    }

    /// Whether the variable has storage: no accessors, or observers only.
    fileprivate var isStored: Bool {
      bindings.allSatisfy { binding in
        guard let block = binding.accessorBlock else { return true }
        guard case .accessors(let accessors) = block.accessors else { return false }
        return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }

    /// The attribute with a name.
    fileprivate func attribute(named name: String) -> AttributeSyntax? {
      attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
        let written = attribute.attributeName.trimmedDescription
        return written == name || written.hasSuffix(".\(name)")
      }
    }
  }

  extension ExprSyntax {
    /// The type a literal has when nothing else says so.
    fileprivate var literalTypeName: String? {
      switch kind {
      case .integerLiteralExpr: "Int"
      case .floatLiteralExpr: "Double"
      case .booleanLiteralExpr: "Bool"
      case .stringLiteralExpr: "String"
      default: nil
      }
    }
  }
#endif
