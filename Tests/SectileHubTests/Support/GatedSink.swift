import SectileHub
import SectileTestSupport
import Synchronization
import Testing

/// The way of mutations to a hub in memory, which can be shut; it tells what was sent together.
final class GatedSink: MutationSink {
  let hub: InMemoryHub
  private let link: InMemoryHubConnection
  private let isOpen: Mutex<Bool>
  private let sent = Mutex<[[Mutation]]>([])

  init(_ hub: InMemoryHub, isOpen: Bool) {
    (self.hub, link) = (hub, hub.link(for: "a"))
    self.isOpen = Mutex(isOpen)
  }

  /// What was sent together, in the order of sending.
  var batches: [[Mutation]] { sent.withLock { $0 } }

  func open() { isOpen.withLock { $0 = true } }

  func perform(_ mutation: Mutation) async throws -> MutationResult {
    try await link.perform(mutation)
  }

  func perform(_ mutations: [Mutation]) async throws -> [MutationResult] {
    sent.withLock { $0.append(mutations) }
    try await eventually("the way is open") { self.isOpen.withLock { $0 } }
    return try await link.perform(mutations)
  }
}
