internal import Sectile
internal import SectileFeed

typealias ThingFeed = Feed<SectionedResults<Thing>, Void>

/// A feed of 100,000 rows.
struct FedThings {
  let store: Store
  let results: SectionedResults<Thing>
  let feed: ThingFeed
  private var number = 0

  init() throws {
    store = try Things.store(100_000)
    results = try store.view(.byShelf.sort(by: \.id))
    feed = Feed(of: results)
  }

  mutating func commit() throws {
    number += 1
    let note = "n\(number)"
    try store.write { try $0.execute("UPDATE thing SET note = ? WHERE id = ?", note, number) }
  }

  /// Returns clients that are where the source is.
  func clients(_ count: Int) async throws -> [FeedClient] {
    let first = try await FeedClient(joining: feed)
    var clients: [FeedClient] = []
    for _ in 0..<count {
      clients.append(try await FeedClient(of: feed, after: first.position))
    }
    return clients
  }
}

/// A client that reads, and forgets what it read.
struct FeedClient {
  private var events: FeedEvents.Iterator
  private(set) var position: FeedPosition?
  private(set) var bytes = 0

  init(of feed: ThingFeed, after position: FeedPosition? = nil) async throws {
    events = try await feed.events(after: position).makeAsyncIterator()
    self.position = position
  }

  /// Joins a feed, and gets all of it.
  init(joining feed: ThingFeed) async throws {
    try await self.init(of: feed)
    try await read(.complete)
  }

  /// Reads up to an event of a kind, or to so many of them.
  mutating func read(_ kind: FeedEvent.Kind, count: Int = 1) async throws {
    var rest = count
    while rest > 0 {
      guard let event = await events.next() else {
        throw WrongResult(description: "the feed ended")
      }
      bytes += event.json.count
      position = event.position
      if event.kind == kind { rest -= 1 }
    }
  }
}

/// Commits while clients have a subscription that they do not read from.
struct SleepingClientsGrowth: GrowthCase {
  static let name = "feed-sleepers"
  static let summary = "500 commits beside clients of a feed that sleep; the clients"
  static let sizes = (small: 10, large: 1_000)
  static let exponent = 0.0

  private var things: FedThings
  private let clients: [FeedClient]

  init(size: Int) async throws {
    things = try FedThings()
    clients = try await things.clients(size)
  }

  mutating func perform() async throws {
    for _ in 0..<500 { try things.commit() }
    withExtendedLifetime(clients) {}
  }
}

/// Commits that each of many clients is told.
struct FeedCommitGrowth: GrowthCase {
  static let name = "feed-commit"
  static let summary = "20 commits of one row of 100,000, each told to all clients; the clients"
  static let sizes = (small: 10, large: 1_000)
  static let exponent = 1.0

  private var things: FedThings
  private var clients: [FeedClient]

  init(size: Int) async throws {
    things = try FedThings()
    clients = try await things.clients(size)
  }

  mutating func perform() async throws {
    for _ in 0..<20 {
      try things.commit()
      for number in clients.indices { try await clients[number].read(.changes) }
    }
    try check(clients.allSatisfy { $0.position == clients[0].position }, "clients differ")
  }
}

/// Clients that join, all at once.
struct FeedJoinGrowth: GrowthCase {
  static let name = "feed-join"
  static let summary = "clients join 100,000 rows at once, and get all; the clients"
  static let sizes = (small: 10, large: 1_000)
  static let exponent = 1.0

  private let things: FedThings
  private let count: Int

  init(size: Int) throws {
    things = try FedThings()
    count = size
  }

  mutating func perform() async throws {
    let feed = things.feed
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count {
        group.addTask { try await FeedClient(joining: feed).bytes }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    try check(counts.count == 1 && counts.allSatisfy { $0 > 5_000_000 }, "\(counts) bytes")
  }
}

/// Clients that come back.
struct FeedResumeGrowth: GrowthCase {
  static let name = "feed-resume"
  static let summary = "clients come back to 100,000 rows after ten commits; the clients"
  static let sizes = (small: 10, large: 1_000)
  static let exponent = 1.0

  private var things: FedThings
  private let position: FeedPosition?
  private let count: Int

  init(size: Int) async throws {
    things = try FedThings()
    count = size
    position = try await things.clients(1)[0].position
    for _ in 0..<10 { try things.commit() }
    // One that has read everything, so that nothing has to be encoded but once.
    _ = try await comeBack()
  }

  mutating func perform() async throws {
    for _ in 0..<count {
      let byteCount = try await comeBack()
      try check(byteCount < 10_000, "\(byteCount) bytes")
    }
  }

  private func comeBack() async throws -> Int {
    var client = try await FeedClient(of: things.feed, after: position)
    try await client.read(.changes, count: 10)
    return client.bytes
  }
}
