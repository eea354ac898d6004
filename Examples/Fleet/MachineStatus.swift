#if Postgres && Server
  import Hummingbird
  import SectileHub

  /// Where a machine stands, for its page and for who watches over it.
  struct MachineStatus: ResponseEncodable {
    let name: String
    let phase: String
    /// How old the last sign of life of the hub is, in seconds.
    let lag: Double?
    /// How late it was when it came, in seconds.
    let measuredLag: Double?
    /// Up to where the hub's commits are applied.
    let position: String?
    let token: String?
    /// Transactions of the hub since the process began.
    let transactions: Int
    let resyncs: Int
    /// Writes that wait for the hub, or for their rows to come back.
    let waiting: Int
    /// Writes that the hub has refused.
    let parked: Int

    init(of replica: Replica, name: String) async throws {
      let status = replica.status
      let parked = try await replica.outbox().map { $0.state.isParked }
      self.name = name
      phase = status.phase.line
      lag = status.lag().map { $0 / .seconds(1) }
      measuredLag = status.measuredLag.map { $0 / .seconds(1) }
      position = status.token.map { "\($0.position)" }
      token = status.token.map { "\($0)" }
      transactions = status.appliedTransactionCount
      resyncs = status.resyncCount
      waiting = parked.count { !$0 }
      self.parked = parked.count { $0 }
    }
  }

  extension OutboxEntry.State {
    fileprivate var isParked: Bool { if case .parked = self { true } else { false } }
  }

  extension ReplicaStatus.Phase {
    /// The phase in a word or two.
    fileprivate var line: String {
      switch self {
      case .following(elsewhere: false): "following"
      case .following(elsewhere: true): "another process follows"
      case .connecting: "connecting"
      case .copying(let rowCount, _): "copying, \(rowCount) rows so far"
      case .comparing: "comparing"
      case .waiting(let error, _): "waiting: \(error)"
      case .stopped(let error): "stopped: \(error.message)"
      case .closed: "closed"
      }
    }
  }

  extension ReplicaEvent {
    /// The event in a line of a log.
    var line: String {
      switch content {
      case .resumed(let token): "goes on at \(token.position)"
      case .resyncBegan(let reason): "reads all rows: \(reason)"
      case .resyncEnded(let resync):
        "compared \(resync.rowCount) rows: \(resync.deletedCount) "
          + "went, \(resync.writtenCount) came or changed"
      case .interrupted(let error, _): "interrupted: \(error)"
      case .parked(let entry): "parked entry \(entry.id): \(entry.state.reason)"
      case .stopped(let error): "stopped: \(error.message)"
      default: "\(kind)"
      }
    }
  }

  extension OutboxEntry.State {
    fileprivate var reason: String {
      guard case .parked(let rejection) = self else { return "" }
      return "\(rejection.kind), \(rejection.message)"
    }
  }
#endif
