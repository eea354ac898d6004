/// A row that was written, by where it was and where it is.
package struct TouchedRow: Hashable, Sendable {
  /// The row's path before, or nil where it was not there.
  package var source: ItemPath?
  /// The row's path after, or nil where it is not there.
  package var target: ItemPath?
  /// Whether the row's own values changed.
  package var isContentChanged: Bool

  package init(source: ItemPath?, target: ItemPath?, isContentChanged: Bool) {
    self.source = source
    self.target = target
    self.isContentChanged = isContentChanged
  }
}

/// What a changeset says of each row that was touched.
///
/// ```text
/// before   1  2  3  4  5        touched: 2, 4, 5
/// after    1  4  3  2  5        not touched, so never moved: 1, 3
///
///          1 · 3 ·              the gaps between those that are not touched
///            2   4 5            before
///            4   2 5            after: 2 and 4 changed gaps, so they moved; 5 stays
/// ```
///
/// A touched row of a surviving section stays where it is in the same gap as before. Among the rows
/// that stay in one gap, the most possible stay: a longest subsequence of the old order that is in
/// the new order too. The rest are moves, and so is every row that came from another section.
///
/// The lists hold offsets into the array of touched rows, in the order of a ``Changeset``.
package struct RowClassification: Sendable {
  /// The rows that are gone, by their path before.
  package private(set) var deletes: [Int] = []
  /// The rows that are new, by their path after.
  package private(set) var inserts: [Int] = []
  /// The rows that moved, by their path before.
  package private(set) var moves: [Int] = []
  /// The rows that stayed and whose values changed, by their path before.
  package private(set) var updates: [Int] = []
  /// The rows that stayed with the values they had.
  package private(set) var unchanged: [Int] = []

  /// Whether all rows stayed with the values they had.
  package var isSilent: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// Classifies the touched rows of one change.
  ///
  /// - Parameters:
  ///   - rows: Every row that was inserted, deleted, whose values changed or whose sort key changed.
  ///     Rows that are not in it keep their order.
  ///   - sections: Which section is which.
  /// - Complexity: O(*c* log *c*) for *c* touched rows.
  package init(_ rows: [TouchedRow], sections: SectionCorrespondence) {
    if rows.count == 1 {
      classify(rows[0], stayingIn: rows[0].source.flatMap { sections.target(of: $0.section) })
      return
    }
    var shifts: [Int: Positions] = [:]
    var survivors: [Int] = []
    for (offset, row) in rows.enumerated() {
      if let source = row.source, let target = row.target,
        sections.target(of: source.section) == target.section
      {
        survivors.append(offset)
      }
      if let source = row.source {
        shifts[sections.target(of: source.section) ?? -1, default: Positions()].removed.append(
          source.item)
      }
      if let target = row.target {
        shifts[target.section, default: Positions()].inserted.append(target.item)
      }
    }
    sort(rows)
    let stationary = Self.stationary(survivors, rows, shifts)
    for offset in rows.indices where rows[offset].source != nil && rows[offset].target != nil {
      if !stationary[offset] {
        moves.append(offset)
      } else if rows[offset].isContentChanged {
        updates.append(offset)
      } else {
        unchanged.append(offset)
      }
    }
    moves.sort { Self.isBefore(rows[$0].source, rows[$1].source) }
    updates.sort { Self.isBefore(rows[$0].source, rows[$1].source) }
    unchanged.sort { Self.isBefore(rows[$0].source, rows[$1].source) }
  }

  /// Classifies the only touched row of a change in which all sections stay.
  package init(of row: TouchedRow) {
    classify(row, stayingIn: row.source?.section)
  }

  /// A list of the only row; made once, since there is such a list in most commits.
  private static let only = [0]

  /// Classifies the only row: the gaps are before and after it.
  private mutating func classify(_ row: TouchedRow, stayingIn section: Int?) {
    switch (row.source, row.target) {
    case (let source?, let target?):
      if source.item != target.item || section != target.section {
        moves = Self.only
      } else if row.isContentChanged {
        updates = Self.only
      } else {
        unchanged = Self.only
      }
    case (_?, nil): deletes = Self.only
    case (nil, _?): inserts = Self.only
    case (nil, nil): break
    }
  }

  private struct Positions {
    var removed: [Int] = []
    var inserted: [Int] = []
  }

  /// Fills in the rows that are only before or only after.
  private mutating func sort(_ rows: [TouchedRow]) {
    for (offset, row) in rows.enumerated() {
      if row.target == nil, row.source != nil { deletes.append(offset) }
      if row.source == nil, row.target != nil { inserts.append(offset) }
    }
    deletes.sort { Self.isBefore(rows[$0].source, rows[$1].source) }
    inserts.sort { Self.isBefore(rows[$0].target, rows[$1].target) }
  }

  private static func isBefore(_ left: ItemPath?, _ right: ItemPath?) -> Bool {
    guard let left, let right else { return left == nil && right != nil }
    return left < right
  }

  /// Returns those of the survivors of their section that stay.
  private static func stationary(
    _ survivors: [Int], _ rows: [TouchedRow], _ shifts: [Int: Positions]
  ) -> [Bool] {
    var sections: [Int: [(offset: Int, source: Int, target: Int)]] = [:]
    for offset in survivors {
      guard let source = rows[offset].source, let target = rows[offset].target else { continue }
      sections[target.section, default: []].append((offset, source.item, target.item))
    }
    var stationary = [Bool](repeating: false, count: rows.count)
    for (section, members) in sections {
      let members = members.sorted { $0.source < $1.source }
      let positions = shifts[section, default: Positions()]
      let staying = StationaryChoice.stationary(
        sources: members.map(\.source), targets: members.map(\.target),
        shift: ListShift(removed: positions.removed, inserted: positions.inserted))
      for place in staying { stationary[members[place].offset] = true }
    }
    return stationary
  }
}
