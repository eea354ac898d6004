public import SectileStore
internal import Synchronization

/// A SQLite file that has tables of a hub, and follows every commit of it.
///
/// Its ``store`` is a store like any other: live results and feeds on it tell each commit of the
/// hub as an exact changeset. Tables of the hub are written to at the hub, with
/// ``write(until:_:)``; the file refuses everybody else's writes to them. Other tables of the file
/// are the program's own.
///
/// ```swift
/// let replica = try await Replica.open(
///   at: "fleet.sqlite", following: hub, tables: ["depot", "parcel"])
/// let parcels = try replica.store.results(of: FetchRequest<Parcel>().sort(by: \.due))
/// try await replica.write { changes in
///   try changes.update("parcel", key: 7, set: ["state": "delivered"])
/// }
/// ```
///
/// Several processes may open one file. One of them follows the hub for all; where it ends, another
/// takes its place within about a second.
///
/// What is promised:
///
/// * The rows are those of the hub at one position of its log, at any time. They go forward only,
///   except where the hub has lost commits; then all rows are compared (``ReplicaResync``), and
///   what differs arrives as one changeset.
/// * A transaction of the hub is never split. Several may arrive as one.
/// * Where the hub cannot be reached, reading goes on, ``status`` tells how old the rows are, and
///   writes throw `unavailable`.
public final class Replica: Sendable {
  /// The file, which is closed with the replica.
  public let store: Store
  let board: StatusBoard
  let feed: any ReplicationFeed
  let sink: any MutationSink
  let sender: MutationSender
  let configuration: ReplicaConfiguration
  let requests = ResyncRequests()

  // MARK: - Mutable state
  //
  // - `task`: guarded by its mutex; nil before it runs, and after the replica was closed.
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    _ store: Store, _ hub: any Hub, _ configuration: ReplicaConfiguration, _ board: StatusBoard
  ) {
    (self.store, self.configuration, self.board) = (store, configuration, board)
    feed = hub
    sink = hub
    sender = MutationSender(hub, timeout: configuration.writeTimeout)
  }

  deinit { task.withLock { $0?.cancel() } }

  /// Where the replica stands, as this process sees it.
  public var status: ReplicaStatus { board.status }

  /// Stops following the hub, and closes the file.
  ///
  /// - Throws: `StoreError` where the file cannot be closed.
  public func close() async throws {
    let running = task.withLock { exchange(&$0, with: nil) }
    running?.cancel()
    await running?.value
    requests.close()
    board.enter(.closed)
    try await store.close()
  }

  /// Follows the hub from now on, as soon as no other process does.
  func start(_ worker: ReplicaWorker, _ election: ReplicatorElection) {
    let (board, requests) = (board, requests)
    task.withLock { task in
      task = Task {
        let isElected = await election.wait {
          requests.noteFollower(isHere: false)
          await worker.lookOn()
        }
        guard isElected else { return }
        requests.noteFollower(isHere: true)
        board.tell(.elected)
        await worker.run()
        election.resign()
      }
    }
  }
}

private func exchange<Value>(_ place: inout Value, with value: Value) -> Value {
  let old = place
  place = value
  return old
}
