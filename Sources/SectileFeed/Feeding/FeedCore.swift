internal import SectileCore
internal import Synchronization

/// What the clients of a feed share; they hold it, the feed does, and the source does not.
final class FeedCore<Source: DataSource>: Sendable {
  typealias Shape = FeedShape<Source.ItemID, Source.Item>
  typealias Reset = SharedReset<Source.Snapshot>

  private struct WeakReset {
    weak var reset: Reset?
  }

  /// A random number, so that no position of another feed is taken for one of this.
  let epoch = UInt64.random(in: .min ... .max)
  let kept: KeptChanges<Source.ItemID, Source.Item>
  private let name: String
  private let configuration: FeedConfiguration
  /// For how long the contents are held that clients read: a log cannot begin anew as long.
  private static var holdingTime: Duration { .seconds(30) }

  /// Returns the source; nil where it is gone.
  private let source: @Sendable () -> Source?

  // MARK: - Mutable state
  //
  // - `resets`: guarded by its mutex; by shape, each as long as clients read from it.
  private let resets = Mutex<[ObjectIdentifier: WeakReset]>([:])
  private let turns = Turns()

  init(of source: Source, from version: Int, _ configuration: FeedConfiguration) {
    self.configuration = configuration
    kept = KeptChanges(from: version, configuration)
    name = source.name
    self.source = { [weak source] in source }
  }

  /// Returns the source's contents, which can be read for a while whatever others write; nil where it is gone.
  func snapshot() async -> Source.Snapshot? {
    await source()?.steadySnapshot(for: Self.holdingTime)
  }

  /// Returns the contents for a client that needs all of them; nil where the source is gone.
  ///
  /// Clients that come together read the same version; what happened since is kept for them.
  ///
  /// - Parameters:
  ///   - shape: What is shown of the items.
  ///   - version: The first version that will do: those that share what cannot be read share what comes
  ///     after it, too.
  /// - Returns: The contents.
  func reset(in shape: Shape, from version: Int) async -> Reset? {
    if let known = knownReset(in: shape, from: version) { return known }
    // Each is held for a while: of those that come together, one makes it.
    return await turns.take {
      if let known = knownReset(in: shape, from: version) { return known }
      guard let snapshot = await snapshot() else { return nil }
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
      fingerprint: fingerprint(of: shape))
  }

  private func fingerprint(of shape: Shape) -> UInt64 {
    Fingerprint.of(source: name, shape: shape.name)
  }

  /// Returns the version that a client can go on from, or why there is none.
  func version(of position: FeedPosition?, in shape: Shape) -> Result<Int, NoVersion> {
    guard let position else { return .failure(NoVersion(reason: .joined)) }
    guard position.epoch == epoch, position.fingerprint == fingerprint(of: shape),
      position.log == nil
    else { return .failure(NoVersion(reason: .foreign)) }
    guard let version = Int(exactly: position.version), let now = source()?.version,
      version <= now
    else { return .failure(NoVersion(reason: .ahead)) }
    guard kept.reaches(version) else { return .failure(NoVersion(reason: .tooOld)) }
    return .success(version)
  }

  /// Why a client gets all contents.
  struct NoVersion: Error {
    let reason: FeedJSON.Reason
  }
}
