internal import SectileCore

/// Reads for one client: where it stands, and what it is told next.
///
/// ```text
///            no good position                    all parts
///   ──▶ joining ──────────▶ resetting ──────────────────▶ following ──▶ ended
///          ▲                    │ a part cannot be read       │ what follows is not kept,
///          │                    ▼                             │ or cannot be read
///          ├──────────────── waiting ◀── for another version  │
///          └──────────────────────────────────────────────────┘
/// ```
struct FeedReader<Source: DataSource>: FeedReading {
  typealias Core = FeedCore<Source>
  private typealias Kept = KeptChangeset<Source.ItemID, Source.Item>

  private enum Stage {
    /// All contents are needed; of a version or later, where what was before cannot be read.
    case joining(FeedJSON.Reason, from: Int)
    /// They are told part by part.
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
  private var stage: Stage
  private var failure: Int
  private var position: FeedPosition?

  /// Creates the reader of a client.
  init(
    of core: Core, in shape: Core.Shape, after position: FeedPosition?, _ buffering: FeedBuffering
  ) {
    self.core = core
    self.shape = shape
    self.buffering = buffering
    failure = core.kept.failureNumber
    switch core.version(of: position, in: shape) {
    case .success(let version):
      stage = .following(version: version, held: nil)
      self.position = position
    case .failure(let none): stage = .joining(none.reason, from: .min)
    }
  }

  mutating func next() async -> FeedEvent? {
    while !Task.isCancelled {
      let event: FeedEvent?
      switch stage {
      case .joining(let reason, let version): event = await join(reason, from: version)
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

  // MARK: - All contents

  private mutating func join(_ reason: FeedJSON.Reason, from version: Int) async -> FeedEvent? {
    guard let reset = await core.reset(in: shape, from: version) else {
      stage = .ended
      return nil
    }
    stage = .resetting(reset, part: 0)
    position = nil
    let snapshot = reset.snapshot
    return event(
      .reset,
      FeedJSON.reset(
        reason, version: snapshot.version, sections: snapshot.numberOfSections,
        rows: snapshot.numberOfItems))
  }

  private mutating func read(_ part: Int, of reset: Core.Reset) async -> FeedEvent? {
    let version = reset.snapshot.version
    guard part < reset.partCount else {
      stage = .following(version: version, held: reset.snapshot)
      position = core.position(at: version, in: shape)
      return event(.complete, FeedJSON.complete(version: version))
    }
    do {
      let json = try await reset.part(part)
      stage = .resetting(reset, part: part + 1)
      return event(.rows, json)
    } catch {
      stage = .waiting(version: version)
      return failed(error)
    }
  }

  /// Waits until there is another version than one that cannot be read.
  private mutating func wait(past version: Int) async -> FeedEvent? {
    switch await core.kept.next(after: version, failure: failure) {
    case .changeset, .lost: stage = .joining(.unreadable, from: version + 1)
    case .failed(let number, let error):
      failure = number
      return failed(error)
    case .ended, nil: stage = .ended
    }
    return nil
  }

  // MARK: - Changes

  private mutating func follow(_ version: Int, held: Source.Snapshot?) async -> FeedEvent? {
    if held != nil, core.kept.reaches(version) { stage = .following(version: version, held: nil) }
    switch await core.kept.next(after: version, failure: failure) {
    case .changeset(let kept, let behind):
      if behind <= buffering.limit { return await tell(kept) }
      if buffering.drops { return drop() }
      if let merged = core.kept.merged(after: version) { return await tell(merged) }
      stage = .joining(.tooOld, from: .min)
    case .lost:
      if let held { return await compare(with: held) }
      if buffering.drops { return drop() }
      stage = .joining(.tooOld, from: .min)
    case .failed(let number, let error):
      failure = number
      return failed(error)
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

  /// Tells how the contents differ from those that the client got, where too much happened while it did.
  private mutating func compare(with held: Source.Snapshot) async -> FeedEvent? {
    guard let now = await core.snapshot() else {
      stage = .ended
      return nil
    }
    return await tell(Kept(now.changes(since: held)), holding: now)
  }

  private mutating func drop() -> FeedEvent {
    stage = .ended
    return event(.dropped, FeedJSON.dropped())
  }

  // MARK: - Events

  private func failed(_ error: any Error) -> FeedEvent {
    FeedEvent(.failed, FeedJSON.failed(error), at: position, error: error)
  }

  private func event(_ kind: FeedEvent.Kind, _ json: [UInt8]) -> FeedEvent {
    FeedEvent(kind, json, at: position)
  }
}
