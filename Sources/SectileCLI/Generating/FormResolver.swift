internal import Sectile

/// Finds the form of each column: the declared one, that of the key that it refers to, or a guess.
final class FormResolver {
  /// A foreign key.
  struct Reference {
    /// The columns that refer.
    let columns: [String]
    /// The table that they refer to, as the foreign key names it.
    let target: String
    /// The columns that are named there; nil where the primary key is meant.
    let named: [String]?

    /// Returns the columns that are referred to, in the order of those that refer.
    func targetColumns(in schema: TableSchema) -> [String] { named ?? schema.keyColumns }
  }

  private struct Place: Hashable {
    let table: String
    let column: String
  }

  private let schemas: [TableSchema]
  private let names: EntityNames
  private let declared: DeclaredForms?
  private let sampler: TableSampler
  private let references: [String: [Reference]]
  private let isOfCoreData: Bool
  private var samples: [String: [String: ColumnSample]] = [:]
  private var found: [Place: (form: ColumnForm?, note: String?)] = [:]

  /// Reads the foreign keys.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  init(
    of schemas: [TableSchema], names: EntityNames, keeping declared: DeclaredForms?,
    sampler: TableSampler
  ) throws {
    self.schemas = schemas
    self.names = names
    self.declared = declared
    self.sampler = sampler
    isOfCoreData = schemas.contains { $0.name == "Z_METADATA" }
    var references: [String: [Reference]] = [:]
    for schema in schemas where schema.kind.isStored {
      references[schema.name] = try Self.references(of: schema, on: sampler.connection)
    }
    self.references = references
  }

  /// Returns the foreign keys of a table, in the order of their columns.
  func references(of table: String) -> [Reference] { references[table] ?? [] }

  /// Returns the form of a column; nil for a key that no entity can have.
  ///
  /// - Throws: ``StoreError`` where rows cannot be read.
  func form(of column: TableSchema.Column, in schema: TableSchema) throws -> ColumnForm? {
    try resolve(column, in: schema, after: []).form
  }

  /// Returns what there is to say about a column; nil for nothing.
  ///
  /// - Throws: ``StoreError`` where rows cannot be read.
  func note(of column: TableSchema.Column, in schema: TableSchema) throws -> String? {
    try resolve(column, in: schema, after: []).note
  }

  private func resolve(
    _ column: TableSchema.Column, in schema: TableSchema, after visited: Set<Place>
  ) throws -> (form: ColumnForm?, note: String?) {
    let place = Place(table: schema.name, column: column.name)
    if let known = found[place] { return known }
    let sample = try sample(of: column, in: schema)
    let guess = FormGuess(of: column, sample, isOfCoreData: isOfCoreData)
    var result = (form: guess.form, note: guess.note)
    if let form = declared?.form(
      of: names.property(of: column, in: schema), in: names.type(of: schema)),
      fits(form, column, sample)
    {
      result.form = form
    } else if let form = try referredForm(of: column, in: schema, after: visited.union([place])),
      fits(form, column, sample)
    {
      result = (form, nil)
    }
    // A ring of foreign keys is cut where it was entered: only then the answer is everybody's.
    if visited.isEmpty { found[place] = result }
    return result
  }

  private func fits(
    _ form: ColumnForm, _ column: TableSchema.Column, _ sample: ColumnSample
  ) -> Bool {
    if column.keyPosition > 0, !form.isOfKeys { return false }
    if sample.values == 0 { return form.suits(FormGuess.affinity(of: column)) }
    return form.holds(sample)
  }

  /// The form of the column that a column refers to; nil where it refers to none.
  private func referredForm(
    of column: TableSchema.Column, in schema: TableSchema, after visited: Set<Place>
  ) throws -> ColumnForm? {
    for reference in references(of: schema.name) {
      guard let offset = reference.columns.firstIndex(where: { $0.isSameName(as: column.name) }),
        let target = schemas.first(where: { $0.name.isSameName(as: reference.target) }),
        target.kind.isStored
      else { continue }
      let columns = reference.targetColumns(in: target)
      guard columns.indices.contains(offset),
        let key = target.columns.first(where: { $0.name.isSameName(as: columns[offset]) }),
        !visited.contains(Place(table: target.name, column: key.name))
      else { continue }
      if let form = try resolve(key, in: target, after: visited).form { return form }
    }
    return nil
  }

  private func sample(
    of column: TableSchema.Column, in schema: TableSchema
  ) throws -> ColumnSample {
    if samples[schema.name] == nil {
      samples[schema.name] = try sampler.samples(of: schema)
    }
    return samples[schema.name]?[column.name] ?? ColumnSample()
  }

  private static func references(
    of schema: TableSchema, on connection: InspectionConnection
  ) throws -> [Reference] {
    let rows = try connection.schemaRows(
      """
      SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?1, 'main') ORDER BY id, seq
      """, [.text(schema.name)])
    var ids: [StoredValue] = []
    var groups: [[[StoredValue]]] = []
    for row in rows {
      if ids.last == row[0], !groups.isEmpty {
        groups[groups.count - 1].append(row)
      } else {
        ids.append(row[0])
        groups.append([row])
      }
    }
    let references = groups.map { group in
      Reference(
        columns: group.map { ValueText.plain($0[2]) }, target: ValueText.plain(group[0][1]),
        named: group.contains { $0[3] == .null } ? nil : group.map { ValueText.plain($0[3]) })
    }
    let places = references.map { reference in
      reference.columns.map { name in
        schema.columns.firstIndex { $0.name.isSameName(as: name) } ?? schema.columns.count
      }
    }
    // SQLite lists them from the last to the first.
    let order = references.indices.sorted { left, right in
      if places[left] == places[right] { return left > right }
      return places[left].lexicographicallyPrecedes(places[right])
    }
    return order.map { references[$0] }
  }
}
