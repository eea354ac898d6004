import SectileCore

extension SelectGenerator {
  /// Adds result columns, and with them groups, windows, DISTINCT, HAVING and LIMIT.
  func addItems(
    to core: RandomCore, _ scope: Scope, outer: Scope, depth: Int, _ place: Place
  ) {
    let count = place.arity ?? (place.isSingle ? 1 : pick([2, 3, 4]))
    let shape = dice()
    var items: [RandomExpression] = []
    if place.isScalar ? shape < 0.7 : !place.isSubquery && depth > 0 && shape < 0.05 {
      for _ in 0..<count { items.append(aggregate(scope)) }
    } else if !place.isScalar, shape < 0.35, !place.isSubquery || place.isSingle {
      items = addGroups(to: core, scope, count: count)
    } else if !place.isSubquery, shape < 0.42 {
      items = windows(scope, count: count)
    } else {
      items = plainItems(scope, outer: outer, depth: depth, count: count, place)
      core.isDistinct = chance(0.15)
      let isLimited = place.isSubquery || depth > 0 ? chance(0.1) : false
      if place.isScalar || isLimited {
        core.limit = chance(0.5) ? "\(value: pick([1, 2]))" : "1"
      }
    }
    core.items = items.enumerated().map { .init(expression: $1, name: "o\($0)") }
  }

  /// Groups by one or two expressions, which are the first items.
  private func addGroups(
    to core: RandomCore, _ scope: Scope, count: Int
  ) -> [RandomExpression] {
    for _ in 0..<(count > 1 ? pick([1, 2]) : 1) {
      core.groups.append(chance(0.8) ? column(scope) : "coalesce(\(column(scope)), 0)")
    }
    core.usesOrdinals = chance(0.3)
    if chance(0.4) {
      let limit: RandomExpression = chance(0.7) ? "\(raw: pick(["1", "2"]))" : "\(value: 1)"
      core.having = ["\(aggregate(scope)) \(raw: pick([">", "=", "<"])) \(limit)"]
    }
    var items = core.groups
    while items.count < count { items.append(aggregate(scope)) }
    return items
  }

  private func aggregate(_ scope: Scope) -> RandomExpression {
    let filter: RandomExpression =
      chance(0.25) ? " FILTER (WHERE \(condition(scope, depth: 9, isPlain: true)))" : ""
    var functions = ["count(", "min(", "max(", "avg(", "total(", "count(DISTINCT "]
    // Of equal values, or of a whole group, the first that is read counts; and a sum is 3 or 3.0.
    functions += isDeterministic ? ["sum(0.5 * "] : ["sum(", "group_concat(", "sum(DISTINCT "]
    var aggregate: RandomExpression =
      chance(0.1)
      ? "count(*)\(filter)" : "\(raw: pick(functions))\(column(scope)))\(filter)"
    aggregate.isAggregate = true
    return aggregate
  }

  /// The column of a partition, other columns, and window functions.
  private func windows(_ scope: Scope, count: Int) -> [RandomExpression] {
    let partition = column(scope)
    var items = [partition]
    let windowCount = count > 2 && chance(0.2) ? 2 : 1
    while items.count < max(1, count - windowCount) { items.append(column(scope)) }
    while items.count < count {
      var functions = ["count(*)", "sum(", "rank()"]
      if !isDeterministic { functions.append("row_number()") }
      let function = pick(functions)
      let call: RandomExpression =
        function == "sum(" ? "sum(0.5 * \(column(scope)))" : "\(raw: function)"
      let isOrdered = function.hasPrefix("r") || chance(0.7)
      let order: RandomExpression = isOrdered ? " ORDER BY \(column(scope))" : ""
      // Mostly the windows have one partition: where they have not, nothing is known of the key.
      let own = items.count < count - 1 || chance(0.8) ? partition : column(scope)
      var window: RandomExpression = "\(call) OVER (PARTITION BY \(own)\(order))"
      window.isWindow = true
      items.append(window)
    }
    return items
  }

  private func plainItems(
    _ scope: Scope, outer: Scope, depth: Int, count: Int, _ place: Place
  ) -> [RandomExpression] {
    var items: [RandomExpression] = []
    for position in 0..<count {
      let shape = dice()
      if shape < 0.75 || position == 0 {
        items.append(column(scope))
      } else if shape < 0.85 {
        items.append(
          chance(0.6)
            ? "coalesce(\(column(scope)), 'n')" : "coalesce(\(column(scope)), \(value: "n"))")
      } else if depth < 2, !place.isSubquery {
        items.append(
          chance(0.3)
            ? list(scope + outer, depth: depth)
            : "(\(subquery(scope + outer, depth: depth, isScalar: true)))")
      } else {
        items.append(column(scope))
      }
    }
    return items
  }

  /// What is worked out of the first rows of a query, which mostly names columns around it.
  private func list(_ scope: Scope, depth: Int) -> RandomExpression {
    let query = subquery(scope, depth: depth)
    guard case .core(let core) = query, !core.isGrouped else {
      return "(\(subquery(scope, depth: depth, isScalar: true)))"
    }
    core.isDistinct = false
    core.limit = "\(raw: pick(["1", "2"]))"
    return "(SELECT \(raw: pick(["count", "total"]))(o0) FROM (\(query)) AS listed)"
  }
}
