import GRDB
import SectileCore

/// Finds the values that put a row into its place in a reorderable request: its number, and its
/// section's value.
///
/// The rows beside the place are read in the transaction that writes, whatever anybody else moved
/// since: so the row ends up next to the one that it was put next to, and numbers stay in one
/// order.
struct RowPlacing {
  /// A value for a column.
  struct ColumnValue {
    let column: String
    let value: StoredValue
  }

  private let plan: FetchPlan
  private let db: Database
  private let column: String
  private let keyCollations: KeyCollations
  /// Whether an index lets no two rows have one number.
  private let isUnique: Bool
  /// Whether it does so across sections.
  private let isUniqueInTable: Bool
  /// The column that rows are grouped by, where it can be written: not a generated one.
  private let writtenSection: String?
  /// What its values are compared by, also where the column declares it.
  private let sectionCollation: TextCollation?

  init(_ plan: FetchPlan, _ table: TableSchema, in db: Database) throws {
    self.plan = plan
    self.db = db
    let column = plan.orderColumn ?? ""
    let section = plan.writtenSectionColumn
    self.column = column
    keyCollations = try KeyCollations(of: plan.keyColumns, in: table, on: db)
    let indexes = try UniqueIndex.all(of: table, in: db).map { index in
      index.terms.map { term in
        if case .column(let column) = term.value { column.name.lowercased() } else { "" }
      }
    }.filter { $0.contains(column.lowercased()) }
    isUnique = !indexes.isEmpty
    isUniqueInTable = indexes.contains { !$0.contains(section?.lowercased() ?? "") }
    let isWritten = table.columns.contains {
      $0.origin == .written && $0.name.lowercased() == section?.lowercased()
    }
    writtenSection = isWritten ? section : nil
    if section != nil, let identity = plan.section?.identity {
      sectionCollation = try identity.collation ?? identity.column?.declaredCollation(in: db)
    } else {
      sectionCollation = nil
    }
  }

  /// Returns the values of a row at a place; gives rows beside it other numbers where none is free.
  ///
  /// - Throws: A ``StoreError``: `editConflict` where no row beside the place is where it was
  ///   shown; `notEditable` for a section that cannot be written.
  func values(at place: RowPlace) throws -> [ColumnValue] {
    let sectionColumn = plan.writtenSectionColumn
    if place.isOtherSection, writtenSection == nil {
      throw StoreError(
        .notEditable,
        message: "The sections of the request for \(plan.table) are worked out, not written.",
        hint: "Move rows inside of their section, or section the request by a column.")
    }
    var sectionValue = place.section
    var anchor: (row: PositionColumn.Row, isBefore: Bool)?
    for candidate in place.anchors where anchor == nil {
      let found = try positions(inSection: nil).position(of: candidate.key, and: section)
      guard let found else { continue }
      if sectionColumn != nil, try !isEqual(found.other, place.section) { continue }
      anchor = (
        PositionColumn.Row(key: candidate.key, position: found.position), candidate.isBefore
      )
      if sectionColumn != nil { sectionValue = found.other }
    }
    if anchor == nil, let first = place.anchors.first {
      throw StoreError.editConflict(table: plan.table, key: first.key)
    }
    let label = try label(
      beside: anchor, among: positions(inSection: sectionValue), without: place.moved)
    var values = [ColumnValue(column: column, value: .integer(label))]
    if let writtenSection, let sectionValue,
      place.moved == nil || place.isOtherSection || place.mayBeElsewhere
    {
      values.append(ColumnValue(column: writtenSection, value: sectionValue))
    }
    return values
  }

  // MARK: - Sections

  /// The section's column, if it can be written.
  private var section: SQLFragment? {
    plan.writtenSectionColumn.map { SQLFragment(SQLName.quote(plan.table, $0)) }
  }

  private func isEqual(_ value: StoredValue?, _ identity: StoredValue?) throws -> Bool {
    if value == identity { return true }
    guard let value, let identity else { return false }
    let collation = sectionCollation.map { " COLLATE \(SQLName.quote($0.name))" } ?? ""
    let statement = try RawStatement.cached("SELECT ? IS ?\(collation)", on: db)
    defer { statement.finish() }
    try statement.bind([value, identity])
    return try statement.step() && statement.column(0).value == .integer(1)
  }

