import ParcelService
import Synchronization

/// How long it took from a write to a client, for each client and each write it was told of.
final class Latencies: Sendable {
  /// Whose write it was, and whom it was told.
  enum Kind: String, CaseIterable {
    case steady = "write to client"
    /// What such a client missed while it was away counts from the write on.
    case restless = "write to client that comes and goes"
    case outside = "write of another process to client"
  }

  private let microseconds = Mutex<[Kind: [Int64]]>([:])

  /// Records what a client has just been told.
  ///
  /// - Parameters:
  ///   - parcels: The parcels.
  ///   - isRestless: Whether the client comes and goes.
  func record(_ parcels: [Parcel], isRestless: Bool) {
    let now = Parcel.now
    microseconds.withLock { lists in
      for parcel in parcels {
        let isOutside = parcel.recipient == OutsideCommand.recipient
        if isOutside && isRestless { continue }
        let kind: Kind = isOutside ? .outside : isRestless ? .restless : .steady
        lists[kind, default: []].append(now - parcel.updated)
      }
    }
  }

  /// Lines for a report.
  var lines: [String] {
    let lists = microseconds.withLock { $0 }
    return Kind.allCases.compactMap { kind in lists[kind].map { Self.line(kind, $0.sorted()) } }
  }

  private static func line(_ kind: Kind, _ sorted: [Int64]) -> String {
    func share(_ share: Double) -> String {
      text(sorted[Int(Double(sorted.count - 1) * share)])
    }
    return "\(kind.rawValue): p50 \(share(0.5)), p99 \(share(0.99)), max \(share(1)) "
      + "(\(sorted.count) of them)"
  }

  private static func text(_ microseconds: Int64) -> String {
    let tenths = (microseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
