extension ReplicaEvent {
  /// What an event tells, for modules of this package: they have to say something of each.
  package enum Content: Sendable {
    case elected
    case resumed(HubToken)
    case resyncBegan(ReplicaResync.Reason)
    case copied(rowCount: Int, estimate: Int?)
    case resyncEnded(ReplicaResync)
    case interrupted(any Error, retryAfter: Duration)
    case withheld(WithheldValue)
    case parked(OutboxEntry)
    case stopped(HubError)
  }
}

extension ReplicaEvent: CustomStringConvertible {
  /// What has happened, in one line.
  public var description: String {
    switch content {
    case .elected: "this process follows the hub"
    case .resumed(let token): "goes on at \(token.position)"
    case .resyncBegan(let reason): "reads all rows: \(reason)"
    case .copied(let rowCount, _): "\(rowCount) row\(rowCount == 1 ? " has" : "s have") come"
    case .resyncEnded(let resync):
      "has the hub's \(resync.rowCount) row\(resync.rowCount == 1 ? "" : "s") at "
        + "\(resync.token.position): \(resync.deletedCount) deleted, "
        + "\(resync.writtenCount) written"
    case .interrupted(let error, let delay):
      "interrupted: \((error as? HubError)?.message ?? "\(error)"); tries again in \(delay)"
    case .withheld(let value):
      "\(value.table).\(value.column) is NULL where the hub has another value: \(value.reason)"
    case .parked(let entry): "the hub has refused change \(entry.id) of the outbox"
    case .stopped(let error): "stopped: \(error.message)"
    }
  }
}
