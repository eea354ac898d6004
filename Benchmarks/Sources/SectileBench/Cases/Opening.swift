internal import Sectile
internal import Synchronization

/// Opens live results, and the list of the C baseline next to them.
enum Opening {
  /// Opens results and returns the times until the first batch and until all rows were delivered,
  /// and what the store did in the background after that.
  static func measure(
    _ request: FetchRequest<Track>, in store: Store, _ list: CList, isComplete: Bool
  ) throws -> (first: Sample, all: Sample, afterwards: Sample) {
    let start = Stopwatch.now
    let results = try store.results(of: request)
    let first = Mutex<(time: Sample, count: Int, id: Int64?)?>(nil)
    let observation = results.observe { event in
      guard case .didPartiallyLoad(let changes) = event else { return }
      first.withLock {
        $0 = $0 ?? (Stopwatch.now, changes.inserts.count, changes.inserts.first?.id)
      }
    }
    try results.load()
    let end = Stopwatch.now
    let afterwards = Stopwatch.settle()
    observation.cancel()
    try results.snapshot.checkContents(against: list, isComplete: isComplete)
    guard let first = first.withLock({ $0 }) else {
      throw WrongResult("no first batch was delivered")
    }
    try verify(
      first.count >= min(100, list.ids.count) && first.id == list.ids.first,
      "the first batch has \(first.count) rows, or others than the first")
    return (first.time - start, end - start, afterwards)
  }

  /// Steps through ids and section boundaries in C.
  static func measureBaseline(
    _ c: CDatabase, _ order: String, section: String, _ list: CList
  ) throws -> Sample {
    let (time, result) = try Stopwatch.time { try c.readList(order: order, section: section) }
    try verify(
      result.ids.elementsEqual(list.ids) && result.starts.elementsEqual(list.starts),
      "C has other rows")
    return time
  }
}
