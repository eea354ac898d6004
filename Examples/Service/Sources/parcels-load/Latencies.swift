import ParcelService
import Synchronization

/// How long it took from a write to a client, for each client and each write it was told of.
final class Latencies: Sendable {
  private let microseconds = Mutex((inside: [Int64](), outside: [Int64]()))

  func record(_ parcels: [Parcel]) {
    let now = Parcel.now
    microseconds.withLock { lists in
      for parcel in parcels {
        if parcel.recipient == OutsideCommand.recipient {
          lists.outside.append(now - parcel.updated)
        } else {
          lists.inside.append(now - parcel.updated)
        }
      }
    }
  }

  /// Lines for a report.
  var lines: [String] {
    let (inside, outside) = microseconds.withLock { ($0.inside.sorted(), $0.outside.sorted()) }
    return [
      Self.line("write to client", inside), Self.line("outside to client", outside),
    ]
  }

  private static func line(_ name: String, _ sorted: [Int64]) -> String {
    guard let most = sorted.last else { return "\(name): none" }
    func share(_ share: Double) -> String {
      text(sorted[Int(Double(sorted.count - 1) * share)])
    }
    return
      "\(name): p50 \(share(0.5)), p99 \(share(0.99)), max \(text(most)) (\(sorted.count) of them)"
  }

  private static func text(_ microseconds: Int64) -> String {
    let tenths = (microseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