  private func positions(inSection value: StoredValue?) -> PositionColumn {
    var scope: PositionColumn.Scope?
    if !isUniqueInTable, let section, let value {
      let collation = plan.section?.identity.collation.map { " COLLATE \(SQLName.quote($0.name))" }
      scope = PositionColumn.Scope(
        column: section + SQLFragment(collation ?? ""), value: value)
    }
    return PositionColumn(
      table: plan.table, column: column, keyColumns: plan.keyColumns,
      keyCollations: keyCollations, isDescending: plan.sort[0].isDescending, scope: scope, db: db)
  }

  // MARK: - Numbers

  /// How many rows get new numbers at first, on each side, where none is free.
  private static let neighbourhood = 16

  private func label(
    beside anchor: (row: PositionColumn.Row, isBefore: Bool)?, among positions: PositionColumn,
    without moved: RowKey?
  ) throws -> Int64 {
    // On which side of the anchor the place is, where the numbers grow.
    let side: PositionColumn.Side =
      anchor.map { $0.isBefore == positions.isDescending ? .below : .above } ?? .above
    var count = 1
    while true {
      // The rows from the place on, the nearest first, and one more on each side, which stays as it
      // is.
      var (below, above) = try neighbours(
        of: anchor?.row, side, among: positions, without: moved, count: count)
      let isLast = below.count < count && above.count < count
      let lower = below.count < count ? nil : below.removeLast()
      let upper = above.count < count ? nil : above.removeLast()
      if let labels = labels(
        for: below.count + 1 + above.count, between: lower, and: upper, isLast: isLast)
      {
        var others = labels
        var label = others.remove(at: below.count)
        // A row whose number stays is not told as the one that moved.
        if let moved, try positions.position(of: moved)?.position == .integer(label) {
          label += Self.step(from: below.count, in: labels)
        }
        let changes = zip(below.reversed() + above, others).filter {
          $0.0.position != .integer($0.1)
        }
        try positions.write(
          changes.map { ($0.key, $1) }, isUnique: isUnique, before: moved)
        return label
      }
      guard !isLast else {
        throw StoreError(
          .notEditable, message: "\(plan.table).\(column) has no number left for the place.",
          hint: "Give the rows other numbers, with room between them.")
      }
      count = count == 1 ? Self.neighbourhood : count * 2
    }
  }

  /// Returns how far a number can be shifted among others in their order: one up or down, or not at
  /// all.
  private static func step(from position: Int, in labels: [Int64]) -> Int64 {
    let (before, after) = (position - 1, position + 1)
    if after < labels.count, labels[after] - labels[position] > 1 { return 1 }
    if before >= 0, labels[position] - labels[before] > 1 { return -1 }
    return 0
  }

  private func neighbours(
    of anchor: PositionColumn.Row?, _ side: PositionColumn.Side, among positions: PositionColumn,
    without moved: RowKey?, count: Int
  ) throws -> (below: [PositionColumn.Row], above: [PositionColumn.Row]) {
    func rows(_ side: PositionColumn.Side, _ count: Int) throws -> [PositionColumn.Row] {
      try positions.rows(side, of: anchor, without: moved, count: count)
    }
    guard let anchor else { return (try rows(.below, count), []) }
    let far = try rows(side, count)
    let near = [anchor] + (try rows(side.opposite, count - 1))
    return side == .above ? (near, far) : (far, near)
  }

  private func labels(
    for count: Int, between lower: PositionColumn.Row?, and upper: PositionColumn.Row?,
    isLast: Bool
  ) -> [Int64]? {
    var (start, end): (Int64?, Int64?)
    switch lower.map({ OrderLabels.bound(above: $0.position) }) {
    case .number(let number)?: start = number
    case .some(.none), nil: start = nil
    case .unreachable?: return nil
    }
    switch upper.map({ OrderLabels.bound(below: $0.position) }) {
    case .number(let number)?: end = number
    case .some(.none), nil: end = nil
    case .unreachable?: return nil
    }
    if count == 1 { return OrderLabels.label(above: start, below: end).map { [$0] } }
    return OrderLabels.labels(count, above: start, below: end, isLast: isLast)
  }
}
