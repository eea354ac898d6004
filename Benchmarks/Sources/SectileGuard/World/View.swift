internal import Sectile
internal import Synchronization

/// Live results that are loaded and observed.
final class View: Sendable {
  private let results: SectionedResults<Track>
  private let observation: DataSourceObservation
  private let delivered: Delivered

  init(_ request: FetchRequest<Track>, in store: Store) throws {
    results = try store.results(of: request)
    try results.load()
    let delivered = Delivered()
    self.delivered = delivered
    observation = results.observe { event in
      guard case .didPartiallyLoad(let changes) = event else { return }
      let count = changes.moves.count + changes.updates.count
      delivered.count.withLock { $0 += count }
    }
  }

  /// Checks how many rows were delivered as moved or updated, and that none was fetched anew.
  func verify(delivered wanted: Int) throws {
    let count = delivered.count.withLock { $0 }
    guard count == wanted, results.statistics.resyncCount == 0 else {
      throw GuardError("a view heard of \(count) changes rather than \(wanted), or resynchronized")
    }
  }
}

private final class Delivered: Sendable {
  let count = Mutex(0)
}
