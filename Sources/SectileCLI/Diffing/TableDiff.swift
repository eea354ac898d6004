internal import Sectile
internal import SectileInspecting

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

  /// The first file's table; nil where it has none.
  let before: DiffSide?
  /// The second file's table; nil where it has none.
  let after: DiffSide?
  private let filter: String?
  private let checksKey: Bool

  /// Compares what is known to be comparable.
  ///
  /// - Parameters:
  ///   - before: The first file's table; nil for one without rows.
  ///   - after: The second file's table; nil for one without rows.
  ///   - key: The columns that tell rows apart.
  ///   - columns: The columns to compare, which both sides have.
  init(_ before: DiffSide?, _ after: DiffSide?, key: [String], columns: [String]) {
    self.before = before
    self.after = after
    self.key = key
    self.columns = columns
    columnsOnlyBefore = []
    columnsOnlyAfter = []
    filter = nil
    checksKey = false
  }

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
    checksKey = true
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
  /// - Parameters:
  ///   - advance: Hears now and then how many rows were compared.
  ///   - body: Hears each difference, in the order of the key.
  /// - Returns: How many there are.
  /// - Throws: ``CommandFailure`` where the key tells no rows apart; ``StoreError``; what the
  ///   closure throws.
  func run(
    advance: (_ rows: Int) throws -> Void = { _ in }, _ body: (RowDifference) throws -> Void
  ) throws -> DiffSummary {
    try before?.start(key: key, columns: columns, filter: filter, checksKey: checksKey)
    try after?.start(key: key, columns: columns, filter: filter, checksKey: checksKey)
    var summary = DiffSummary()
    var rowCount = 0
    while true {
      rowCount += 1
      if rowCount & 0xFFF == 0 { try advance(rowCount) }
      let (old, new) = (before.holdingRow, after.holdingRow)
      let order: Int
      if let old, let new {
        order = old.order(to: new)
      } else if old == nil && new == nil {
        return summary
      } else {
        order = old == nil ? 1 : -1
      }
      if order == 0, let old, let new {
        try compare(old, new, &summary, body)
      } else if order < 0, let old, let row = old.row {
        summary.deleteCount += 1
        try body(.delete(path: ItemPath(section: 0, item: old.position), row: row))
        try old.advance()
      } else if let new, let row = new.row {
        summary.insertCount += 1
        try body(.insert(path: ItemPath(section: 0, item: new.position), row: row))
        try new.advance()
      }
    }
  }

  private func compare(
    _ old: DiffSide, _ new: DiffSide, _ summary: inout DiffSummary,
    _ body: (RowDifference) throws -> Void
  ) throws {
    let changed = new.changes(from: old)
    if changed.isEmpty {
      summary.equalCount += 1
    } else if let before = old.row, let after = new.row {
      summary.updateCount += 1
      try body(
        .update(
          source: ItemPath(section: 0, item: old.position),
          target: ItemPath(section: 0, item: new.position), before: before, after: after,
          changed: changed))
    }
    try old.advance()
    try new.advance()
  }

  private static func key(
    _ named: [String], _ before: DiffSide, _ after: DiffSide
  ) throws -> [String] {
    if named.isEmpty && before.shape.keyColumns.isEmpty {
      throw CommandFailure(
        .data, before.shape.reasonAgainstKey,
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
      hint: Spelling.question(for: name, in: side.shape.columns) + side.shape.columnList)
  }
}

extension DiffSide? {
  /// The side, where it has a row to look at.
  fileprivate var holdingRow: DiffSide? { self?.hasRow == true ? self : nil }
}
