internal import SectileCore

/// Reads for one client: where it stands, and what it is told next.
///
/// ```text
///            no good position                    all parts
///   ──▶ joining ──────────▶ resetting ──────────────────▶ following ──▶ ended
///          ▲  ▲                 │ a part cannot be read     ▲   │ what follows is not kept,
///          │  │                 ▼                           │   │ or cannot be read
///          │  ├───────────── waiting ◀── for another version│   │
///          │  └─────────────────────────────────────────────┼───┤
///          │ nobody can tell                  what became   │   ▼ and there is a place in the log
///          └─────────────────────────────────── of rows ─── resuming ◀──
/// ```
struct FeedReader<Source: DataSource>: FeedReading {
  typealias Core = FeedCore<Source>
  private typealias Kept = KeptChangeset<Source.ItemID, Source.Item>

  private enum Stage {
    /// All contents are needed; of a version or later, where what was before cannot be read.
    case joining(FeedJSON.Reason, from: Int)
    /// What became of rows since a place in the source's log is to be told.
    case resuming(ResumePoint)
    /// All contents are told part by part.
    case resetting(Core.Reset, part: Int)
    /// They could not be read at this version.
    case waiting(version: Int)
    /// The client is at a version; the contents are held where what leads on is not kept.
    case following(version: Int, held: Source.Snapshot?)
    case ended
  }

  private let core: Core
  private let shape: Core.Shape
  private let buffering: FeedBuffering
  private let place: FeedClients.Place
  private let counted: CountedClient
  private var stage: Stage
  private var told: ToldFailure
  private var position: FeedPosition?
  /// Whether the client was within the limit once: what happened before it came is not its
  /// slowness.
  private var hasCaughtUp = false

  /// Creates the reader of a client.
  init(
    of core: Core, in shape: Core.Shape, after position: FeedPosition?, _ buffering: FeedBuffering
  ) {
    self.core = core
    self.shape = shape
    self.buffering = buffering
    (counted, place) = core.clients.enter()
    told = ToldFailure(number: core.kept.pastFailure)
    let start = core.start(at: position, in: shape)
    stage = Self.stage(from: start)
    // What the client has is good for something, until it is told that it is not.
    if case .joining = stage { return }
    self.position = position
  }

  private static func stage(from start: Core.Start) -> Stage {
    switch start {
    case .version(let version): .following(version: version, held: nil)
    case .point(let point): .resuming(point)
    case .reset(let reason): .joining(reason, from: .min)
    }
  }

  mutating func next() async -> FeedEvent? {
    while !Task.isCancelled {
      letGoOfContents()
      if case .following(let version, _) = stage { place.note(version) }
      let event: FeedEvent?
      switch stage {
      case .joining(let reason, let version): event = await join(reason, from: version)
      case .resuming(let point): event = await resume(from: point)
      case .resetting(let reset, let part): event = await read(part, of: reset)
      case .waiting(let version): event = await wait(past: version)
      case .following(let version, let held): event = await follow(version, held: held)
      case .ended: return nil
      }
      if let event { return event }
    }
    stage = .ended
    return nil
  }

  /// Lets go of the contents that the client has read, where what leads on from them is kept: as
  /// long as they are held, a log cannot begin anew.
  private mutating func letGoOfContents() {
    guard case .following(let version, .some) = stage, core.kept.reaches(version) else { return }
    stage = .following(version: version, held: nil)
  }

  // MARK: - All contents

  private mutating func join(_ reason: FeedJSON.Reason, from version: Int) async -> FeedEvent? {
    guard let reset = await core.reset(in: shape, from: version) else {
      stage = .ended
      // Who set it up has kept the feed alone: else clients would come again and again, and nobody
      // knew why.
      return Task.isCancelled ? nil : failed(DataSourceError.sourceReleased(for: "feed"))
    }
    do {
      let json = try FeedJSON.reset(reason, to: reset.snapshot)
      stage = .resetting(reset, part: 0)
      position = nil
      return event(.reset, json)
    } catch {
      stage = .waiting(version: reset.snapshot.version)
      return failed(error)
    }
  }

