import Foundation
import Sectile
import SectileFeedClient
import SectileHTTP
import Synchronization

/// A parcel as a client knows it, of either release.
struct StormItem: Decodable, Hashable, Sendable {
  let id: Int64
  let status: String
  let recipient: String
  let weight: Int
  let carrier: String?
}

/// What one client says of itself.
struct StormReport: Encodable {
  let client: String
  let state: String
  /// Whether it shows what a fetch gives.
  let equal: Bool
  /// The number of the probe that it shows; 0 for none.
  let probe: Int
  /// For how many seconds it said at most that it is live, and lacked a probe that was written.
  let worst: Double
  /// The errors that it ended with before it began anew.
  let told: [String]
  let error: String
}

/// When the probes were acknowledged, on a clock that stands still while the process sleeps.
struct AwakeTimes {
  /// More than this between two ticks was sleep, of which nobody could say anything.
  private static let longestTick = 0.3
  private var last = ContinuousClock.now
  private var times: [Double] = []
  /// What the clock says.
  private(set) var now = 0.0

  /// Has the clock go on.
  mutating func pass() {
    let moment = ContinuousClock.now
    now += min((moment - last) / .seconds(1), Self.longestTick)
    last = moment
  }

  /// Notes that all probes up to a number are written.
  mutating func note(_ number: Int) {
    while times.count < number { times.append(now) }
  }

  /// Since when a client that shows a probe lacks the next; nil where there is none.
  func missing(after probe: Int) -> Double? {
    times.indices.contains(probe) ? times[probe] : nil
  }
}

/// One client, and how it was judged so far.
struct StormClient {
  private let name: String
  private let parcels: FeedClient<Int64, StormItem>
  private let told = Told()
  private var liveSince: Double?
  private var worst = 0.0

  /// Errors that a client ended with.
  private final class Told: Sendable {
    private let codes = Mutex<[String]>([])

    var all: [String] { codes.withLock { $0 } }

    func add(_ code: String) { codes.withLock { $0.append(code) } }
  }

  init(_ name: String, url: String, heartbeat: Duration, longestWait: Duration) throws {
    self.name = name
    let transport = try FeedHTTPTransport(
      serviceURL: "\(url)?client=\(name)", connectTimeout: heartbeat * 3,
      answerTimeout: heartbeat * 3)
    parcels = FeedClient(
      name: name, transport: transport,
      configuration: FeedClientConfiguration(
        heartbeat: heartbeat, firstDelay: .milliseconds(500), delayLimit: longestWait))
  }

  /// Follows from now on.
  ///
  /// Who is told that another release stands there agrees, and begins anew.
  func begin() {
    let (parcels, told) = (parcels, told)
    Task {
      for await state in parcels.states {
        guard case .ended(let error?) = state else { continue }
        told.add(error.code.description)
        if error.code == .otherSource || error.code == .otherRequest { parcels.load() }
      }
    }
    parcels.load()
  }

  /// Ends.
  func end() { parcels.cancel() }

  /// Looks whether it says that it is live while it lacks a probe.
  mutating func look(beside acknowledged: AwakeTimes) {
    let state = parcels.state
    guard state == .live else {
      liveSince = nil
      return
    }
    let since = liveSince ?? acknowledged.now
    liveSince = since
    guard let missing = acknowledged.missing(after: probe) else { return }
    worst = max(worst, acknowledged.now - max(missing, since))
  }

  /// The number of the probe that it shows: the weight of the first parcel, whose id is zero.
  private var probe: Int {
    guard let first = try? parcels.item(at: ItemPath(section: 0, item: 0)), first.id == 0 else {
      return 0
    }
    return max(0, first.weight)
  }

  /// Says how it stands.
  func report(beside fresh: SectionedContents<Int64, StormItem>) -> StormReport {
    let sections = (try? parcels.snapshot.materialized())?.sections
    let state =
      switch parcels.state {
      case .connecting: "connecting"
      case .live: "live"
      case .stale: "stale"
      case .ended: "ended"
      }
    return StormReport(
      client: name, state: state, equal: sections == fresh.sections, probe: probe,
      worst: (worst * 100).rounded() / 100, told: told.all,
      error: parcels.lastError?.code.description ?? "")
  }
}
