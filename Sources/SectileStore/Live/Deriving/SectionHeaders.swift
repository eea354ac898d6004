import SectileCore

/// What the headers of sections say: the one place that knows where a header comes from.
///
/// A section is called what its first row says; one of a fixed list without rows is called by its
/// identity. While rows are read in order, a header is taken of each row that begins a section.
/// Where single rows come, go or change, their sections may be called otherwise afterwards:
///
/// ```text
/// rowLeft(from:)  rowArrived(_:at:)  rowChanged(_:in:at:) …
/// finish(_:by:)  → the sections with other headers
/// ```
struct SectionHeaders {
  /// A section that stays, and is called otherwise.
  struct Change {
    /// Its ordinal before.
    let source: Int
    let section: IndexEdits.Section
  }

  private let base: PlanContents
  /// Whether rows say more of their section than its identity, which stays.
  private let hasTitles: Bool
  /// The first rows of sections after, as far as they were touched.
  private var firstRows: [Int: RowKey] = [:]
  /// The sections before in which a row changed and stayed.
  private var changedSections: Set<Int> = []
  private var leaving: Set<ItemPath> = []

  /// Creates the headers of contents of which no row was touched yet.
  init(of base: PlanContents, _ layout: PlanRowLayout) {
    self.base = base
    hasTitles = layout.title != nil
  }

  /// Whether a section may be called otherwise by the row a cursor stands on, or that row cannot
  /// say.
  func mayChange(_ section: Int, by cursor: PlanCursor) -> Bool {
    hasTitles && (try? cursor.section())?.header != base.title(ofSection: section)
  }

  mutating func rowLeft(from source: ItemPath) {
    if hasTitles { leaving.insert(source) }
  }

  mutating func rowArrived(_ key: RowKey, at target: ItemPath) {
    if hasTitles, target.item == 0 { firstRows[target.section] = key }
  }

  mutating func rowChanged(_ key: RowKey, in section: Int, at target: ItemPath) {
    guard hasTitles else { return }
    changedSections.insert(section)
    rowArrived(key, at: target)
  }

  /// Returns the surviving sections whose header is another one, because their first row is.
  ///
  /// - Parameters:
  ///   - edits: What becomes of the sections.
  ///   - reader: Reads first rows.
  /// - Returns: The sections.
  /// - Throws: What reading throws.
  func finish(_ edits: borrowing SectionEdits, by reader: PlanReader) throws -> [Change] {
    guard hasTitles else { return [] }
    var changes: [Change] = []
    for source in changedSections.union(edits.changedSections) where !edits.isDeleted(source) {
      let ordinal = edits.ordinalAfter(of: source)
      guard let key = firstRows[ordinal] ?? firstStaying(in: source),
        let header = try reader.withRow(key, { try $0.section().header }),
        header != base.title(ofSection: source)
      else { continue }
      changes.append(
        Change(
          source: source,
          section: IndexEdits.Section(
            ordinal: ordinal, header: header, order: base.index.order(ofSection: source))))
    }
    return changes
  }

  private func firstStaying(in section: Int) -> RowKey? {
    for item in 0..<base.index.count(inSection: section) {
      let path = ItemPath(section: section, item: item)
      if !leaving.contains(path) { return base.key(at: path) }
    }
    return nil
  }
}

extension PlanContents {
  /// A header without what is worked out from the section's rows: what its first row says.
  fileprivate func title(ofSection section: Int) -> SourceSection {
    index.header(ofSection: section).with(.empty)
  }
}
