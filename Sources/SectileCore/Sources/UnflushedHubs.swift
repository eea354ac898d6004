/// Hubs that something was submitted to, until it is delivered.
package struct UnflushedHubs: Sendable {
  private var hubs = FirstInFirstOut<HubCore>()

  package init() {}

  package var isEmpty: Bool { hubs.isEmpty }

  /// Adds a hub.
  package mutating func append(_ hub: consuming HubCore) { hubs.append(hub) }

  /// Takes all hubs and delivers what was submitted to them, in the order of submission.
  package mutating func flush() {
    if hubs.count == 1, let hub = hubs.popFirst() {
      DrainScope.flush(hub)
    } else {
      DrainScope.flush(hubs.removeAll())
    }
  }
}
