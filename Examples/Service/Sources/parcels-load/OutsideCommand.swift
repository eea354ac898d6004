import ArgumentParser
import Foundation
import ParcelClient
import ParcelService
import Sectile

/// Writes to the database itself, as another program beside the service.
struct OutsideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outside", abstract: "Writes to the database, beside the service.")

  @Option(help: "The database.")
  var database: String
  @Option(help: "Rows a second.")
  var rate = 20
  @Option(help: "For how many seconds.")
  var seconds = 10
  @Option(help: "The first number of the parcels that are written.")
  var first: Int64 = 1_000_001

  func run() async throws {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.busyTimeout = .seconds(30)
    let store = try await Store.open(at: database, configuration: configuration)
    let begin = ContinuousClock.now
    for number in 0..<(rate * seconds) {
      try await Task.sleep(until: begin + .seconds(1) * number / rate)
      let status = ParcelWriter.statuses[number % ParcelWriter.statuses.count]
      let parcel = Parcel(
        id: first + Int64(number % 100), status: status, recipient: Self.recipient,
        weight: 1 + number, updated: Parcel.now)
      try await store.write { try $0.save(parcel) }
    }
    try await store.close()
  }

  /// What tells its parcels from others.
  static let recipient = "outside"

  /// Starts this command as a process of its own.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - rate: Rows a second.
  ///   - seconds: For how many seconds.
  /// - Returns: The process.
  /// - Throws: What starting it throws.
  static func start(_ database: String, rate: Int, seconds: Int) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "outside", "--database", database, "--rate", "\(rate)", "--seconds", "\(seconds)",
    ]
    try process.run()
    return process
  }
}
