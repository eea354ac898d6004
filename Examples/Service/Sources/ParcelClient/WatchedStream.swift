internal import Foundation
public import SectileFeedClient
internal import Synchronization

/// The stream of one client, with what a test of the service wants to know of it.
///
/// An app has no need of it: it hands a `FeedHTTPTransport` to its `FeedClient`.
public final class WatchedStream: FeedTransport {
  private struct Reset: Decodable {
    let reason: String
  }

  // MARK: - Mutable state, guarded by `state`
  private struct State {
    var isStalled: Bool
    var isWhole = false
    var connections = 0
    var resets: [String: Int] = [:]
  }

  private let transport: any FeedTransport
  private let state: Mutex<State>

  /// Watches what a transport brings.
  ///
  /// - Parameters:
  ///   - transport: The transport.
  ///   - isStalled: Whether nothing more is read when the first contents are there, until
  ///     ``wake()``.
  init(of transport: any FeedTransport, isStalled: Bool) {
    self.transport = transport
    state = Mutex(State(isStalled: isStalled))
  }

  /// Whether all contents came once.
  public var isWhole: Bool { state.withLock { $0.isWhole } }
  /// How often the client has connected.
  public var connections: Int { state.withLock { $0.connections } }
  /// Resets so far, the first included, by their reasons.
  public var resets: [String: Int] { state.withLock { $0.resets } }

  /// Has a stalled client read on.
  public func wake() { state.withLock { $0.isStalled = false } }

  /// Hands over what comes, and holds it up where the client is stalled.
  ///
  /// - Throws: What the transport throws.
  public func stream(
    after position: String, to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
  ) async throws {
    state.withLock { $0.connections += 1 }
    let parser = Mutex(EventStreamParser(lastID: position))
    try await transport.stream(after: position) { [self] part in
      try await receive(part)
      guard case .bytes(let bytes) = part else { return }
      for event in try parser.withLock({ try $0.take(bytes) }) { note(event) }
      while state.withLock({ $0.isStalled && $0.isWhole }) {
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  private func note(_ event: EventStreamParser.Event) {
    let reset =
      event.name == "reset"
      ? try? JSONDecoder().decode(Reset.self, from: Data(event.data)) : nil
    state.withLock { state in
      if let reset { state.resets[reset.reason, default: 0] += 1 }
      if event.name == "complete" { state.isWhole = true }
    }
  }
}
