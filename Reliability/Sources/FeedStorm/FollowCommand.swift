import ArgumentParser
import Foundation
import Sectile

/// Follows a feed with many clients, and says of each how it stands when it is asked to.
///
/// Standard input has a line for each command: `ack N` when the probe N is written, `report FILE`
/// for a line of JSON of each client, beside a fetch in a file. The end of the input ends it.
struct FollowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follows a feed with many clients.")

  @Option(help: "The address of the feed; each client adds its name to it.")
  var url: String
  @Option(help: "What the names of the clients begin with.")
  var name = "swift"
  @Option(help: "How many clients.")
  var clients = 10
  @Option(help: "The milliseconds between two heartbeats, until the service says it.")
  var heartbeat = 15_000
  @Option(help: "The longest wait before another attempt to connect, in milliseconds.")
  var longestWait = 30_000

  private enum Signal: Sendable {
    case tick
    case line(String)
  }

  func validate() throws {
    guard clients > 0, (1...3_600_000).contains(heartbeat), (1...3_600_000).contains(longestWait)
    else { throw ValidationError("The numbers are above zero, and times at most an hour.") }
  }

  func run() async throws {
    var followers = try (0..<clients).map { number in
      try StormClient(
        "\(name)-\(number)", url: url, heartbeat: .milliseconds(heartbeat),
        longestWait: .milliseconds(longestWait))
    }
    for follower in followers { follower.begin() }
    var acknowledged = AwakeTimes()
    for await signal in Self.signals() {
      switch signal {
      case .tick:
        acknowledged.pass()
        for index in followers.indices { followers[index].look(beside: acknowledged) }
      case .line(let line):
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        if words.count == 2, words[0] == "ack", let number = Int(words[1]) {
          acknowledged.note(number)
        } else if words.count == 2, words[0] == "report" {
          try Self.report(on: followers, beside: words[1])
        }
      }
    }
    for follower in followers { follower.end() }
  }

  /// Ticks, and the lines of standard input, until that ends.
  private static func signals() -> AsyncStream<Signal> {
    let (signals, continuation) = AsyncStream<Signal>.makeStream()
    let ticks = Task {
      while !Task.isCancelled {
        continuation.yield(.tick)
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    // Reading blocks the thread.
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(.line(line)) }
      ticks.cancel()
      continuation.finish()
    }
    return signals
  }

  private static func report(on followers: [StormClient], beside file: String) throws {
    let fresh = try JSONDecoder().decode(
      SectionedContents<Int64, StormItem>.self,
      from: try Data(contentsOf: URL(fileURLWithPath: file)))
    var bytes = Data()
    let encoder = JSONEncoder()
    for follower in followers {
      bytes += try encoder.encode(follower.report(beside: fresh))
      bytes += Data("\n".utf8)
    }
    bytes += Data("{\"reported\":\(followers.count)}\n".utf8)
    FileHandle.standardOutput.write(bytes)
  }
}
