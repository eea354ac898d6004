import Foundation
import SectileCore
import SectileFeedClient
import SectileTestSupport
import Testing

/// A client, its service, and all the time in the world: nothing happens but what a test brings
/// about.
final class ClientWorld: Sendable {
  struct Broken: Error {}

  let executor = ManualExecutor()
  let clock = ManualClock()
  let transport = ScriptedTransport()
  let recorder = ChangeRecorder<Int, Plum>()
  let client: FeedClient<Int, Plum>

  init(_ prepare: (inout FeedClientConfiguration) -> Void = { _ in }) {
    var configuration = FeedClientConfiguration(
      clock: clock, now: { [clock] in Self.date(clock.now.offset) }, jitterSeed: 1,
      executor: executor)
    prepare(&configuration)
    client = FeedClient(name: "plums", transport: transport, configuration: configuration)
    client.delegate = recorder
  }

  /// The date that the clock shows so long after its beginning.
  static func date(_ offset: Duration) -> Date {
    Date(timeIntervalSinceReferenceDate: offset / .seconds(1))
  }

  func run() { executor.runUntilIdle() }

  func load() {
    client.load()
    run()
  }

  /// Lets time pass.
  func wait(_ duration: Duration) {
    clock.advance(by: duration)
    run()
  }

  /// Lets so much time pass that the client tries again.
  func waitForNextAttempt() throws {
    let count = transport.connections.count
    wait(try #require(clock.untilNextWake))
    try #require(transport.connections.count == count + 1)
  }

  var connection: ScriptedTransport.Connection {
    get throws { try #require(transport.connections.last) }
  }

  /// The service answers with a stream, and says something.
  func answer(_ bytes: [UInt8] = []) throws {
    try connection.send(.head(FeedStreamHead()))
    try say(bytes)
  }

  func say(_ bytes: [UInt8]) throws {
    if !bytes.isEmpty { try connection.send(.bytes(bytes)) }
    run()
  }

  func say(_ text: String) throws { try say(Array(text.utf8)) }

  /// The connection ends.
  func cut(_ error: (any Error)? = nil) throws {
    try connection.end(error)
    run()
  }

  /// What a reader sees.
  var sections: [Recording.Section] { client.snapshot.contents.sections }
}
