import ArgumentParser
import Logging

/// Serves a list of parcels as one of two releases of a service would.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves a list of parcels, and tells of its changes.")

  @Option(help: "The database; it is created where there is none, and migrated.")
  var database: String
  @Option(help: "The port to listen at; 0 for any that is free.")
  var port = 0
  @Option(help: "The milliseconds between two heartbeats.")
  var heartbeat = 15_000
  @Option(help: "The milliseconds that clients are asked to wait before they connect again.")
  var retry = 2_000
  @Option(help: "Which release it is: 1, or 2, whose table has a column more.")
  var release = 1

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    guard (1...3_600_000).contains(heartbeat), (1...3_600_000).contains(retry) else {
      throw ValidationError("Times are 1 to 3600000 milliseconds.")
    }
    guard (1...2).contains(release) else { throw ValidationError("There are releases 1 and 2.") }
  }

  func run() async throws {
    var logger = Logger(label: "storm", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .warning
    let options = StormOptions(
      database: database, port: port, heartbeat: .milliseconds(heartbeat),
      retry: .milliseconds(retry))
    do {
      if release == 1 {
        try await StormService<Parcel>(options: options, logger: logger).run()
      } else {
        try await StormService<ParcelWithCarrier>(options: options, logger: logger).run()
      }
    } catch {
      logger.critical("\(error)")
      throw ExitCode.failure
    }
  }
}
