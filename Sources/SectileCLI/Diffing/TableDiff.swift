internal import Sectile

/// Compares a table in two files, row by row in the order of a key, in constant memory.
struct TableDiff {
  /// The columns that tell rows apart, as the first file writes them.
  let key: [String]
  /// The columns that are compared, in the first file's order.
  let columns: [String]
  /// The columns that only the first file's table has.
  let columnsOnlyBefore: [String]
  /// The columns that only the second file's table has.
  let columnsOnlyAfter: [String]

  private let before: DiffSide
  private let after: DiffSide
  private let filter: String?

  /// Finds out what to compare.
  ///
  /// - Parameters:
  ///   - before: The first file's table.
  ///   - after: The second file's table.
  ///   - key: The columns that tell rows apart; none for the first table's own key.
  ///   - columns: The columns to compare; none for all that both have.
  ///   - ignored: The columns not to compare.
  ///   - filter: Which rows are wanted.
  /// - Throws: ``CommandFailure`` for columns that are not there, and where there is no key.
  init(
    _ before: DiffSide, _ after: DiffSide, key: [String], columns: [String], ignored: [String],
    filter: String?
  ) throws {
    self.before = before
    self.after = after
    self.filter = filter
    for name in columns + ignored
    where before.shape.column(named: name) == nil && after.shape.column(named: name) == nil {
      throw Self.missing(name, before)
    }
    let wanted = Set(columns.map { $0.lowercased() })
    let left = Set(ignored.map { $0.lowercased() })
    func isCompared(_ name: String) -> Bool {
      (wanted.isEmpty || wanted.contains(name.lowercased())) && !left.contains(name.lowercased())
    }
    let first = before.shape.columns.filter(isCompared)
    self.columns = first.filter { after.shape.column(named: $0) != nil }
    columnsOnlyBefore = first.filter { after.shape.column(named: $0) == nil }
    columnsOnlyAfter = after.shape.columns.filter(isCompared).filter {
      before.shape.column(named: $0) == nil
    }
    self.key = try Self.key(key, before, after)
  }

  /// Compares the rows.
  ///
  /// - Parameter body: Hears each difference, in the order of the key.
  /// - Returns: How many there are.
  /// - Throws: ``CommandFailure`` where the key tells no rows apart; ``StoreError``; what the closure
  ///   throws.
  func run(_ body: (RowDifference) throws -> Void) throws -> DiffSummary {
    try before.start(key: key, columns: columns, filter: filter)
    try after.start(key: key, columns: columns, filter: filter)
    var summary = DiffSummary()
    while true {
      switch (before.row, after.row) {
      case (nil, nil): return summary
      case (let old?, let new?):
        let order = DiffSide.order(old.key, new.key)
        if order < 0 {
          try delete(old, &summary, body)
        } else if order > 0 {
          try insert(new, &summary, body)
        } else {
          try compare(old, new, &summary, body)
        }
      case (let old?, nil): try delete(old, &summary, body)
      case (nil, let new?): try insert(new, &summary, body)
      }
    }
  }

  private func delete(
    _ row: DiffRow, _ summary: inout DiffSummary, _ body: (RowDifference) throws -> Void
  ) throws {
    summary.deleteCount += 1
    try body(.delete(path: ItemPath(section: 0, item: before.position), row: row))
    try before.advance()
  }

  private func insert(
    _ row: DiffRow, _ summary: inout DiffSummary, _ body: (RowDifference) throws -> Void
  ) throws {
    summary.insertCount += 1
    try body(.insert(path: ItemPath(section: 0, item: after.position), row: row))
    try after.advance()
  }

  private func compare(
    _ old: DiffRow, _ new: DiffRow, _ summary: inout DiffSummary,
    _ body: (RowDifference) throws -> Void
  ) throws {
    let changed = old.values.indices.filter { !Self.isSame(old.values[$0], new.values[$0]) }
    if changed.isEmpty {
      summary.equalCount += 1
    } else {
      summary.updateCount += 1
      try body(
        .update(
          source: ItemPath(section: 0, item: before.position),
          target: ItemPath(section: 0, item: after.position), before: old, after: new,
          changed: changed))
    }
    try before.advance()
    try after.advance()
  }

  /// Whether two values are one value of one storage class: 1 and 1.0 are not.
  private static func isSame(_ left: StoredValue, _ right: StoredValue) -> Bool {
    switch (left, right) {
    case (.integer, .real), (.real, .integer): false
    default: left == right
    }
  }

  private static func key(
    _ named: [String], _ before: DiffSide, _ after: DiffSide
  ) throws -> [String] {
    if named.isEmpty && before.shape.keyColumns.isEmpty {
      throw CommandFailure(
        .data, "\(before.shape.name) declares no primary key, so its rows cannot be told apart",
        hint: "Name the columns that do with --key.")
    }
    return try (named.isEmpty ? before.shape.keyColumns : named).map { name in
      let isRowID = ["rowid", "oid", "_rowid_"].contains(name.lowercased())
      for side in [before, after] where side.shape.column(named: name) == nil {
        guard isRowID && !side.shape.isView else { throw missing(name, side) }
      }
      return before.shape.column(named: name) ?? name
    }
  }

  private static func missing(_ name: String, _ side: DiffSide) -> CommandFailure {
    CommandFailure(
      .data, "\(side.shape.name) in \(side.path) has no column '\(name)'",
      hint: "Its columns are: \(side.shape.columns.joined(separator: ", ")).")
  }
}
