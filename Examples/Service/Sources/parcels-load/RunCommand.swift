import ArgumentParser
import Foundation
import NIOHTTP1
import ParcelClient
import ParcelService
import Sectile
import SectileFeedClient

/// Drives the service for a while: followers of all manners, writers, and a program that writes
/// beside it.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Writes, follows, and compares what all clients end with.")

  @OptionGroup var server: ServerOptions
  @Option(help: "How many clients follow the list.")
  var clients = 50
  @Option(help: "How many of them stop reading until the end.")
  var stalled = 10
  @Option(help: "How many of them go away and come back, again and again.")
  var reconnecting = 10
  @Option(help: "Writes a second through the service.")
  var rate = 200
  @Option(help: "Rows a second that another process writes; needs --database.")
  var outside = 20
  @Option(help: "For how many seconds.")
  var seconds = 60
  @Option(help: "How many parcels there are.")
  var parcels: Int64 = 300
  @Option(help: "The database of the service, for the process that writes beside it.")
  var database: String?
  @Option(help: "The process of the service, whose memory and descriptors are looked at.")
  var pid: Int32?
  @Option(help: "How many MiB the service may grow by.")
  var mostGrowth = 64
  @Flag(help: "The service is killed and started again meanwhile: writes may fail.")
  var survivesRestarts = false

  func validate() throws {
    guard clients >= stalled + reconnecting, rate > 0, seconds > 0, parcels > 0, outside >= 0 else {
      throw ValidationError("The numbers do not fit together.")
    }
  }

  func run() async throws {
    let address = ServerAddress(host: server.host, port: server.port)
    let tally = Tally()
    let followers = try (0..<clients).map { number in
      try Follower(
        of: address,
        number < stalled ? .stalled : number < stalled + reconnecting ? .restless : .steady)
    }
    let writer = ParcelWriter(to: address, parcels: 1...parcels)
    var findings: [String] = []
    try await withThrowingTaskGroup(of: Void.self) { group in
      for follower in followers {
        group.addTask { await follower.follow { tally.note($0, for: follower.manner) } }
      }
      findings = try await drive(writer, followers)
      group.cancelAll()
    }
    findings += tally.failures
    report(writer, followers, tally)
    for finding in findings { print("failed: \(finding)") }
    if !findings.isEmpty { throw ExitCode.failure }
    print("all \(clients) clients ended with what a fresh fetch gives")
  }

  /// Writes, wakes those that slept, and returns what is wrong.
  private func drive(_ writer: ParcelWriter, _ followers: [Follower]) async throws -> [String] {
    guard await holds({ followers.allSatisfy(\.stream.isWhole) }) else {
      return ["not every client got its first contents"]
    }
    let process = try database.flatMap { path in
      outside > 0 ? try OutsideCommand.start(path, rate: outside, seconds: seconds) : nil
    }
    // The first quarter is for what is set up once.
    async let early = figures(after: .seconds(seconds) / 4)
    await writer.write(rate: rate, for: .seconds(seconds))
    let late = figures()
    var findings = compare(await early, late)
    if let process {
      while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
      if process.terminationStatus != 0 { findings.append("the process that writes beside failed") }
    }
    followers.forEach { $0.stream.wake() }
    findings += try await judge(writer, followers)
    return findings
  }

  private func judge(_ writer: ParcelWriter, _ followers: [Follower]) async throws -> [String] {
    var findings: [String] = []
    let address = ServerAddress(host: server.host, port: server.port)
    let answer = try await address.answer(.GET, "/parcels")
    guard answer.status == 200 else { throw ClientError.refused(answer.status, answer.bytes) }
    let fresh = try JSONDecoder().decode(
      SectionedContents<Int64, Parcel>.self, from: Data(answer.bytes))
    func differing() -> Int {
      followers.count { follower in
        (try? follower.parcels.snapshot.materialized())?.sections != fresh.sections
      }
    }
    if await !holds({ differing() == 0 }) {
      findings.append("\(differing()) clients show other contents than a fresh fetch")
    }
    for follower in followers {
      let resets = follower.stream.resets
      let refused = resets["foreign", default: 0] + resets["ahead", default: 0]
      if refused > 0, !survivesRestarts {
        findings.append("the position of a \(follower.manner) client was not taken")
      }
    }
    if writer.failed > 0, !survivesRestarts { findings.append("\(writer.failed) writes failed") }
    // A tenth may be lost to a machine that is busy, and deletions of what is not there are not
    // counted.
    if writer.written < rate * seconds * 8 / 10, !survivesRestarts {
      findings.append("only \(writer.written) of \(rate * seconds) writes were made")
    }
    return findings
  }

  // MARK: - Figures

  private func figures(after delay: Duration) async -> ProcessFigures? {
    guard (try? await Task.sleep(for: delay)) != nil else { return nil }
    return figures()
  }

  private func figures() -> ProcessFigures? { pid.flatMap { ProcessFigures(of: $0) } }

  private func compare(_ early: ProcessFigures?, _ late: ProcessFigures?) -> [String] {
    guard pid != nil else { return [] }
    guard let early, let late else { return ["the service's process cannot be looked at"] }
    print("the service after a quarter: \(early.text)")
    print("the service at the end: \(late.text)")
    var findings: [String] = []
    if late.memory - early.memory > mostGrowth * 1_024 { findings.append("the memory grew") }
    // Those who come and go have one more for a moment.
    if late.descriptors - early.descriptors > reconnecting + 10 {
      findings.append("the descriptors grew")
    }
    return findings
  }

  private func report(_ writer: ParcelWriter, _ followers: [Follower], _ tally: Tally) {
    let streams = followers.map(\.stream)
    print("writes: \(writer.written) acknowledged, \(writer.failed) failed")
    tally.latencies.lines.forEach { print($0) }
    var resets: [String: Int] = [:]
    for stream in streams { resets.merge(stream.resets, uniquingKeysWith: +) }
    let reasons = resets.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print(
      "told: \(tally.changesets) changesets, \(resets.values.reduce(0, +)) resets "
        + "(\(reasons.joined(separator: ", "))), on "
        + "\(streams.reduce(0) { $0 + $1.connections }) connections; "
        + "events that do not fit: \(tally.failures.count)")
  }

  /// Waits until something holds, for a minute at most.
  private func holds(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if condition() { return true }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return false }
    }
    return condition()
  }
}
