extension RandomSelect {
  /// Adds result columns until no two rows have one key: those of the primary keys of all tables in
  /// FROM, also of those in derived tables.
  ///
  /// The arms of a UNION ALL get a number. A key may still have NULLs, and be there twice where a
  /// primary key is NULL.
  ///
  /// - Parameter tables: All tables.
  /// - Returns: The names of the key's columns; none where there is one row at most.
  func addUniqueKey(of tables: [RandomTable]) -> [String] {
    switch self {
    case .core(let core): return core.addUniqueKey(of: tables)
    case .compound(let compound) where compound.symbol != "UNION ALL": return names
    case .compound(let compound):
      let arms = [compound.left, compound.right]
      let keys = arms.map { $0.addUniqueKey(of: tables) }
      let cores = arms.flatMap(\.cores)
      let count = cores.map(\.items.count).max() ?? 0
      for (number, core) in cores.enumerated() {
        while core.items.count < count {
          core.addItem(RandomExpression(parts: [.text("NULL")], comparison: ""))
        }
        core.addItem(RandomExpression(parts: [.text("\(number)")]))
      }
      let positions = zip(arms, keys).flatMap { arm, key in
        arm.names.indices.filter { key.contains(arm.names[$0]) }
      }
      return Set(positions + [count]).sorted().map { names[$0] }
    }
  }
}

extension RandomCore {
  func addItem(_ expression: RandomExpression) {
    items.append(Item(expression: expression, name: "u\(items.count)"))
  }

  fileprivate func addUniqueKey(of tables: [RandomTable]) -> [String] {
    if isGrouped { return items.prefix(groups.count).map(\.name) }
    if isDistinct { return items.map(\.name) }
    let count = items.count
    for source in sources {
      for column in source.uniqueKey(of: tables) { addItem(column) }
    }
    return items.dropFirst(count).map(\.name)
  }
}

extension RandomSource {
  /// The columns that tell its rows apart.
  fileprivate func uniqueKey(of tables: [RandomTable]) -> [RandomExpression] {
    if let query {
      let key = query.addUniqueKey(of: tables)
      return query.items.filter { key.contains($0.name) }.map {
        RandomExpression(column: $0.name, of: alias, comparison: $0.expression.comparison)
      }
    }
    let key = tables.first { $0.name == table }?.key ?? []
    return key.map { RandomExpression(column: $0.name, of: alias, comparison: $0.comparison) }
  }
}
