internal import Sectile
internal import Synchronization

/// Live results under observation: loaded, and counting what is delivered.
final class View {
  let results: SectionedResults<Track>
  private let counter = Counter()
  private let observation: DataSourceObservation

  private final class Counter: Sendable {
    let rows = Mutex(0)
  }

  init(_ request: FetchRequest<Track>, in store: Store) throws {
    results = try store.results(of: request)
    try results.load()
    let counter = counter
    observation = results.observe { event in
      guard case .didPartiallyLoad(let changes) = event else { return }
      let count =
        changes.deletes.count + changes.inserts.count + changes.moves.count
        + changes.updates.count
      counter.rows.withLock { $0 += count }
    }
  }

  /// How many row changes were delivered since this was last asked.
  func takeDeliveredRows() -> Int {
    counter.rows.withLock { rows in
      defer { rows = 0 }
      return rows
    }
  }

  /// Checks every id and every section against a fetch.
  func verifyContents(in store: Store) throws {
    let expected = try store.read { try $0.fetchAll(FetchRequest<Track>.indexed) }
    let snapshot = results.snapshot
    try verify(snapshot.numberOfItems == expected.count, "the view lacks rows")
    var rank = 0
    for section in 0..<snapshot.numberOfSections {
      let title = snapshot.sections[section].title
      for item in 0..<snapshot.numberOfItems(in: section) {
        let id = snapshot.id(at: ItemPath(section: section, item: item))
        try verify(
          id == expected[rank].id && title == expected[rank].genre,
          "the view has row \(id) at \(rank)")
        rank += 1
      }
    }
  }
}

extension ResultsSnapshot<Track> {
  /// Checks every id and section boundary against the C baseline.
  func checkContents(against list: CList) throws {
    var rank = 0
    var sections = 0
    for section in 0..<numberOfSections {
      try verify(rank == list.starts[section], "section \(section) begins at \(rank)")
      sections += 1
      for item in 0..<numberOfItems(in: section) {
        try verify(
          id(at: ItemPath(section: section, item: item)) == list.ids[rank],
          "another row than C's at \(rank)")
        rank += 1
      }
    }
    try verify(
      rank == list.ids.count && sections == list.starts.count, "other counts than C's")
  }
}
