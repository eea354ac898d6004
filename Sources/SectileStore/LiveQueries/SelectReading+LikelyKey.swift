import SectileCore

extension SelectReading {
  /// The columns of which no two rows have the same values, where the schema and the text say so;
  /// nil where they do not.
  ///
  /// Those that rows are grouped by; the key of the first table, where each of the others is joined
  /// by its row id, or is grouped and joined by its groups. Derived tables and views are looked
  /// into.
  package var likelyKey: [String]? {
    keyPositions(of: query)?.map { columnNames[$0] }
  }

  /// The same columns where none of them is NULL in any row; nil where one may be.
  package var likelyKeyWithoutNulls: [String]? {
    guard let positions = keyPositions(of: query),
      positions.allSatisfy({ isFilled($0, in: query) })
    else { return nil }
    return positions.map { columnNames[$0] }
  }

  /// Where the columns of such a key stand among those of a row.
  private func keyPositions(of query: SelectQuery) -> [Int]? {
    guard case .core(let core) = query else { return nil }
    guard core.isGrouped else {
      return candidates(of: core).lazy.compactMap { positions(of: $0, in: core) }.first
    }
    guard let groups = core.groups, !groups.isEmpty else { return nil }
    return positions(of: groups, in: core)
  }

  /// Where some expressions stand among those of a row; nil where one is not passed on.
  private func positions(of key: [SelectExpression], in core: SelectCore) -> [Int]? {
    var positions: [Int] = []
    for expression in key {
      guard
        let position = core.items.firstIndex(where: { $0.expression.isSame(as: expression) })
      else { return nil }
      if !positions.contains(position) { positions.append(position) }
    }
    return positions
  }

  /// The keys of a SELECT that is not grouped, whether it passes them on or not.
  private func candidates(of core: SelectCore) -> [[SelectExpression]] {
    guard let first = core.sources.first, joinsToOne(core) else { return [] }
    let keys: [[String]]
    switch first.content {
    case .table(let name, _): keys = self.keys(of: name)
    case .query(let query):
      keys = keyPositions(of: query).map { [$0.map(SelectQuery.columnName(at:))] } ?? []
    }
    return keys.map { key in
      key.map { SelectExpression([.column(SelectColumn(source: first.alias, name: $0))]) }
    }
  }

  /// The keys of a table none of which is NULL in two rows: its declared one, its row id.
  private func keys(of table: String) -> [[String]] {
    guard let schema = schema(of: table) else { return [] }
    let declared = schema.columns.filter { $0.keyPosition > 0 }
    let isCertain =
      schema.listing.isWithoutRowID || schema.rowIDColumn != nil
      || declared.allSatisfy(\.isNotNull)
    let rowIDs = schema.rowIDNames.map { [$0] }
    return (declared.isEmpty || !isCertain ? [] : [schema.keyColumns]) + rowIDs
  }

  /// Whether a row of the first source is met once at most: each of the others is joined by its
  /// key, with what is known of those before.
  private func joinsToOne(_ core: SelectCore) -> Bool {
    var known = Set(core.sources.prefix(1).map(\.alias))
    var rest = Array(core.sources.dropFirst())
    while let next = rest.firstIndex(where: { isOne($0, known, core.conditions) }) {
      known.insert(rest.remove(at: next).alias)
    }
    return rest.isEmpty
  }

  /// Whether a source has one row at most for those of the known ones.
  private func isOne(
    _ source: SelectSource, _ known: Set<String>, _ conditions: [SelectExpression]
  ) -> Bool {
    // A RIGHT JOIN yields rows that match nothing.
    guard source.join != .right else { return false }
    let all = source.conditions + conditions
    switch source.content {
    case .table(let name, _):
      guard let schema = schema(of: name) else { return false }
      // Of another key two could be equal under the collation that the other side brings along.
      let names = schema.rowIDNames + (schema.rowIDColumn.map { [$0] } ?? [])
      return names.contains { name in
        let own = SelectColumn(source: source.alias, name: name)
        return isFixed(own, by: known, all) { _ in true }
      }
    case .query(let query):
      guard !source.isCorrelated, let key = keyPositions(of: query) else { return false }
      return key.allSatisfy { position in
        let own = SelectColumn(source: source.alias, name: SelectQuery.columnName(at: position))
        guard isExact(own), let trait = traits[own] else { return false }
        return isFixed(own, by: known, all) { traits[$0]?.comparesAs(trait) == true }
      }
    }
  }

  /// Whether a condition says that a column is equal to a constant, or to a column of a known
  /// source that is compared as it should be.
  private func isFixed(
    _ own: SelectColumn, by known: Set<String>, _ conditions: [SelectExpression],
    where compares: (SelectColumn) -> Bool
  ) -> Bool {
    conditions.contains { condition in
      guard let comparison = condition.comparison, ["=", "=="].contains(comparison.sign) else {
        return false
      }
      let sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
      return sides.contains { side, other in
        guard case .column(own) = side else { return false }
        guard case .column(let given) = other else { return true }
        return known.contains(given.source) && compares(given)
      }
    }
  }

  /// Whether a column of a row is never NULL: it is a column that refuses NULL, of a source that no
  /// outer join fills up.
  private func isFilled(_ position: Int, in query: SelectQuery) -> Bool {
    guard case .core(let core) = query, let column = core.items[position].expression.onlyColumn,
      let source = core.sources.first(where: { $0.alias == column.source }), source.join != .left,
      !core.sources.contains(where: { $0.join == .right })
    else { return false }
    switch source.content {
    case .query(let inner):
      return inner.items.indices.contains { place in
        SelectQuery.columnName(at: place) == column.name && isFilled(place, in: inner)
      }
    case .table(let name, _):
      guard let schema = schema(of: name) else { return false }
      if column.name == schema.rowIDColumn || schema.rowIDNames.contains(column.name) {
        return true
      }
      guard let found = schema.columns.first(where: { $0.name == column.name }) else {
        return false
      }
      return found.isNotNull || schema.listing.isWithoutRowID && found.keyPosition > 0
    }
  }

  private func schema(of table: String) -> TableSchema? {
    readTables.first { $0.name == table.inSQLLowerCase }?.schema
  }
}
