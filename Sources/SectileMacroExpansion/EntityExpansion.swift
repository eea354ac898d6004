#if Macros
  internal import SwiftDiagnostics
  package import SwiftSyntax
  internal import SwiftSyntaxBuilder
  package import SwiftSyntaxMacros

  /// `@Entity`: writes the conformance of a struct to `Entity`, in an extension, so that the struct
  /// keeps its memberwise initializer.
  package struct EntityExpansion: ExtensionMacro {
    package static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard let structure = declaration.as(StructDeclSyntax.self) else {
        diagnoseKind(of: declaration, in: context)
        return []
      }
      let variables = structure.memberBlock.members.compactMap {
        $0.decl.as(VariableDeclSyntax.self)
      }
      let properties = variables.compactMap { EntityProperty($0, in: context) }
      let marked = properties.filter(\.isPrimaryKey)
      let key = marked.isEmpty ? properties.filter { $0.plainName == "id" } : marked
      guard !key.isEmpty else {
        // A property that was diagnosed might be the key: one error at a time.
        if let computed = variables.first(where: \.isNamedID), !computed.isStored {
          context.diagnose(Diagnostic(node: computed, message: EntityDiagnostic.computedKey))
        } else if !variables.contains(where: \.isNamedID) {
          diagnoseKey(of: structure, in: context)
        }
        return []
      }
      if let (second, first) = columnTwice(in: properties) {
        context.diagnose(
          Diagnostic(
            node: second.syntax,
            message: EntityDiagnostic.columnTwice(
              second.plainName, column: second.column, first: first.plainName)))
        return []
      }
      if key.count > 1, let optional = key.first(where: \.isOptional) {
        context.diagnose(
          Diagnostic(
            node: optional.syntax, message: EntityDiagnostic.optionalKey(optional.plainName)))
        return []
      }
      let table = EntityMarker(node, in: context).column ?? structure.name.text.snakeCased
      let entity = EntityDeclaration(
        type: type.trimmedDescription, table: table, properties: properties, key: key,
        access: structure.access, isGeneric: structure.genericParameterClause != nil,
        conforms: !protocols.isEmpty, declaresID: variables.contains(where: \.isNamedID),
        declaresIDType: structure.declaresType(named: "ID"))
      return [try entity.extensionSyntax()]
    }

    /// The first property whose column another one has already; SQLite compares names without
    /// regard to case.
    private static func columnTwice(
      in properties: [EntityProperty]
    ) -> (second: EntityProperty, first: EntityProperty)? {
      var known: [String: EntityProperty] = [:]
      for property in properties {
        let column = property.column.lowercased()
        if let first = known[column] { return (property, first) }
        known[column] = property
      }
      return nil
    }

    private static func diagnoseKind(
      of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) {
      guard let keyword = declaration.as(ClassDeclSyntax.self)?.classKeyword else {
        context.diagnose(Diagnostic(node: declaration, message: EntityDiagnostic.notAStruct))
        return
      }
      let fixed = keyword.with(\.tokenKind, .keyword(.struct))
      context.diagnose(
        Diagnostic(
          node: keyword, message: EntityDiagnostic.notAStruct,
          fixIt: FixIt(
            message: EntityDiagnostic.makeStruct,
            changes: [.replace(oldNode: Syntax(keyword), newNode: Syntax(fixed))])))
    }

    private static func diagnoseKey(
      of structure: StructDeclSyntax, in context: some MacroExpansionContext
    ) {
      var fixed = structure.memberBlock
      let member: DeclSyntax = "\n  var id: Int64"
      fixed.members.insert(MemberBlockItemSyntax(decl: member), at: fixed.members.startIndex)
      context.diagnose(
        Diagnostic(
          node: structure.name, message: EntityDiagnostic.noPrimaryKey,
          fixIt: FixIt(
            message: EntityDiagnostic.addID,
            changes: [
              .replace(oldNode: Syntax(structure.memberBlock), newNode: Syntax(fixed))
            ])))
    }
  }

  extension VariableDeclSyntax {
    /// Whether this declares a property `id`, stored or computed.
    fileprivate var isNamedID: Bool {
      bindings.contains { $0.pattern.trimmedDescription == "id" }
    }
  }

  extension StructDeclSyntax {
    /// The access level that the members of the conformance need, with a space behind it.
    fileprivate var access: String {
      let level = modifiers.first { ["public", "package"].contains($0.name.text) }
      return level.map { "\($0.name.text) " } ?? ""
    }

    /// Whether a type of a name is declared inside this one.
    fileprivate func declaresType(named name: String) -> Bool {
      memberBlock.members.contains { member in
        member.decl.as(StructDeclSyntax.self)?.name.text == name
          || member.decl.as(EnumDeclSyntax.self)?.name.text == name
          || member.decl.as(TypeAliasDeclSyntax.self)?.name.text == name
      }
    }
  }
#endif
