import ArgumentParser
import Foundation
import ParcelClient
import SectileFeedClient

/// Holds streams open until the service ends them.
struct HoldCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hold", abstract: "Holds streams open until the service ends them.")

  @OptionGroup var server: ServerOptions
  @Option(help: "How many streams.")
  var clients = 50
  @Option(help: "How many of them are not read.")
  var stalled = 10

  func run() async throws {
    let address = ServerAddress(host: server.host, port: server.port)
    let followers = try (0..<clients).map { number in
      try Follower(of: address, number < stalled ? .stalled : .steady)
    }
    for follower in followers { follower.parcels.load() }
    while !followers.allSatisfy(\.stream.isWhole) { try await Self.wait() }
    // At once, although nobody at a terminal reads it.
    FileHandle.standardOutput.write(Data("open\n".utf8))
    // Those that read hear of the end by themselves.
    while followers.contains(where: { $0.parcels.state == .live && $0.manner == .steady }) {
      try await Self.wait()
    }
    for follower in followers { follower.parcels.cancel() }
  }

  private static func wait() async throws { try await Task.sleep(for: .milliseconds(20)) }
}
