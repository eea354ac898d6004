internal import ArgumentParser
internal import Foundation
internal import Logging
internal import SampleService
internal import SampleTables

/// The program: reads its options, and runs the service.
@main
struct Program: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Serves the tables of a database, and tells of their changes.")

  @Option(help: "The database, which exists.")
  var database: String
  @Option(help: "How many connections read beside the one that writes.")
  var readers = 4
  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen at; 0 for any that is free.")
  var port = 8080
  @Option(help: "The folder of the backups; none are made without it.")
  var backups: String?
  @Option(help: "The seconds between two backups.")
  var backupInterval = 3_600
  @Option(help: "How many backups are kept.")
  var keptBackups = 24
  @Option(help: "What is logged: trace, debug, info, notice, warning, error or critical.")
  var logLevel = "info"

  func validate() throws {
    guard FileManager.default.fileExists(atPath: database) else {
      throw ValidationError("There is no file '\(database)'.")
    }
    guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    guard (1...64).contains(readers) else { throw ValidationError("There are 1 to 64 readers.") }
    guard backupInterval > 0, keptBackups > 0 else {
      throw ValidationError("There is one backup at least, and a second between two.")
    }
    guard Logger.Level(rawValue: logLevel) != nil else {
      throw ValidationError("There is no log level '\(logLevel)'.")
    }
  }

  func run() async throws {
    var logger = Logger(label: "sample", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    var options = ServiceOptions(database: database)
    options.readers = readers
    options.host = host
    options.port = port
    options.backups = backups
    options.backupInterval = .seconds(backupInterval)
    options.keptBackups = keptBackups
    do {
      let service = ServiceApplication(
        options, logger: logger, lists: { try await servedLists(in: $0) })
      try await service.run()
    } catch {
      logger.critical("\(error)")
      throw ExitCode.failure
    }
  }
}
