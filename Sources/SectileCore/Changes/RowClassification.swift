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
  ///   - rows: Every row that was inserted, deleted, whose values changed or whose sort key
  ///     changed. Rows that are not in it keep their order.
  ///   - sections: Which section is which.
  /// - Complexity: O(*c* log *c*) for *c* touched rows.
  package init(_ rows: [TouchedRow], sections: SectionCorrespondence) {
    if rows.count == 1 {
      classify(rows[0], stayingIn: rows[0].source.flatMap { sections.target(of: $0.section) })
      return
    }
    let sources = rows.indices.compactMap { offset in
      rows[offset].source.map { Place(path: $0, offset: offset) }
    }.sorted()
    let targets = rows.indices.compactMap { offset in
      rows[offset].target.map { Place(path: $0, offset: offset) }
    }.sorted()
    inserts = targets.filter { rows[$0.offset].source == nil }.map(\.offset)
    // The rows of a section stand together in both lists.
    var start = 0
    while start < sources.count {
      let section = sources[start].path.section
      let end = sources[start...].prefix { $0.path.section == section }.endIndex
      let target = sections.target(of: section)
      classify(
        rows, leaving: sources[start..<end], arriving: Place.inSection(target, of: targets),
        in: target)
      start = end
    }
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

  /// Classifies the rows that were in one section.
  ///
  /// - Parameters:
  ///   - rows: All touched rows.
  ///   - sources: Those that were in the section.
  ///   - targets: Those that are in it.
  ///   - section: The section's ordinal after; nil where it is gone.
  private mutating func classify(
    _ rows: [TouchedRow], leaving sources: ArraySlice<Place>, arriving targets: ArraySlice<Place>,
    in section: Int?
  ) {
    let survivors = sources.filter { section != nil && rows[$0.offset].target?.section == section }
    let staying = StationaryChoice.stationary(
      sources: survivors.map(\.path.item),
      targets: survivors.compactMap { rows[$0.offset].target?.item },
      shift: ListShift(removed: sources.map(\.path.item), inserted: targets.map(\.path.item)))
    var next = 0
    for place in sources {
      let isStationary = next < staying.count && survivors[staying[next]].offset == place.offset
      if isStationary { next += 1 }
      if rows[place.offset].target == nil {
        deletes.append(place.offset)
      } else if !isStationary {
        moves.append(place.offset)
      } else if rows[place.offset].isContentChanged {
        updates.append(place.offset)
      } else {
        unchanged.append(place.offset)
      }
    }
  }
}

/// The place of a touched row, before or after.
private struct Place: Comparable {
  let path: ItemPath
  /// The row's offset among the touched rows.
  let offset: Int

  static func < (left: Place, right: Place) -> Bool { left.path < right.path }

  /// Returns the places in a section, of all places in order.
  static func inSection(_ section: Int?, of places: [Place]) -> ArraySlice<Place> {
    guard let section else { return [] }
    let start = partition(places.count) { places[$0].path.section >= section }
    return places[start...].prefix { $0.path.section == section }
  }
}
