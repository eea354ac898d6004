import ParcelClient
import ParcelService
import Sectile
import SectileFeedClient
import Synchronization

/// What all clients are told.
final class Tally: Sendable {
  /// How long it took.
  let latencies = Latencies()
  private let state = Mutex((changesets: 0, failures: [String]()))

  /// How many changesets.
  var changesets: Int { state.withLock { $0.changesets } }
  /// What is wrong with what the service tells; connections that end are not.
  var failures: [String] { state.withLock { $0.failures } }

  /// Notes what a client tells.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - manner: How the client behaves.
  func note(_ event: DataSourceEvent<Int64, Parcel>, for manner: Follower.Manner) {
    switch event {
    case .didPartiallyLoad(let changes):
      state.withLock { $0.changesets += 1 }
      // Those that are stalled are late because they want to be.
      guard manner != .stalled, let parcels = try? Self.parcels(of: changes) else { return }
      latencies.record(parcels, isRestless: manner == .restless)
    case .didFail(let error as FeedClientError) where error.isFinal || error.code == .inconsistent:
      state.withLock { $0.failures.append("a \(manner) client failed: \(error)") }
    case .willLoad, .didFinishLoading, .didFail: break
    }
  }

  /// The parcels that are new or other than before.
  private static func parcels(of changes: Changeset<Int64, Parcel>) throws -> [Parcel] {
    try changes.inserts.map { try $0.item } + changes.moves.map { try $0.item }
      + changes.updates.map { try $0.item }
  }
}
