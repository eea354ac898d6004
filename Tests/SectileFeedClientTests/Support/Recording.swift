import SectileCore
import SectileDataSources
import SectileFeed
import SectileTestSupport

/// What a feed told one client, event by event.
struct Recording {
  typealias Source = ArrayDataSource<Plum>
  typealias Section = SectionedContents<Int, Plum>.Section

  /// An event, as the encoder writes it.
  struct Told {
    let event: FeedEvent
    let bytes: [UInt8]
    /// What the source shows after it.
    let sections: [Section]

    /// What a client hands back that has taken it in.
    var id: String { event.position?.description ?? "" }
    var isWhole: Bool { event.position != nil }
  }

  struct Ended: Error {}

  private(set) var told: [Told] = []
  private let source: Source
  private let feed: Feed<Source, Void>
  private var iterator: FeedEvents.Iterator

  /// Begins with the contents of a source.
  init(of source: Source, rowsPerPart: Int = 2) async throws {
    self.source = source
    feed = Feed<Source, Void>(
      of: source, configuration: FeedConfiguration(rowsPerPart: rowsPerPart))
    iterator = try await feed.events().makeAsyncIterator()
    try await record { $0 == .complete }
  }

  /// Records a random course.
  init(seed: UInt64, steps: Int) async throws {
    var random = SeededRandom(seed: seed)
    var plums: [Plum] = []
    for _ in 0..<6 { Plum.change(&plums, &random) }
    try await self.init(of: Plum.source(plums), rowsPerPart: Int.random(in: 1...5, using: &random))
    for _ in 0..<steps {
      Plum.change(&plums, &random)
      try await replace(with: plums)
    }
  }

  /// All bytes.
  var bytes: [UInt8] { told.flatMap(\.bytes) }
  /// What the source shows in the end.
  var sections: [Section] { told.last?.sections ?? [] }

  /// Records a change.
  mutating func replace(with plums: [Plum]) async throws {
    let version = source.version
    try source.replace(with: plums)
    if source.version != version { try await record { $0 == .changes } }
  }

  /// Records that the source fails.
  mutating func fail() async throws {
    source.events.submit(failure: Ended())
    source.events.flush()
    try await record { $0 == .failed }
  }

  /// Records that the source is read again.
  mutating func recover() async throws {
    source.load()
    try await record { $0 == .recovered }
  }

  private mutating func record(until isLast: (FeedEvent.Kind) -> Bool) async throws {
    while true {
      guard let event = await iterator.next() else { throw Ended() }
      let sections = try source.snapshot.materialized().sections
      told.append(
        Told(event: event, bytes: ServerSentEvents.bytes(of: event), sections: sections))
      if isLast(event.kind) { return }
    }
  }

  /// What a service tells a client that comes with a position: what follows, or everything.
  func answer(after position: String) -> [Told] {
    guard !position.isEmpty, let last = told.lastIndex(where: { $0.id == position }) else {
      return told
    }
    return Array(told[(last + 1)...])
  }
}
