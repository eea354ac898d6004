internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Makes structs of the tables of a file.
final class EntityModeler {
  private let schemas: [TableSchema]
  private let forms: FormResolver
  private let names: EntityNames

  /// Reads the schema.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - declared: What types somebody has declared, which are kept where they fit; nil for none.
  /// - Throws: ``StoreError`` where the schema cannot be read.
  init(_ connection: InspectionConnection, keeping declared: DeclaredForms? = nil) throws {
    schemas = try TableSchema.all(in: connection)
    names = EntityNames(of: schemas)
    forms = try FormResolver(
      of: schemas, names: names, keeping: declared, sampler: TableSampler(connection: connection))
  }

  /// Makes structs.
  ///
  /// - Parameter tables: The names of the tables, in any case; none for all.
  /// - Returns: The structs, and what is left out.
  /// - Throws: ``CommandFailure`` for a name of nothing; ``StoreError`` where rows cannot be read.
  func model(of tables: [String] = []) throws -> EntityModel {
    let wanted = Set(tables.map { $0.lowercased() })
    for name in tables where !schemas.contains(where: { $0.name.isSameName(as: name) }) {
      throw CommandFailure(
        .data, "there is no table '\(name)'",
        hint: Spelling.question(for: name, in: schemas.map(\.name))
          + "sectile sqlite FILE .tables lists the tables.")
    }
    var model = EntityModel()
    for schema in schemas {
      let isOwn = schema.name.lowercased().hasPrefix("sectile_")
      let isWanted = wanted.isEmpty ? !isOwn : wanted.contains(schema.name.lowercased())
      guard isWanted else { continue }
      if let lines = try reason(toOmit: schema) {
        model.omissions.append(EntityModel.Omission(name: schema.name, lines: lines))
      } else {
        model.tables.append(try table(schema))
      }
    }
    addRelationships(to: &model)
    return model
  }

  // MARK: - Tables

  /// What stands in place of a struct; nil where there is one.
  private func reason(toOmit schema: TableSchema) throws -> [String]? {
    let name = schema.name.inComment
    switch schema.kind {
    case .view: return ["The view \(name) is left out: a Query reads views."]
    case .virtual: return ["The virtual table \(name) is left out: it declares no primary key."]
    case .table, .shadow: break
    }
    if schema.keyColumns.isEmpty {
      return [
        "The table \(name) declares no primary key, so its rows have no identity: no struct.",
        "Columns that tell its rows apart can become the key:",
        "sectile transform FILE --table NAME --key COLUMN",
      ]
    }
    do {
      if let column = schema.columns.first { _ = try forms.form(of: column, in: schema) }
    } catch let error as StoreError where error.code == .statementFailed {
      return ["The table \(name) cannot be read: \(TerminalText.escaped(error.plainText))."]
    }
    for column in schema.columns where column.keyPosition > 0 {
      if try forms.form(of: column, in: schema) == nil {
        let what = try forms.note(of: column, in: schema) ?? "cannot be one"
        return [
          "The table \(name) has no struct: its key \(column.name.inComment) \(what).",
          "Keys of entities are integers, texts and UUIDs.",
        ]
      }
    }
    return nil
  }

  private func table(_ schema: TableSchema) throws -> EntityTable {
    var table = EntityTable(table: schema.name, type: names.type(of: schema))
    for column in schema.columns {
      if column.isGenerated {
        table.notes.append(
          "\(column.name.inComment) is left out: SQLite computes it, and nobody writes it.")
      }
      guard column.origin == .written, let form = try forms.form(of: column, in: schema) else {
        continue
      }
      let isKey = column.keyPosition > 0
      table.columns.append(
        EntityTable.Column(
          name: column.name, property: names.property(of: column, in: schema), form: form,
          isOptional: !isKey && !column.isNotNull, isKey: isKey,
          note: try forms.note(of: column, in: schema)))
    }
    return table
  }

  // MARK: - Relationships

  /// A foreign key between two structs.
  private struct Link {
    let child: Int
    let parent: Int
    let columns: [String]
    var name = ""
  }

