internal import SectileCore

/// Contents as a client has folded them.
struct FoldedContents<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// Zero for nothing, and one more with each change.
  var serial = 0
  var contents = SectionedContents<ItemID, Item>()
}

/// What a part of the stream meant.
struct FeedReport<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// One event that listeners hear of.
  enum News: Sendable {
    /// A reset is under way: what is shown is not what the service has.
    case left
    /// There are other contents; with how they differ from those of the serial before, where that
    /// was told.
    case contents(FoldedContents<ItemID, Item>, Changeset<ItemID, Item>?)
    /// The service's source failed.
    case failed(FeedClientError)
    /// The service's source was read again.
    case recovered
  }

  var news: [News] = []
  /// What the news add up to; nil where the contents are not whole.
  var whole: FoldedContents<ItemID, Item>?
  /// How often the service says something, if it said that.
  var heartbeat: Duration?
  /// How long the service wants clients to wait, if it said that.
  var retry: Duration?
  /// Why no more is taken in.
  var error: FeedClientError?
}

/// Takes in the streams of one client, one part at a time.
///
/// It is an actor, so that decoding, hashing and comparing, which is the user's code, run under no
/// lock; and a part that comes late, of a connection that was given up, changes nothing.
actor FeedIntake<ItemID: Hashable & Sendable & Decodable, Item: Sendable & Decodable> {
  typealias Report = FeedReport<ItemID, Item>

  private let configuration: FeedClientConfiguration
  private var turn = 0
  private var parser = EventStreamParser()
  private var folding = FeedFolding<ItemID, Item>()
  private var serial = 0
  private var origin = FeedOrigin()
  /// Where the contents stand; empty for nowhere.
  private var position = ""
  /// Whether this connection goes on from the contents, or has brought them.
  private var isWhole = false

  init(_ configuration: FeedClientConfiguration) { self.configuration = configuration }

  /// Begins a connection.
  ///
  /// - Parameters:
  ///   - turn: The number of the connection; greater than those before.
  ///   - forgets: Whether what comes may be another list than before.
  /// - Returns: The position to go on from, empty for none; nil where a later connection has begun.
  func begin(_ turn: Int, forgets: Bool) -> String? {
    guard turn > self.turn else { return nil }
    self.turn = turn
    if forgets { (origin, position) = (FeedOrigin(), "") }
    isWhole = folding.isWhole && !position.isEmpty
    parser = EventStreamParser(lastID: position, sizeLimit: configuration.eventSizeLimit)
    return position
  }

  /// Takes bytes in; returns nil where another connection has begun.
  func take(_ bytes: [UInt8], _ turn: Int) -> Report? {
    guard turn == self.turn else { return nil }
    var report = Report()
    do throws(FeedClientError) {
      for event in try parser.take(bytes) {
        try take(event, &report)
        position = event.lastID
      }
    } catch {
      // The contents are good for nothing to go on from, unless the service only let go.
      if error.code != .dropped { position = "" }
      // Contents come in parts: what is too much as one event can be had by beginning anew.
      let isTooMuch = error.code == .eventTooLarge && isWhole
      report.error = isTooMuch ? .inconsistent(error) : error
    }
    report.retry = parser.retry
    if isWhole, report.error == nil { report.whole = current }
    return report
  }

  private var current: FoldedContents<ItemID, Item> {
    FoldedContents(serial: serial, contents: folding.contents)
  }

  private func take(
    _ event: EventStreamParser.Event, _ report: inout Report
  ) throws(FeedClientError) {
    if event.name == "stream" { return try begin(event, &report) }
    let hadPosition = !position.isEmpty
    // A service begins with contents where it was not told a position.
    if !isWhole, ["changes", "keyed"].contains(event.name) { throw .inconsistent() }
    switch try folding.take(event) {
    case .none: break
    case .reset(let reason):
      isWhole = false
      if hadPosition, !configuration.acceptsOtherSources { try origin.take(reason: reason) }
      report.news.append(.left)
    case .complete:
      try check { origin throws(FeedClientError) in
        try origin.take(position: event.lastID, format: folding.format)
      }
      isWhole = true
      serial += 1
      report.news.append(.contents(current, nil))
    case .changes(let changes):
      serial += 1
      report.news.append(.contents(current, changes))
    case .keyed:
      serial += 1
      report.news.append(.contents(current, nil))
    case .failed(let code): report.news.append(.failed(.sourceFailed(code)))
    case .recovered: report.news.append(.recovered)
    case .dropped: throw .dropped
    }
  }

  private func begin(
    _ event: EventStreamParser.Event, _ report: inout Report
  ) throws(FeedClientError) {
    let stream = try FeedJSON.decode(FeedJSON.Stream.self, event)
    if let seconds = stream.heartbeat, seconds > 0, seconds < 86_400 {
      report.heartbeat = .seconds(seconds)
    }
    try check { origin throws(FeedClientError) in try origin.take(source: stream.source) }
  }

  /// Compares whose contents these are with those before, unless any will do.
  private func check(
    _ body: (inout FeedOrigin) throws(FeedClientError) -> Void
  ) throws(FeedClientError) {
    if configuration.acceptsOtherSources { origin = FeedOrigin() }
    try body(&origin)
  }
}
