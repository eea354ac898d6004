import SectileCore
import SectileStore
import SectileTestSupport

/// A SELECT that was made by chance, and what a test has to know about it.
///
/// The engine is given its text only, which ``RandomSelectWriter`` writes.
enum RandomSelect {
  case core(RandomCore)
  case compound(RandomCompound)

  /// The result columns; of a compound, the first arm's.
  var items: [RandomCore.Item] {
    switch self {
    case .core(let core): core.items
    case .compound(let compound): compound.left.items
    }
  }

  var names: [String] { items.map(\.name) }

  /// The SELECTs between which the operators of compounds stand.
  var cores: [RandomCore] {
    switch self {
    case .core(let core): [core]
    case .compound(let compound): compound.left.cores + compound.right.cores
    }
  }

  /// The stored tables that it reads anywhere.
  var tables: Set<String> {
    cores.reduce(into: []) { tables, core in
      for source in core.sources {
        if let table = source.table { tables.insert(table) }
        if let query = source.query { tables.formUnion(query.tables) }
      }
      for query in core.expressions.flatMap(\.queries) { tables.formUnion(query.tables) }
    }
  }

  /// By what collation each result column compares.
  var collations: [String] {
    guard case .compound(let compound) = self else { return items.map(\.expression.collation) }
    return zip(compound.left.collations, compound.right.collations).map {
      $0 == "BINARY" ? $1 : $0
    }
  }

  /// Whether arms of a compound, here or in FROM, compare a column in different ways: the plan
  /// decides by which of them.
  var hasUnlikeArms: Bool {
    if case .compound(let compound) = self {
      let isUnlike = zip(compound.left.items, compound.right.items).contains {
        let (left, right) = ($0.expression.comparison, $1.expression.comparison)
        return left != right && !left.isEmpty && !right.isEmpty
      }
      if isUnlike { return true }
    }
    return cores.flatMap(\.sources).contains { $0.query?.hasUnlikeArms ?? false }
  }

  /// The text with its values.
  var fragment: SQLFragment {
    var writer = RandomSelectWriter()
    writer.write(self)
    return SQLFragment(writer.sql, writer.values)
  }

  /// The text with its values written out, as views need it.
  var sqlOfView: String {
    var writer = RandomSelectWriter(writesValues: true)
    writer.write(self)
    return writer.sql
  }
}

extension RandomExpression {
  /// The collation by which it compares.
  var collation: String { String(comparison.prefix { $0 != ":" }) }
}

/// Two queries with an operator between them.
final class RandomCompound {
  let symbol: String
  let left: RandomSelect
  let right: RandomSelect

  init(_ symbol: String, _ left: RandomSelect, _ right: RandomSelect) {
    (self.symbol, self.left, self.right) = (symbol, left, right)
  }
}

/// A SELECT without operators.
final class RandomCore {
  struct Item {
    let expression: RandomExpression
    let name: String
  }

  var items: [Item] = []
  var sources: [RandomSource] = []
  var conditions: [RandomExpression] = []
  /// What is grouped by; these are the first items, too.
  var groups: [RandomExpression] = []
  /// Whether groups are written as the numbers of their items.
  var usesOrdinals = false
  var having: [RandomExpression] = []
  var isDistinct = false
  /// How many rows there are, in the order of all columns.
  var limit: RandomExpression?
  var commonTables: [(name: String, query: RandomSelect)] = []

  var isGrouped: Bool { !groups.isEmpty || items.contains { $0.expression.isAggregate } }

  /// The expressions in which there may be queries.
  var expressions: [RandomExpression] {
    items.map(\.expression) + sources.flatMap(\.condition) + conditions + having
  }
}

/// A table, a derived table or a table-valued function in FROM.
final class RandomSource {
  let alias: String
  let table: String?
  let query: RandomSelect?
  let function: String?
  /// How it is joined to those before it.
  var join = ""
  var condition: [RandomExpression] = []
  var using: [String] = []
  /// The view or the common table expression that stands for a derived table.
  var name: String?

  init(alias: String, table: String? = nil, query: RandomSelect? = nil, function: String? = nil) {
    (self.alias, self.table, self.query, self.function) = (alias, table, query, function)
  }
}

extension RandomSelect {
  /// Makes views or common table expressions of some derived tables.
  ///
  /// - Parameters:
  ///   - prefix: What their names begin with.
  ///   - random: Decides.
  /// - Returns: The views to create, in order.
  func nameDerivedTables(
    _ prefix: String, random: inout SeededRandom
  ) -> [(name: String, query: RandomSelect)] {
    var named: [(name: String, query: RandomSelect)] = []
    func walk(_ query: RandomSelect) {
      for core in query.cores {
        for source in core.sources {
          guard let derived = source.query else { continue }
          walk(derived)
          guard random.chance(0.5) else { continue }
          let name = "\(prefix)_\(named.count)"
          source.name = name
          named.append((name, derived))
        }
        for inner in core.expressions.flatMap(\.queries) { walk(inner) }
      }
    }
    walk(self)
    guard !named.isEmpty, random.chance(0.4) else { return named }
    cores[0].commonTables = named
    return []
  }
}
