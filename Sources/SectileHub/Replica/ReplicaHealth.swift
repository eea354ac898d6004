public import FoundationEssentials

/// Whether a replica is as it should be, for who watches over it.
public struct ReplicaHealth: Hashable, Sendable {
  /// What kind of health it is.
  ///
  /// Kinds may be added in any release, so compare with `==`, or `switch` with a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case current, behind, stopped
    }

    private let name: Name

    /// The kind's name.
    public var description: String { name.rawValue }

    /// Its rows are not older than is allowed.
    public static let current = Kind(name: .current)
    /// Its rows are older, or have not come yet: it does what it can.
    public static let behind = Kind(name: .behind)
    /// It does not follow the hub any more until somebody does something.
    public static let stopped = Kind(name: .stopped)
  }

  /// What kind of health it is.
  public let kind: Kind
  /// Why the replica is late or has stopped, in words; nil where it is current.
  public let reason: String?

  private init(_ kind: Kind, _ reason: String? = nil) { (self.kind, self.reason) = (kind, reason) }

  /// Its rows are not older than is allowed.
  public static let current = ReplicaHealth(.current)

  /// Its rows are older, or have not come yet; why, in words.
  public static func behind(_ reason: String) -> ReplicaHealth { ReplicaHealth(.behind, reason) }

  /// It does not follow the hub any more until somebody does something; why, in words.
  public static func stopped(_ reason: String) -> ReplicaHealth { ReplicaHealth(.stopped, reason) }
}

extension ReplicaHealth: CustomStringConvertible {
  /// The kind, and the reason where there is one.
  public var description: String { reason.map { "\(kind): \($0)" } ?? "\(kind)" }
}

extension ReplicaStatus {
  /// Whether the replica is as it should be.
  ///
  /// ```swift
  /// router.get("/health") { _, _ in
  ///   let isCurrent = replica.status.health().kind == .current
  ///   return isCurrent ? HTTPResponse.Status.ok : .serviceUnavailable
  /// }
  /// ```
  ///
  /// A hub that is away for a moment is no ill: rows are served as before, and it counts how old
  /// they are. Where the hub has told no sign of life (``ReplicaConfiguration/heartbeatInterval``),
  /// it counts whether it is followed.
  ///
  /// - Parameters:
  ///   - limit: How long ago the last sign of life may be.
  ///   - now: The time, by this machine's clock.
  /// - Returns: The health.
  public func health(lagLimit limit: Duration = .seconds(30), at now: Date = Date())
    -> ReplicaHealth
  {
    switch phase {
    case .closed: return .stopped("the replica is closed")
    case .stopped(let error): return .stopped(error.message)
    case .following, .connecting, .copying, .comparing, .waiting: break
    }
    guard token != nil else { return .behind("the hub's rows have not come yet") }
    if let lag = lag(at: now) {
      guard lag > limit else { return .current }
      return .behind(
        "the hub's last sign of life is \(lag / .seconds(1)) seconds old"
          + (hindrance.map { ": \($0)" } ?? ""))
    }
    return hindrance.map { .behind($0) } ?? .current
  }

  /// Why nothing comes from the hub; nil while its commits come.
  private var hindrance: String? {
    switch phase {
    case .closed, .stopped: nil
    case .following: trouble
    case .connecting: trouble ?? "it is on its way to the hub"
    case .copying, .comparing: "its rows are compared with the hub's"
    case .waiting(let error, _): (error as? HubError)?.message ?? "\(error)"
    }
  }
}
