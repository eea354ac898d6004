internal import NIOHTTP1
public import ParcelService
internal import SectileFeedClient
internal import Synchronization

/// A client that follows the list, comes back when it is cut off, and may be slow or restless.
public final class Follower: Sendable {
  /// How a client behaves.
  public enum Manner: Sendable {
    /// It reads what there is.
    case steady
    /// It stops reading when it has its first contents, until it is told to go on.
    case stalled
    /// It goes away now and then, and comes back with the position that it had.
    case restless
  }

  // MARK: - Mutable state, guarded by `state`
  private struct State {
    var list = ParcelList()
    var lastID = ""
    var isStalled: Bool
    var connections = 0
    var failures: [String] = []
  }

  /// How it behaves.
  public let manner: Manner
  private let server: ServerAddress
  private let state: Mutex<State>
  private let onParcels: @Sendable ([Parcel]) -> Void

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - server: Whom it follows.
  ///   - manner: How it behaves.
  ///   - onParcels: Hears of each changeset what is new in it.
  public init(
    of server: ServerAddress, _ manner: Manner,
    onParcels: @escaping @Sendable ([Parcel]) -> Void = { _ in }
  ) {
    self.server = server
    self.manner = manner
    self.onParcels = onParcels
    state = Mutex(State(isStalled: manner == .stalled))
  }

  /// What it has been told.
  public var list: ParcelList { state.withLock { $0.list } }
  /// How often it has connected.
  public var connections: Int { state.withLock { $0.connections } }
  /// What went wrong, apart from connections that ended.
  public var failures: [String] { state.withLock { $0.failures } }

  /// Has a stalled client read on.
  public func wake() { state.withLock { $0.isStalled = false } }

  /// Follows until the task is cancelled, connecting again whenever the connection ends.
  public func follow() async {
    while !Task.isCancelled {
      // Cut off, refused, not there yet: all of it is answered by coming back.
      try? await followOnce()
      try? await Task.sleep(for: .milliseconds(Int.random(in: 20...200)))
    }
  }

  /// Follows until the stream ends, or, as a restless client, for a while.
  ///
  /// - Throws: What the connection throws.
  public func followOnce() async throws {
    let buffer: Int? = manner == .stalled ? 16_384 : nil
    try await HTTPExchange.with(server, receiveBuffer: buffer) { exchange in
      let lastID = state.withLock { state in
        state.connections += 1
        return state.lastID
      }
      let headers = lastID.isEmpty ? [] : [("Last-Event-ID", lastID)]
      let status = try await exchange.ask(.GET, "/parcels/events", headers: headers)
      guard status == 200 else { throw ClientError.refused(status, []) }
      var parser = EventStreamParser(lastID: lastID)
      let end = ContinuousClock.now + .milliseconds(Int.random(in: 200...2_000))
      while let bytes = try await exchange.next() {
        for event in try parser.take(bytes) { try take(event) }
        if manner == .restless, ContinuousClock.now > end { return }
        while mayStall { try await Task.sleep(for: .milliseconds(50)) }
      }
    }
  }

  private var mayStall: Bool { state.withLock { $0.isStalled && $0.list.isWhole } }

  private func take(_ event: EventStreamParser.Event) throws {
    let parcels = try state.withLock { state -> [Parcel] in
      do {
        let parcels = try state.list.take(event)
        state.lastID = event.lastID
        return parcels
      } catch {
        // What it has is good for nothing: it comes back for all of it.
        state.failures.append("\(error)")
        state.lastID = ""
        throw error
      }
    }
    if !parcels.isEmpty { onParcels(parcels) }
  }
}
