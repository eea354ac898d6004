import SectileCore

// Bare columns of a grouped SELECT: those that stand outside of aggregates, and are not grouped by.
// SQLite takes them from any row of the group, by its plan. Where the groups fix the row they are
// of, there is one.
extension SelectParser {
  /// Refuses a bare column that the groups of a SELECT do not fix.
  func checkBareColumns(of core: SelectCore) throws(SelectRefusal) {
    guard core.isGrouped else { return }
    let fixed = fixedSources(of: core)
    for expression in core.items.map(\.expression) + core.groupConditions
    where !core.isGroup(expression) {
      for column in bareColumns(of: expression, in: core) where !fixed.contains(column.source) {
        throw SelectRefusal(column.name, .bareColumn)
      }
    }
  }

  /// The columns of the SELECT's own sources that an expression names outside of aggregates.
  private func bareColumns(of expression: SelectExpression, in core: SelectCore) -> [SelectColumn] {
    let own = Set(core.sources.map(\.alias))
    let groups = Set((core.groups ?? []).compactMap(\.onlyColumn))
    return expression.columnsOutsideAggregates.filter {
      own.contains($0.source) && !groups.contains($0)
    }
  }

  /// The sources of which each group has one row: their keys are grouped by, or equal to what is
  /// fixed.
  private func fixedSources(of core: SelectCore) -> Set<String> {
    var known = Set((core.groups ?? []).compactMap(\.onlyColumn))
    var equalities = core.conditions.compactMap(\.equality).map { ($0, $1, into: String?.none) }
    for source in core.sources {
      // What an outer join says holds for rows that it finds: those of the side that it adds.
      let side = source.join == .left ? source.alias : nil
      if source.join == .right { continue }
      equalities += source.conditions.compactMap(\.equality).map { ($0, $1, into: side) }
    }
    var fixed: Set<String> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for source in core.sources where !fixed.contains(source.alias) {
        guard let table = context.tablesByAlias[source.alias] else { continue }
        let columns = known.filter { $0.source == source.alias }.map { $0.name.inSQLLowerCase }
        guard table.isKey(Set(columns)) else { continue }
        fixed.insert(source.alias)
        isGrowing = true
      }
      for (left, right, side) in equalities where compareAlike(left, right) {
        for (one, other) in [(left, right), (right, left)] {
          guard let column = one, !known.contains(column), side == nil || column.source == side
          else { continue }
          let isKnown = other.map { known.contains($0) || fixed.contains($0.source) } ?? true
          if isKnown {
            known.insert(column)
            isGrowing = true
          }
        }
      }
    }
    return fixed
  }

  /// Whether what is equal to one column is one value of it: they compare by one collation.
  private func compareAlike(_ left: SelectColumn?, _ right: SelectColumn?) -> Bool {
    guard let left, let right else { return true }
    let (one, other) = (context.traits[left], context.traits[right])
    return one?.collation != nil && one?.collation == other?.collation
  }
}

extension SelectExpression {
  /// The columns of an equality, of which one may be a constant; nil where it is none.
  fileprivate var equality: (SelectColumn?, SelectColumn?)? {
    guard let comparison, comparison.sign == "=" || comparison.sign == "==" else { return nil }
    func column(_ part: Part) -> SelectColumn? {
      if case .column(let column) = part { column } else { nil }
    }
    return (column(comparison.left), column(comparison.right))
  }

  /// The columns that are named beside the calls of aggregates.
  fileprivate var columnsOutsideAggregates: [SelectColumn] {
    if isAggregate { return [] }
    return parts.flatMap { part -> [SelectColumn] in
      switch part {
      case .column(let column): [column]
      case .query(let query): query.columns
      case .nested(let inner): inner.columnsOutsideAggregates
      case .text, .literal, .value: []
      }
    }
  }
}
