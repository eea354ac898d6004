/// What finds the rows that a new row would replace, because a unique index holds their values
/// already.
///
/// REPLACE removes such rows, and fires no DELETE triggers unless `recursive_triggers` is on. A
/// statement does not say to a trigger whether it is a REPLACE; so a guard looks before each
/// insert, and before each update of what the index is of. It may find too much, never too little.
///
/// Three things are not yet in NEW before the row is written, and one is lost by asking for it:
///
/// * REPLACE puts the default value in the place of NULL where a column is `NOT NULL`. A constant
///   is compared with. For all others, and where an expression is computed from the column, NULL is
///   written down as a reset of the table: only REPLACE lets such a statement through.
/// * The row id, where SQLite chooses it, is -1. An index that computes with it cannot be guarded.
/// * Values of columns in NEW have no affinity, so that `kind = '1'` may mean something else than
///   it does in the index. They get it by CAST; values that CAST would change are a reset, too.
/// * Whether the new row is in a partial index is not asked: what is in the way is asked of those
///   in it.
struct LogGuard {
  /// What stands behind WHERE to find the rows, the new row being NEW.
  let condition: String
  /// Whether there are such rows, before an insert.
  let isMet: String
  /// When it cannot be told which rows those are.
  let unclear: [String]
  /// The columns whose update can bring a row into the way of others; none where any update can,
  /// since it may call the row id by another name.
  let columns: [TableSchema.Column]
  /// When an update may have done that; empty where it cannot.
  let change: String
  /// Whether expressions of the schema are in it.
  let hasExpressions: Bool

  /// Creates the guard of an index.
  ///
  /// Nil where a row that is in the way has the key of the new row, which is written down anyway;
  /// not where the values of that row are kept.
  ///
  /// - Throws: ``Obstacle`` where there can be none.
  init?(
    of index: UniqueIndex, on table: TableSchema, _ generated: GeneratedColumns, keepsValues: Bool
  ) throws(Obstacle) {
    let plain = index.terms.compactMap(\.column)
    // Where values are kept, the guard of row ids finds the row.
    guard !plain.contains(where: { $0.name == table.rowIDColumn }) else { return nil }
    if !keepsValues, index.isKey, index.terms.allSatisfy({ $0.tellsApart(in: table) }) {
      return nil
    }
    var writer = Writer(table: table, generated: generated)
    var parts: [String] = []
    for term in index.terms { parts.append(try writer.comparison(term)) }
    if let pieces = index.condition { parts.append("(\(SQLPiece.text(of: pieces)))") }
    condition = parts.joined(separator: " AND ")
    let isSearched = index.condition == nil && index.terms.count == 1
    isMet =
      isSearched
      ? index.terms[0].membership(in: table) ?? Self.exists(condition, in: table)
      : Self.exists(condition, in: table)
    unclear = writer.unclear
    columns = generated.expanded(
      plain + index.expressions.flatMap(generated.named)
        + generated.named(in: index.condition ?? [])
    )
    hasExpressions = index.condition != nil || plain.count < index.terms.count
    // Each column is named: SQLite computes a generated column before its triggers run, and takes
    // NULL for all that the statement does not change and no trigger names.
    change = columns.filter { !$0.isGenerated }.map(table.change).joined(separator: " OR ")
  }

  /// Creates the guard of row ids that are no column: a statement may give them, and no key names
  /// them.
  ///
  /// Where values are kept, it is there for those that are a column, too. Nil where rows have
  /// none, or no statement can give them.
  init?(ofRowIDsOf table: TableSchema, keepsValues: Bool) {
    guard table.rowIDColumn == nil || keepsValues,
      let id = table.rowIDColumn.map(SQLName.quote) ?? table.rowIDNames.first
    else { return nil }
    condition = "\(SQLName.quote(table.name)).\(id) = NEW.\(id)"
    isMet = "NEW.\(id) IN (SELECT \(id) FROM \(SQLName.quote(table.name)))"
    unclear = []
    columns = []
    change = "NEW.\(id) <> OLD.\(id)"
    hasExpressions = false
  }

