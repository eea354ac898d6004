internal import Foundation
internal import NIOHTTP1
internal import ParcelService
internal import Synchronization

/// Clients that write at a steady rate, several at a time.
public final class ParcelWriter: Sendable {
  /// What a service writes itself, as a client says it.
  private struct Input: Encodable {
    let status: String
    let recipient: String
    let weight: Int
    let updated: Int64
  }

  /// The numbers of the parcels that are written.
  public let parcels: ClosedRange<Int64>
  private let server: ServerAddress
  private let counts = Mutex((written: 0, failed: 0))

  /// Creates writers.
  ///
  /// - Parameters:
  ///   - server: Whom they write to.
  ///   - parcels: The numbers of the parcels that they write.
  public init(to server: ServerAddress, parcels: ClosedRange<Int64>) {
    self.server = server
    self.parcels = parcels
  }

  /// How many writes were acknowledged.
  public var written: Int { counts.withLock { $0.written } }
  /// How many were not: refused, or cut off.
  public var failed: Int { counts.withLock { $0.failed } }

  /// Writes for a while.
  ///
  /// - Parameters:
  ///   - rate: How many writes a second.
  ///   - duration: How long.
  ///   - connections: How many write at a time.
  public func write(rate: Int, for duration: Duration, connections: Int = 8) async {
    let begin = ContinuousClock.now
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<connections {
        group.addTask { [self] in
          var next = begin + .seconds(1) * number / rate
          while next < begin + duration, !Task.isCancelled {
            do {
              try await Task.sleep(until: next)
              next += .seconds(1) * connections / rate
              try await writeOne()
            } catch {
              counts.withLock { $0.failed += 1 }
              try? await Task.sleep(for: .milliseconds(50))
            }
          }
        }
      }
    }
  }

  private func writeOne() async throws {
    let id = Int64.random(in: parcels)
    let answer: (status: Int, bytes: [UInt8])
    if Int.random(in: 0..<20) == 0 {
      answer = try await server.answer(.DELETE, "/parcels/\(id)")
      // Nothing is there to be deleted, and nothing was written.
      if answer.status == 404 { return }
    } else {
      let input = Input(
        status: Self.statuses[Int.random(in: 0..<Self.statuses.count)], recipient: "Ada \(id)",
        weight: Int.random(in: 1...5_000), updated: Parcel.now)
      let body = try JSONEncoder().encode(input)
      answer = try await server.answer(.PUT, "/parcels/\(id)", Array(body))
    }
    guard answer.status == 204 else { throw ClientError.refused(answer.status, answer.bytes) }
    counts.withLock { $0.written += 1 }
  }

  /// Where a parcel may be.
  public static let statuses = ["delivered", "lost", "travelling", "waiting"]
}
