import SectileCore
import SectileStore

/// Writes the text of a SELECT, and collects the values of its `?` marks in their order.
struct RandomSelectWriter {
  private(set) var sql = ""
  private(set) var values: [StoredValue] = []
  /// Whether values are written into the text: a view has no parameters.
  private let writesValues: Bool

  init(writesValues: Bool = false) { self.writesValues = writesValues }

  mutating func write(_ query: RandomSelect) {
    switch query {
    case .core(let core): write(core)
    case .compound(let compound):
      write(compound.left)
      sql += " \(compound.symbol) "
      write(compound.right)
    }
  }

  private mutating func write(_ expression: RandomExpression) {
    for part in expression.parts {
      switch part {
      case .text(let text): sql += text
      case .column(let alias, let name): sql += "\(alias).\(name)"
      case .value(let value): write(value)
      case .expression(let expression): write(expression)
      case .query(let query): write(query)
      }
    }
  }

  private mutating func write(_ value: StoredValue) {
    guard writesValues else {
      sql += "?"
      values.append(value)
      return
    }
    switch value {
    case .text(let text): sql += "'\(text)'"
    case .integer(let integer): sql += "\(integer)"
    case .real(let real): sql += "\(real)"
    case .null, .blob: sql += "NULL"
    }
  }

  /// Writes conditions that all hold.
  private mutating func write(_ word: String, all conditions: [RandomExpression]) {
    for (position, condition) in conditions.enumerated() {
      sql += position == 0 ? " \(word) (" : " AND ("
      write(condition)
      sql += ")"
    }
  }

  private mutating func write(_ core: RandomCore) {
    writeCommonTables(core.commonTables)
    sql += core.isDistinct ? "SELECT DISTINCT " : "SELECT "
    for (position, item) in core.items.enumerated() {
      sql += position == 0 ? "" : ", "
      write(item.expression)
      sql += " AS \(item.name)"
    }
    for (position, source) in core.sources.enumerated() {
      sql += position == 0 ? " FROM " : source.join == "," ? ", " : " \(source.join) "
      write(source)
    }
    write("WHERE", all: core.conditions)
    for (position, group) in core.groups.enumerated() {
      sql += position == 0 ? " GROUP BY " : ", "
      if core.usesOrdinals { sql += "\(position + 1)" } else { write(group) }
    }
    write("HAVING", all: core.having)
    if let limit = core.limit {
      let order = core.items.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      sql += " ORDER BY \(order) LIMIT "
      write(limit)
    }
  }

  private mutating func writeCommonTables(_ tables: [(name: String, query: RandomSelect)]) {
    for (position, table) in tables.enumerated() {
      sql += position == 0 ? "WITH " : ", "
      sql += "\(table.name) AS ("
      write(table.query)
      sql += ")"
    }
    if !tables.isEmpty { sql += " " }
  }

  private mutating func write(_ source: RandomSource) {
    if let name = source.table ?? source.name ?? source.function {
      sql += name
    } else if let query = source.query {
      sql += "("
      write(query)
      sql += ")"
    }
    sql += " AS \(source.alias)"
    if source.using.isEmpty {
      write("ON", all: source.condition)
    } else if !source.join.hasPrefix("NATURAL") {
      sql += " USING (\(source.using.joined(separator: ", ")))"
    }
  }
}