  /// Whether a table has rows that fulfil a condition.
  static func exists(_ condition: String, in table: TableSchema) -> String {
    "EXISTS (SELECT 1 FROM \(SQLName.quote(table.name)) WHERE \(condition))"
  }

  /// Why an index cannot be guarded.
  struct Obstacle: Error {
    /// A sentence for users.
    let reason: String
  }
}

extension LogGuard {
  /// Writes the comparison of rows with the new one.
  private struct Writer {
    let table: TableSchema
    let generated: GeneratedColumns
    private(set) var unclear: [String] = []

    init(table: TableSchema, generated: GeneratedColumns) {
      self.table = table
      self.generated = generated
    }

    mutating func comparison(_ term: UniqueIndex.Term) throws(Obstacle) -> String {
      let collation = " COLLATE \(SQLName.quote(term.collation.name))"
      switch term.value {
      case .column(let column):
        if column.isGenerated { try noteSources(generated.expanded([column])) }
        let row = SQLName.quote(table.name, column.name)
        return "\(row) = \(newValue(of: column))"
          + (term.collation == column.collation ? "" : collation)
      case .expression(let pieces):
        let text = SQLPiece.text(of: pieces)
        let columns = generated.named(in: pieces)
        try noteSources(columns)
        let comparesValues = SQLPiece.comparesValues(pieces)
        if comparesValues { noteConversions(of: columns, in: pieces) }
        let values = columns.map { column in
          "\(comparesValues ? typedValue(of: column) : SQLName.of("NEW", column.name))"
            + " AS \(SQLName.quote(column.name))"
        }
        // A constant is in an index, too: all rows have it.
        let list = values.isEmpty ? "NULL" : values.joined(separator: ", ")
        return "(\(text)) = (SELECT \(text) FROM (SELECT \(list))"
          + " AS \(SQLName.quote(table.name)))\(collation)"
      }
    }

    /// The value in NEW, or the default that takes its place.
    private mutating func newValue(of column: TableSchema.Column) -> String {
      let value = SQLName.of("NEW", column.name)
      guard let replacement = column.nullReplacement else { return value }
      if SQLPiece.isConstant(replacement) { return "coalesce(\(value), \(replacement))" }
      note("\(value) IS NULL")
      return value
    }

    /// The value in NEW with the affinity of its column.
    private mutating func typedValue(of column: TableSchema.Column) -> String {
      let value = SQLName.of("NEW", column.name)
      let (type, misfits): (String, String)
      switch table.affinity(of: column) {
      case .none, .blob: return value
      case .text: (type, misfits) = ("TEXT", "= 'blob'")
      case .real: (type, misfits) = ("REAL", "IN ('text', 'blob')")
      case .integer, .numeric: (type, misfits) = ("NUMERIC", "IN ('text', 'blob')")
      }
      if !table.listing.isStrict { note("typeof(\(value)) \(misfits)") }
      return "CAST(\(value) AS \(type))"
    }

    /// Notes the values of columns without a type that a comparison would convert: in the index,
    /// where they are columns, it does not.
    private mutating func noteConversions(
      of columns: [TableSchema.Column], in pieces: [SQLPiece]
    ) {
      let affinities = columns.map(table.affinity)
      let hasCast = pieces.contains { $0.isWord("CAST") }
      let hasText = hasCast || affinities.contains(.text)
      let hasNumbers = hasCast || affinities.contains { $0 != .text && !$0.tellsNumbersApart }
      for (column, affinity) in zip(columns, affinities) where affinity.tellsNumbersApart {
        let type = "typeof(\(SQLName.of("NEW", column.name)))"
        if hasText { note("\(type) IN ('integer', 'real')") }
        if hasNumbers { note("\(type) = 'text'") }
      }
    }

