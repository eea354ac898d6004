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
    /// The type as it is written, where it stands.
    let type: TypeSyntax
    /// Whether it is marked as (part of) the primary key.
    let isPrimaryKey: Bool
    /// Whether the column holds JSON text.
    let isJSON: Bool
    /// The name of the option that says how the column holds the value.
    let form: String?
    /// The arguments of that option; nil where it has none.
    let formArguments: LabeledExprListSyntax?

    /// The option as it is written, without its point.
    var writtenForm: String? {
      form.map { name in name + (formArguments.map { "(\($0.trimmedDescription))" } ?? "") }
    }

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
      if let modifier = variable.modifiers.first(where: { $0.name.text == "lazy" }) {
        context.diagnose(Diagnostic(node: modifier, message: EntityDiagnostic.lazyProperty(name)))
        return nil
      }
      if let second = variable.attributes(named: "Attribute").dropFirst().first {
        context.diagnose(Diagnostic(node: second, message: EntityDiagnostic.attributeTwice(name)))
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
      self.type = type
      syntax = variable
      column = marker.column ?? name.filter { $0 != "`" }.snakeCased
      isPrimaryKey = marker.options.contains("primaryKey")
      isJSON = marker.options.contains("json")
      let forms = marker.options.intersection(ColumnEncodings.all).sorted()
      form = forms.first
      formArguments = forms.first.flatMap { marker.arguments[$0] }
      guard forms.count + (isJSON ? 1 : 0) < 2 else {
        context.diagnose(Diagnostic(node: variable, message: EntityDiagnostic.severalForms(name)))
        return nil
      }
      guard checkType(in: context) else { return nil }
    }

    /// Diagnoses a type that no column holds, or not in the form, as far as its text tells.
    private func checkType(in context: some MacroExpansionContext) -> Bool {
      if let form, ColumnEncodings.refuse(form, of: type.wrappedTypeName) {
        let message = EntityDiagnostic.wrongForm(
          plainName, form: form, type: type.trimmedDescription)
        context.diagnose(Diagnostic(node: type, message: message))
        return false
      }
      if form == "decimal", let scale = formArguments?.first?.expression, scale.isBeyondScales {
        context.diagnose(Diagnostic(node: scale, message: EntityDiagnostic.wrongScale(plainName)))
        return false
      }
      guard !isJSON, let kind = type.unstorableKind else { return true }
      let message = EntityDiagnostic.notStorable(plainName, type: "\(kind) ('\(type.trimmed)')")
      context.diagnose(Diagnostic(node: type, message: message))
      return false
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
    var isStored: Bool {
      bindings.allSatisfy { binding in
        guard let block = binding.accessorBlock else { return true }
        guard case .accessors(let accessors) = block.accessors else { return false }
        return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }

    /// The first attribute with a name.
    fileprivate func attribute(named name: String) -> AttributeSyntax? {
      attributes(named: name).first
    }

    /// The attributes with a name.
    fileprivate func attributes(named name: String) -> [AttributeSyntax] {
      attributes.compactMap { $0.as(AttributeSyntax.self) }.filter { attribute in
        let written = attribute.attributeName.trimmedDescription
        return written == name || written.hasSuffix(".\(name)")
      }
    }
  }

  extension TypeSyntax {
    /// The name of the type, without the question mark of an optional and without `Foundation.`.
    fileprivate var wrappedTypeName: String {
      let wrapped = self.as(OptionalTypeSyntax.self)?.wrappedType ?? self
      let text = wrapped.trimmedDescription
      return text.hasPrefix("Foundation.") ? String(text.dropFirst(11)) : text
    }

    /// What kind of type this is, if no column holds such a one whatever its parts are.
    fileprivate var unstorableKind: String? {
      if let optional = self.as(OptionalTypeSyntax.self) {
        return optional.wrappedType.is(OptionalTypeSyntax.self)
          ? "an optional of an optional" : optional.wrappedType.unstorableKind
      }
      if let array = self.as(ArrayTypeSyntax.self) {
        return array.element.trimmedDescription == "UInt8" ? nil : "an array"
      }
      if let tuple = self.as(TupleTypeSyntax.self) {
        let single = tuple.elements.count == 1 ? tuple.elements.first : nil
        return single.map { $0.type.unstorableKind } ?? "a tuple"
      }
      if self.is(DictionaryTypeSyntax.self) { return "a dictionary" }
      if self.is(FunctionTypeSyntax.self) { return "a function" }
      if let attributed = self.as(AttributedTypeSyntax.self) {
        return attributed.baseType.unstorableKind
      }
      if let name = self.as(IdentifierTypeSyntax.self)?.name.text {
        return ["Set": "a set", "Dictionary": "a dictionary", "Character": "a character"][name]
      }
      return self.is(SomeOrAnyTypeSyntax.self) ? "an existential" : nil
    }
  }

  extension ExprSyntax {
    /// Whether the expression is a number, and none of the digits that a column has behind the
    /// point.
    fileprivate var isBeyondScales: Bool {
      if let literal = self.as(IntegerLiteralExprSyntax.self) {
        return !(Int(literal.literal.text).map { (0...18).contains($0) } ?? true)
      }
      return self.as(PrefixOperatorExprSyntax.self)?.expression.is(IntegerLiteralExprSyntax.self)
        == true
    }

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