  private func addRelationships(to model: inout EntityModel) {
    var taken = model.tables.map { Set($0.columns.map(\.property)).union(["id"]) }
    var links: [Link] = []
    for child in model.tables.indices {
      for reference in forms.references(of: model.tables[child].table) {
        guard var link = makeLink(reference, from: child, in: &model) else { continue }
        let wanted = toOneName(reference.columns, to: model.tables[link.parent])
        link.name = SwiftName.take(wanted, of: &taken[child])
        model.tables[child].relationships.append(
          EntityTable.Relationship(
            name: link.name, target: model.tables[link.parent].type, isToMany: false,
            columns: link.columns, note: nil))
        links.append(link)
      }
    }
    for link in links {
      let child = model.tables[link.child]
      var name = SwiftName.plural(SwiftName.property(of: child.table))
      let siblings = links.filter { $0.child == link.child && $0.parent == link.parent }
      if siblings.count > 1 || link.child == link.parent {
        name += "By" + link.name.prefix(1).uppercased() + link.name.dropFirst()
      }
      name = SwiftName.take(name, of: &taken[link.parent])
      let note = manyToMany(name, through: link, among: links, in: model)
      model.tables[link.parent].relationships.append(
        EntityTable.Relationship(
          name: name, target: child.type, isToMany: true, columns: link.columns, note: note))
    }
  }

  private func makeLink(
    _ reference: FormResolver.Reference, from child: Int, in model: inout EntityModel
  ) -> Link? {
    let columns = reference.columns.map(\.inComment).joined(separator: ", ")
    let target = reference.target.inComment
    guard let schema = schemas.first(where: { $0.name.isSameName(as: reference.target) }) else {
      model.tables[child].notes.append("\(columns) refers to \(target), which is not there.")
      return nil
    }
    guard let parent = model.tables.firstIndex(where: { $0.table == schema.name }) else {
      model.tables[child].notes.append(
        "\(columns) refers to \(target), which has no struct here: no relationship.")
      return nil
    }
    let targets = reference.targetColumns(in: schema)
    let ordered = model.tables[parent].key.compactMap { key in
      zip(targets, reference.columns).first { $0.0.isSameName(as: key.name) }?.1
    }
    let keyCount = model.tables[parent].key.count
    guard ordered.count == keyCount, reference.columns.count == keyCount else {
      model.tables[child].notes.append(
        "\(columns) refers to other columns of \(target) than its primary key: no relationship.")
      return nil
    }
    return Link(child: child, parent: parent, columns: ordered)
  }

  /// The column's name without `id` or the name of the key, or the table's.
  private func toOneName(_ columns: [String], to parent: EntityTable) -> String {
    guard columns.count == 1 else { return SwiftName.property(of: parent.table) }
    let words = SwiftName.words(of: columns[0])
    let key = parent.key.map { SwiftName.words(of: $0.name) }.first ?? []
    for end in [["id"], key] where !end.isEmpty && words.suffix(end.count).elementsEqual(end) {
      let rest = words.dropLast(end.count)
      guard !rest.isEmpty else { return SwiftName.property(of: parent.table) }
      let name = SwiftName.property(of: rest.joined(separator: "_"))
      return SwiftName.reservedProperties.contains(name) ? name + "Row" : name
    }
    return SwiftName.property(of: columns[0]) + "Row"
  }

  /// What to write to get behind a table that links two others; nil where it is none.
  private func manyToMany(
    _ name: String, through link: Link, among links: [Link], in model: EntityModel
  ) -> String? {
    let table = model.tables[link.child]
    let both = links.filter { $0.child == link.child }
    guard both.count == 2, let other = both.first(where: { $0.name != link.name }) else {
      return nil
    }
    let referring = Set(both.flatMap(\.columns).map { $0.lowercased() })
    let isLink =
      referring == Set(table.key.map { $0.name.lowercased() })
      || table.columns.allSatisfy { $0.isKey || referring.contains($0.name.lowercased()) }
    guard isLink, let key = model.tables[other.parent].key.first else { return nil }
    let (path, many) = (SwiftName.written(other.name), SwiftName.written(name))
    return "Many to many: $0.\(many).all(of: \\.\(path), by: \\.\(path).\(key.writtenProperty))"
  }
}

extension String {
  /// Whether SQLite takes two names for one.
  func isSameName(as other: String) -> Bool { lowercased() == other.lowercased() }

  /// The name as it stands in a comment.
  var inComment: String { "`\(TerminalText.escaped(self))`" }
}
