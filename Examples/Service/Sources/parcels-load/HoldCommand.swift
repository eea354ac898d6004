import ArgumentParser
import Foundation
import ParcelClient

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
    let followers = (0..<clients).map { Follower(of: address, $0 < stalled ? .stalled : .steady) }
    await withTaskGroup(of: Void.self) { group in
      for follower in followers { group.addTask { try? await follower.followOnce() } }
      while !followers.allSatisfy(\.list.isWhole) {
        guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
      }
      // At once, although nobody at a terminal reads it.
      FileHandle.standardOutput.write(Data("open\n".utf8))
      // Steady ones hear of the end by themselves; those that do not read have to look.
      for _ in 0..<(clients - stalled) { await group.next() }
      followers.forEach { $0.wake() }
    }
  }
}
