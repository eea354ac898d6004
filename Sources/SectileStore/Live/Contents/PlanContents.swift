import SectileCore

/// One version of what a plan yields: which rows, in which sections, in which order, and a digest
/// of each where the recorder cannot tell what it was.
///
/// A value; copies share their storage until one is changed.
struct PlanContents: Sendable {
  var index = SectionedIndex(blockCapacity: InternalChecks.blockCapacity)
  var keys = RowKeyMap()
  /// Digests of the items; nil where old values are seen as they are overwritten.
  var content: DigestTable?
  /// Digests of the values of the sort terms; nil likewise.
  var order: DigestTable?

  /// What is worked out from all rows.
  var aggregates: AggregateValues { index.aggregates }

  var count: Int { index.count }

  var isEmpty: Bool { count == 0 && index.sectionCount == 0 }

  func key(at path: ItemPath) -> RowKey { keys.key(of: index.handle(at: path)) }

  func key(atRank rank: Int) -> RowKey { keys.key(of: index.handle(atRank: rank)) }

  /// The rank of the row that has a key; nil where there is none.
  func rank(of key: RowKey) -> Int? { keys.handle(of: key).flatMap { index.rank(of: $0) } }

  func path(of key: RowKey) -> ItemPath? {
    // The index has the handles of its rows only, so the key need not be looked up in the map, too.
    keys.possibleHandle(of: key).flatMap { index.path(of: $0) }
  }

  /// Whether the same kinds of digests are kept as in other contents.
  func keepsDigests(like other: PlanContents) -> Bool {
    (content == nil) == (other.content == nil) && (order == nil) == (other.order == nil)
  }

  func section(_ ordinal: Int) -> SectionState {
    SectionState(header: index.header(ofSection: ordinal), order: index.order(ofSection: ordinal))
  }
}
