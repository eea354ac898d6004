internal import SectileCore

/// What becomes of a list with placeholders when a page of it arrives: the next version, and the
/// exact changes that lead to it.
///
/// Every row says what is at its rank, so only rows of the page change, those that its items were
/// found at before, and the end of the list:
///
/// ```text
/// before   a b c … … … x …        the page 3…5 arrives: d x e; the list has 7 items
/// after    a b c d x e …          x moved up from 6, where again nothing is known
/// ```
struct RankedMerge<Item: Identifiable & Sendable> where Item.ID: Sendable {
  typealias Row = RemoteListRow<Item>
  typealias Snapshot = PagedSnapshot<Row.ID, Row>

  private let old: Snapshot
  private let rules: ItemRules<Row>
  private let total: Int
  /// The rows that are other ones now, or new, by rank.
  private var rows: [Int: Row] = [:]

  /// Merges a page.
  ///
  /// - Parameters:
  ///   - items: The items of the page, each with its rank.
  ///   - total: How many rows the list has now.
  ///   - snapshot: The list as it was.
  ///   - rules: How rows are compared.
  init(
    _ items: [(rank: Int, item: Item)], total: Int, in snapshot: Snapshot, _ rules: ItemRules<Row>
  ) {
    old = snapshot
    self.rules = rules
    self.total = total
    var arrived: Set<IdentityKey<Item.ID>> = []
    for (rank, item) in items where rank < total {
      rows[rank] =
        arrived.insert(IdentityKey(item.id)).inserted ? .item(item) : .placeholder(rank: rank)
    }
    for key in arrived {
      guard let former = old.path(of: .item(key.id))?.item, rows[former] == nil else { continue }
      if former < total { rows[former] = .placeholder(rank: former) }
    }
    for rank in min(old.numberOfItems, total)..<total where rows[rank] == nil {
      rows[rank] = .placeholder(rank: rank)
    }
  }

  /// Makes the next version and the changeset; without changes the version stays.
  ///
  /// - Complexity: O(*p* log *n* + *n* / 128) for *p* rows that change, of *n*: the list of chunks
  ///   is copied, and so is each chunk, of 128 rows, in which a row changes.
  func finish() -> (Snapshot, Changeset<Row.ID, Row>) {
    guard old.numberOfItems > 0, total > 0 else {
      let all = (0..<total).map { rows[$0] ?? .placeholder(rank: $0) }
      let merge = PageMerge(replacing: old, with: all, rules)
      return (merge.snapshot, merge.changes)
    }
    let transitions = transitions()
    var builder = ChangesetBuilder<Row.ID, Row>(
      sourceVersion: old.version, targetVersion: old.version + 1, sections: .unchanged)
    builder.rows = transitions
    let changes = builder.build(.none)
    return changes.isEmpty ? (old, changes) : (next(transitions), changes)
  }

  private func transitions() -> [RowTransition<Row.ID, Row>] {
    let count = old.numberOfItems
    var transitions: [RowTransition<Row.ID, Row>] = []
    var places: [Row.ID: Int] = [:]
    for (rank, row) in rows {
      let former = old.path(of: row.id)
      let before = former.map { old.row(at: $0).item }
      let isChanged = before.map { !rules.isEqual($0, row) } ?? true
      if !isChanged, former?.item == rank { continue }
      places[row.id] = rank
      transitions.append(
        RowTransition(
          id: row.id, source: former, target: ItemPath(section: 0, item: rank),
          isContentChanged: isChanged, before: before.flatMap { rules.fingerprint?($0) },
          after: rules.fingerprint?(row), payload: .value(row)))
    }
    let leaving = rows.keys.filter { $0 < count } + Array(min(total, count)..<count)
    for rank in leaving {
      let path = ItemPath(section: 0, item: rank)
      let id = old.id(at: path)
      guard places[id] == nil, rows[rank]?.id != id else { continue }
      transitions.append(
        RowTransition(
          id: id, source: path, target: nil, isContentChanged: true,
          before: rules.fingerprint?(old.row(at: path).item)))
    }
    return transitions
  }

  private func next(_ transitions: [RowTransition<Row.ID, Row>]) -> Snapshot {
    var next = old
    let places = transitions.map { (IdentityKey($0.id), $0.target) }
    next.edit(recording: Dictionary(places) { _, last in last }) { list in
      list[0].rows.truncate(to: total)
      for rank in rows.keys.sorted() {
        guard let row = rows[rank] else { continue }
        let entry = SectionedContents<Row.ID, Row>.Row(id: row.id, item: row)
        if rank < list[0].rows.count {
          list[0].rows[rank] = entry
        } else {
          list[0].rows.append(entry)
        }
      }
    }
    next.version += 1
    return next
  }
}
