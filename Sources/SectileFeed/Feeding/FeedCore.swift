internal import SectileCore
internal import Synchronization

/// What the clients of a feed share; they hold it, the feed does, and the source does not.
final class FeedCore<Source: DataSource>: Sendable {
  typealias Shape = FeedShape<Source.ItemID, Source.Item>
  typealias Reset = SharedReset<Source.Snapshot>
  typealias Answer = KeyedAnswer<Source.ItemID, Source.Item>

  private struct WeakReset {
    weak var reset: Reset?
  }

  /// A random number, so that no position of another feed is taken for one of this.
  let epoch = UInt64.random(in: .min ... .max)
  let kept: KeptChanges<Source.ItemID, Source.Item>
  let points: ResumePoints
  let clients = FeedClients()
  private let name: String
  private let configuration: FeedConfiguration
  /// For how long the contents are held that clients read: a log cannot begin anew as long.
  static var holdingTime: Duration { .seconds(30) }
  /// How many answers by key are at hand.
  private static var answerCount: Int { 8 }
  /// How many rows and sections an answer by key may have, which is told in one piece.
  var answerLimit: Int { 20 * configuration.rowsPerPart }

  /// Returns the source; nil where it is gone.
  let source: @Sendable () -> Source?

  // MARK: - Mutable state
  //
  // - `resets`: guarded by its mutex; by shape, each as long as clients read from it.
  // - `answers`: guarded by its mutex; the last ones, the oldest first.
  private let resets = Mutex<[ObjectIdentifier: WeakReset]>([:])
  private let answers = Mutex<[Answer]>([])
  let turns = Slots(count: 1)

  init(of source: Source, from version: Int, _ configuration: FeedConfiguration) {
    self.configuration = configuration
    kept = KeptChanges(from: version, configuration)
    name = source.name
    self.source = { [weak source] in source }
    points = ResumePoints(limit: configuration.keptChangesets) { [weak source] in
      (source as? any ResumableSource)?.resumableVersion
    }
    points.note()
  }

  /// Returns the source's contents, whose items can be read for a while whatever others write,
  /// where the shape tells them; nil where the source is gone.
  func snapshot(in shape: Shape) async -> Source.Snapshot? {
    points.note()
    // Places and identities are part of any snapshot: nothing has to be held for them.
    if shape.isStructural { return source()?.snapshot }
    return await source()?.steadySnapshot(for: Self.holdingTime)
  }

  /// Returns the contents for a client that needs all of them; nil where the source is gone.
  ///
  /// Clients that come together read the same version; what happened since is kept for them.
  ///
  /// - Parameters:
  ///   - shape: What is shown of the items.
  ///   - version: The first version that will do: those that share what cannot be read share what
  ///     comes after it, too.
  /// - Returns: The contents.
  func reset(in shape: Shape, from version: Int) async -> Reset? {
    if let known = knownReset(in: shape, from: version) { return known }
    // Each is held for a while: of those that come together, one makes it.
    return await turns.take {
      if let known = knownReset(in: shape, from: version) { return known }
      guard let snapshot = await snapshot(in: shape) else { return nil }
      let reset = Reset(of: snapshot, in: shape, configuration)
      resets.withLock { resets in
        resets[ObjectIdentifier(shape)] = WeakReset(reset: reset)
        // Shapes come and go.
        if resets.count > 64 { resets = resets.filter { $0.value.reset != nil } }
      }
      return reset
    }
  }

  private func knownReset(in shape: Shape, from version: Int) -> Reset? {
    guard let known = resets.withLock({ $0[ObjectIdentifier(shape)]?.reset }),
      known.snapshot.version >= version, kept.reaches(known.snapshot.version)
    else { return nil }
    return known
  }

  func position(at version: Int, in shape: Shape) -> FeedPosition {
    FeedPosition(
      epoch: epoch, version: UInt64(truncatingIfNeeded: version),
      fingerprint: fingerprint(of: shape), log: points.point(at: version))
  }

  private func fingerprint(of shape: Shape) -> UInt64 {
    Fingerprint.of(source: name, shape: shape.name, isStructural: shape.isStructural)
  }

  // MARK: - Going on

  /// Returns the answer that was found for another client, as long as it is kept what follows.
  func knownAnswer(from point: ResumePoint, in shape: Shape) -> Answer? {
    let known = answers.withLock { $0.last { $0.point == point && $0.shape === shape } }
    return known.flatMap { kept.reaches($0.version) ? $0 : nil }
  }

  /// Has an answer at hand for other clients.
  func remember(_ answer: Answer) {
    // What is dropped is released outside of the lock: what the release of an item runs is not
    // ours.
    let former = answers.withLock { answers in
      defer {
        answers.removeAll { $0.point == answer.point && $0.shape === answer.shape }
        answers.append(answer)
        if answers.count > Self.answerCount { answers.removeFirst() }
      }
      return answers
    }
    withExtendedLifetime(former) {}
  }

  /// Returns where a client can go on from its position.
  func start(at position: FeedPosition?, in shape: Shape) -> Start {
    guard let position else { return .reset(.joined) }
    guard position.fingerprint == fingerprint(of: shape) else { return .reset(.foreign) }
    guard position.epoch == epoch else {
      guard let point = position.log else { return .reset(.foreign) }
      return configuration.answersByKey ? .point(point) : .reset(.restarted)
    }
    guard let version = Int(exactly: position.version), let now = source()?.version,
      version <= now
    else { return .reset(.ahead) }
    return kept.reaches(version) ? .version(version) : start(atLost: position)
  }

  /// Returns where a client can go on whose version is not kept any more.
  func start(atLost position: FeedPosition?) -> Start {
    guard configuration.answersByKey, let point = position?.log else { return .reset(.tooOld) }
    return .point(point)
  }

  /// Where a client goes on.
  enum Start {
    /// At a version of which it is kept what follows.
    case version(Int)
    /// At a point of which the source may be able to tell what happened since.
    case point(ResumePoint)
    /// Nowhere: it gets all contents.
    case reset(FeedJSON.Reason)
  }
}