  private mutating func read(_ part: Int, of reset: Core.Reset) async -> FeedEvent? {
    let version = reset.snapshot.version
    guard part < reset.partCount else {
      // How contents without items differ takes more to find out than telling them again.
      stage = .following(version: version, held: shape.isStructural ? nil : reset.snapshot)
      letGoOfContents()
      position = core.position(at: version, in: shape)
      forgetFailures()
      return event(.complete, FeedJSON.complete(version: version))
    }
    do {
      let json = try await reset.part(part)
      stage = .resetting(reset, part: part + 1)
      return event(shape.isStructural ? .sections : .rows, json)
    } catch {
      stage = .waiting(version: version)
      return failed(error)
    }
  }

  /// Waits until there is another version than one that cannot be read, or it can.
  private mutating func wait(past version: Int) async -> FeedEvent? {
    switch await core.kept.next(after: version, told: told) {
    case .changeset, .lost: stage = .joining(.unreadable, from: version + 1)
    case .failed(let number, let error): return failed(error, number)
    case .recovered:
      told.lasts = false
      stage = .joining(.unreadable, from: version)
    case .ended, nil: stage = .ended
    }
    return nil
  }

  // MARK: - Changes by key

  private mutating func resume(from point: ResumePoint) async -> FeedEvent? {
    do {
      switch try await core.resume(from: point, in: shape) {
      case .changes(let answer, let held):
        let json = try await answer.json()
        stage = .following(version: answer.version, held: held)
        letGoOfContents()
        position = core.position(at: answer.version, in: shape)
        forgetFailures()
        return event(.keyed, json)
      case .reset(let reason): stage = .joining(reason, from: .min)
      case nil: stage = .ended
      }
      return nil
    } catch {
      stage = .joining(.unreadable, from: .min)
      return Task.isCancelled ? nil : failed(error)
    }
  }

  // MARK: - Changes

  private mutating func follow(_ version: Int, held: Source.Snapshot?) async -> FeedEvent? {
    if !core.kept.isBehind(version) { hasCaughtUp = true }
    switch await core.kept.next(after: version, told: told) {
    case .changeset(let kept, let behind):
      if behind <= buffering.limit {
        hasCaughtUp = true
        return await tell(kept)
      }
      if isDropped { return drop() }
      if let merged = core.kept.merged(after: version) { return await tell(merged) }
      stage = Self.stage(from: core.start(atLost: position))
    case .lost:
      if let held { return await compare(with: held) }
      if isDropped { return drop() }
      stage = Self.stage(from: core.start(atLost: position))
    case .failed(let number, let error): return failed(error, number)
    case .recovered:
      told.lasts = false
      return event(.recovered, FeedJSON.recovered())
    case .ended, nil: stage = .ended
    }
    return nil
  }

  private mutating func tell(_ kept: Kept, holding held: Source.Snapshot? = nil) async -> FeedEvent?
  {
    let version = kept.changes.targetVersion
    do {
      let (json, isNew) = try await kept.json(in: shape)
      if isNew { core.kept.charge(kept, json.count) }
      stage = .following(version: version, held: held)
      position = core.position(at: version, in: shape)
      return event(.changes, json)
    } catch {
      stage = .joining(.unreadable, from: version)
      return failed(error)
    }
  }

  /// Tells how the contents differ from those that the client got, where too much happened while it
  /// did.
  private mutating func compare(with held: Source.Snapshot) async -> FeedEvent? {
    guard let now = await core.snapshot(in: shape) else {
      stage = .ended
      return nil
    }
    return await tell(Kept(now.changes(since: held)), holding: now)
  }

  /// Whether a client that is too far behind is dropped: not before it has caught up once, since
  /// one that comes back would be dropped again and again.
  private var isDropped: Bool { buffering.drops && hasCaughtUp }

  private mutating func drop() -> FeedEvent {
    stage = .ended
    core.clients.noteDrop()
    return event(.dropped, FeedJSON.dropped())
  }

  // MARK: - Events

  /// A client that shows contents anew is told again of a failure that lasts.
  private mutating func forgetFailures() { told = ToldFailure(number: core.kept.pastFailure) }

  private mutating func failed(_ error: any Error, _ number: Int) -> FeedEvent {
    told = ToldFailure(number: number, lasts: true)
    return failed(error)
  }

  private func failed(_ error: any Error) -> FeedEvent {
    FeedEvent(.failed, FeedJSON.failed(error), at: position, error: error)
  }

  private func event(_ kind: FeedEvent.Kind, _ json: [UInt8]) -> FeedEvent {
    FeedEvent(kind, json, at: position)
  }
}
