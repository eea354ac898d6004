/// Something that happens to a replica, for logs and alarms.
///
/// ```swift
/// configuration.onEvent = { event in
///   if event.kind == .parked, let entry = event.entry { alarm("refused: \(entry.id)") }
/// }
/// ```
///
/// What an event has besides its ``kind`` depends on that: the property of anything else is nil.
public struct ReplicaEvent: Sendable {
  package let content: Content

  init(_ content: Content) { self.content = content }

  /// What kind of event it is.
  public var kind: Kind {
    switch content {
    case .elected: .elected
    case .resumed: .resumed
    case .resyncBegan: .resyncBegan
    case .copied: .copied
    case .resyncEnded: .resyncEnded
    case .interrupted: .interrupted
    case .withheld: .withheld
    case .parked: .parked
    case .stopped: .stopped
    }
  }

  /// Where the replica stands: where it has resumed, or after a comparison.
  public var token: HubToken? {
    switch content {
    case .resumed(let token): token
    case .resyncEnded(let resync): resync.token
    default: nil
    }
  }

  /// Why all rows are compared with the hub's.
  public var reason: ReplicaResync.Reason? {
    switch content {
    case .resyncBegan(let reason): reason
    case .resyncEnded(let resync): resync.reason
    default: nil
    }
  }

  /// How many rows have come.
  public var rowCount: Int? {
    switch content {
    case .copied(let rowCount, _): rowCount
    case .resyncEnded(let resync): resync.rowCount
    default: nil
    }
  }

  /// About how many rows will come; nil also where the hub cannot tell.
  public var rowCountEstimate: Int? {
    if case .copied(_, let estimate) = content { estimate } else { nil }
  }

  /// What a comparison has done.
  public var resync: ReplicaResync? {
    if case .resyncEnded(let resync) = content { resync } else { nil }
  }

  /// Why the replica was interrupted, or has stopped.
  public var error: (any Error)? {
    switch content {
    case .interrupted(let error, _): error
    case .stopped(let error): error
    default: nil
    }
  }

  /// After how long the hub is tried again.
  public var retryDelay: Duration? {
    if case .interrupted(_, let delay) = content { delay } else { nil }
  }

  /// The value that rows do not have.
  public var withheldValue: WithheldValue? {
    if case .withheld(let value) = content { value } else { nil }
  }

  /// The entry of the outbox that the hub has refused.
  public var entry: OutboxEntry? {
    if case .parked(let entry) = content { entry } else { nil }
  }
}

extension ReplicaEvent {
  /// This process follows the hub now, for all processes that have the file open.
  public static let elected = ReplicaEvent(.elected)

  /// The replica goes on where it stood.
  public static func resumed(_ token: HubToken) -> ReplicaEvent { ReplicaEvent(.resumed(token)) }

  /// All rows of the hub are being read, and why.
  public static func resyncBegan(_ reason: ReplicaResync.Reason) -> ReplicaEvent {
    ReplicaEvent(.resyncBegan(reason))
  }

  /// So many of them have come, of about so many; nil where the hub cannot tell.
  ///
  /// It is told again and again.
  public static func copied(rowCount: Int, estimate: Int?) -> ReplicaEvent {
    ReplicaEvent(.copied(rowCount: rowCount, estimate: estimate))
  }

  /// The rows are the hub's.
  public static func resyncEnded(_ resync: ReplicaResync) -> ReplicaEvent {
    ReplicaEvent(.resyncEnded(resync))
  }

  /// The hub cannot be reached, or said what the replica cannot do; it is tried again after a
  /// while.
  public static func interrupted(_ error: any Error, retryAfter delay: Duration) -> ReplicaEvent {
    ReplicaEvent(.interrupted(error, retryAfter: delay))
  }

  /// Rows have NULL where the hub has a value that replicas cannot have.
  ///
  /// It is told once for each column and reason.
  public static func withheld(_ value: WithheldValue) -> ReplicaEvent {
    ReplicaEvent(.withheld(value))
  }

  /// The hub has refused a mutation of the outbox, and the rows do not show it any more.
  public static func parked(_ entry: OutboxEntry) -> ReplicaEvent { ReplicaEvent(.parked(entry)) }

  /// Nothing is applied any more, because the hub's schema is of a version that this program does
  /// not know.
  ///
  /// What is there is served on.
  public static func stopped(_ error: HubError) -> ReplicaEvent { ReplicaEvent(.stopped(error)) }
}

/// A comparison of all rows with the hub's.
public struct ReplicaResync: Hashable, Sendable {
  /// Why rows are compared.
  public typealias Reason = ResyncReason

  /// Why it was done.
  public var reason: Reason
  /// Where the replica stands after it.
  public var token: HubToken
  /// How many rows the hub has.
  public var rowCount: Int
  /// How many rows went away.
  public var deletedCount: Int
  /// How many rows came or were changed.
  public var writtenCount: Int
}