    /// Notes what must be known of the columns that something is computed from.
    private mutating func noteSources(_ columns: [TableSchema.Column]) throws(Obstacle) {
      for column in columns {
        guard column.name != table.rowIDColumn else {
          throw Obstacle(
            reason: """
              A unique index of \(table.name) computes with \(column.name), the row id, which SQLite \
              chooses too late for a trigger.
              """)
        }
        if column.nullReplacement != nil { note("\(SQLName.of("NEW", column.name)) IS NULL") }
      }
    }

    private mutating func note(_ condition: String) {
      if !unclear.contains(condition) { unclear.append(condition) }
    }
  }
}

extension UniqueIndex {
  fileprivate var expressions: [[SQLPiece]] {
    terms.compactMap { if case .expression(let pieces) = $0.value { pieces } else { nil } }
  }
}

extension UniqueIndex.Term {
  fileprivate var column: TableSchema.Column? {
    if case .column(let column) = value { column } else { nil }
  }

  /// Whether the new value is in the index, in the form that costs least; nil where SQLite would
  /// not look into the index itself for it.
  fileprivate func membership(in table: TableSchema) -> String? {
    guard let column, collation == column.collation, column.nullReplacement == nil else {
      return nil
    }
    return "\(SQLName.of("NEW", column.name)) IN"
      + " (SELECT \(SQLName.quote(column.name)) FROM \(SQLName.quote(table.name)))"
  }

  /// Whether values that it takes for the same are the same.
  ///
  /// The integer -2^63 and the real of that value, in a column of integers, are the one exception.
  fileprivate func tellsApart(in table: TableSchema) -> Bool {
    guard let column else { return false }
    return collation == .binary && !table.affinity(of: column).tellsNumbersApart
  }
}

extension TableSchema.Column {
  /// What REPLACE stores in the place of NULL; nil where it does not.
  fileprivate var nullReplacement: String? {
    guard isNotNull, !isGenerated, let defaultValue, defaultValue.uppercased() != "NULL" else {
      return nil
    }
    return defaultValue
  }
}

extension SQLPiece {
  /// Whether a default value is a number or a text, perhaps with a sign.
  fileprivate static func isConstant(_ sql: String) -> Bool {
    var pieces = pieces(of: sql).filter { $0.kind != .space }
    if pieces.count > 1, pieces[0].isSign("-") || pieces[0].isSign("+") { pieces.removeFirst() }
    guard let first = pieces.first else { return false }
    let isNumber = first.kind == .word && first.text.utf8.allSatisfy { $0 &- 0x30 < 10 }
    let isWhole = pieces.count == 1 && (isNumber || first.kind == .text)
    let isDecimal =
      pieces.count == 3 && isNumber && pieces[1].isSign(".")
      && pieces[2].text.utf8.allSatisfy { $0 &- 0x30 < 10 }
    return isWhole || isDecimal
  }

  /// Whether values are compared in an expression, for which it matters of what type their columns
  /// are.
  fileprivate static func comparesValues(_ pieces: [SQLPiece]) -> Bool {
    let pieces = pieces.filter { $0.kind != .space }
    return pieces.indices.contains { place in
      let piece = pieces[place]
      guard piece.kind == .word else {
        // `->` and `->>` look into JSON.
        let isArrow =
          pieces[..<place].suffix(2).contains { $0.isSign("-") } && piece.isSign(">")
        return piece.kind == .sign && ["=", "<", ">", "!"].contains(piece.text) && !isArrow
      }
      switch piece.text.uppercased() {
      case "IN", "BETWEEN": return true
      case "CASE": return pieces.count > place + 1 && !pieces[place + 1].isWord("WHEN")
      case "IS":
        let operand = pieces[(place + 1)...].first { !$0.isWord("NOT") }
        return operand?.isWord("NULL") != true
      default: return false
      }
    }
  }
}
