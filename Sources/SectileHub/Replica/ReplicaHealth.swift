#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whether a replica is as it should be, for who watches over it.
public enum ReplicaHealth: Hashable, Sendable {
  /// Its rows are not older than is allowed.
  case current
  /// Its rows are older, or have not come yet. It does what it can; why it is late, in words.
  case behind(String)
  /// It does not follow the hub any more until somebody does something; why, in words.
  case stopped(String)
}

extension ReplicaStatus {
  /// Whether the replica is as it should be.
  ///
  /// ```swift
  /// router.get("/health") { _, _ in
  ///   switch replica.status.health() {
  ///   case .current: HTTPResponse.Status.ok
  ///   case .behind, .stopped: .serviceUnavailable
  ///   }
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
