internal import Sectile
internal import Synchronization

/// Live results under observation: loaded, and taking down what is delivered.
final class View<Item: Entity> {
  let results: SectionedResults<Item>
  private let request: FetchRequest<Item>
  private let isWanted: @Sendable (Item) -> Bool
  private let delivered: Delivered
  private let observation: DataSourceObservation

  /// Loads live results.
  ///
  /// - Parameters:
  ///   - request: What they show.
  ///   - store: The store to follow.
  ///   - isWanted: Whether the request's filter wants an item.
  /// - Throws: What opening and loading throw.
  init(
    _ request: FetchRequest<Item>, in store: Store,
    where isWanted: @escaping @Sendable (Item) -> Bool = { _ in true }
  ) throws {
    self.request = request
    self.isWanted = isWanted
    results = try store.results(of: request)
    try results.load()
    let delivered = Delivered()
    self.delivered = delivered
    observation = results.observe { event in
      guard case .didPartiallyLoad(let changes) = event else { return }
      let count =
        changes.deletes.count + changes.inserts.count + changes.moves.count
        + changes.updates.count
      delivered.state.withLock { state in
        state.count += count
        guard count <= 100 else { return }
        for move in changes.moves { state.sum &+= move.id.hashValue }
        for update in changes.updates { state.sum &+= update.id.hashValue }
      }
    }
  }

  /// How many row changes were delivered since this was last asked, and the sum over the keys of
  /// those that moved or changed in small commits.
  func takeDelivered() -> (count: Int, sum: Int) {
    delivered.state.withLock { state in
      defer { state = Delivered.State() }
      return (state.count, state.sum)
    }
  }

  /// Checks that every one of some changed items was delivered once, in a commit of its own.
  func verifyDelivered(_ items: [Item]) throws {
    let wanted = items.filter(isWanted)
    let (count, sum) = takeDelivered()
    try verify(
      count == wanted.count && sum == wanted.reduce(0) { $0 &+ $1.id.hashValue },
      "\(count) of \(wanted.count) changes were delivered, or of other rows")
  }

  /// Checks every id and every section against a fetch, and that nothing had to be fetched anew
  /// because the store did not trust what it had followed.
  func verifyContents(in store: Store) throws {
    let (ids, sections) = try store.read { transaction in
      (try transaction.fetchAll(request).map(\.id), try transaction.fetchSections(request))
    }
    let snapshot = results.snapshot
    try verify(snapshot.numberOfItems == ids.count, "the view has other rows than a fetch")
    try verify(snapshot.numberOfSections == sections.count, "the view has other sections")
    var rank = 0
    for section in 0..<snapshot.numberOfSections {
      let count = snapshot.numberOfItems(in: section)
      try verify(
        count == sections[section].count
          && snapshot.sections[section].identity == sections[section].identity,
        "section \(section) of the view is another one")
      for item in 0..<count {
        let id = snapshot.id(at: ItemPath(section: section, item: item))
        try verify(id == ids[rank], "the view has row \(id) at \(rank), a fetch \(ids[rank])")
        rank += 1
      }
    }
    try verify(results.statistics.resyncCount == 0, "the view was resynchronized")
  }
}

private final class Delivered: Sendable {
  struct State {
    var count = 0
    var sum = 0
  }

  let state = Mutex(State())
}
