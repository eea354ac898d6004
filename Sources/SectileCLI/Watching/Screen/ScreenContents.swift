internal import Sectile

/// One version of what a screen shows, read piece by piece: only what is visible.
protocol ScreenContents {
  var version: Int { get }
  var sectionCount: Int { get }
  var rowCount: Int { get }

  /// What is worked out from all rows.
  var aggregates: AggregateValues { get }

  /// What is worked out from the rows of a section.
  func aggregates(ofSection section: Int) -> AggregateValues
  /// What a section is told apart by.
  func identity(ofSection section: Int) -> StoredValue
  /// The section of an identity, or nil.
  func section(of identity: StoredValue) -> Int?
  /// How many rows a section has.
  func rowCount(inSection section: Int) -> Int
  /// How many rows come before a section.
  func firstRank(ofSection section: Int) -> Int
  /// What identifies a row.
  func id(at path: ItemPath) -> UntypedRow.ID
  /// Where a row is, or nil.
  func path(of id: UntypedRow.ID) -> ItemPath?
  /// The values of a row; nil where they cannot be read now.
  func values(at path: ItemPath) -> [StoredValue]?
}

extension ScreenContents {
  var aggregates: AggregateValues { .empty }
  func aggregates(ofSection section: Int) -> AggregateValues { .empty }

  /// How many rows come before a row.
  func rank(of path: ItemPath) -> Int { firstRank(ofSection: path.section) + path.item }

  /// The row before which as many rows come; nil where there is none.
  func path(atRank rank: Int) -> ItemPath? {
    ScreenGeometry(self, folded: [], hasHeads: false).row(from: rank, by: 1)
  }
}

/// The contents of live results.
struct SnapshotContents: ScreenContents {
  let snapshot: ResultsSnapshot<UntypedRow>
  let columns: [String]

  var version: Int { snapshot.version }
  var sectionCount: Int { snapshot.numberOfSections }
  var rowCount: Int { snapshot.numberOfItems }

  var aggregates: AggregateValues { snapshot.aggregates }

  func aggregates(ofSection section: Int) -> AggregateValues {
    snapshot.sections[section].aggregates
  }

  func identity(ofSection section: Int) -> StoredValue { snapshot.sections[section].identity }

  func section(of identity: StoredValue) -> Int? { snapshot.section(withIdentity: identity) }

  func rowCount(inSection section: Int) -> Int { snapshot.numberOfItems(in: section) }

  func firstRank(ofSection section: Int) -> Int {
    snapshot.rank(of: ItemPath(section: section, item: 0))
  }

  func id(at path: ItemPath) -> UntypedRow.ID { snapshot.id(at: path) }

  func path(of id: UntypedRow.ID) -> ItemPath? { snapshot.path(of: id) }

  /// Rows that others have changed since, or that a lock keeps back, come with a later version.
  func values(at path: ItemPath) -> [StoredValue]? {
    guard let item = try? snapshot.item(at: path) else { return nil }
    return columns.map(item.shownValue)
  }
}
