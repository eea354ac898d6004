#if Postgres && Server
  import ArgumentParser
  import Logging
  import SectilePostgres

  /// One machine of a fleet: it has a replica of a PostgreSQL of its own, a live page of it, and
  /// takes writes.
  ///
  /// Once, to set the hub up: `Fleet --hub "host=db1 dbname=fleet" --name north --install`. Then on
  /// each machine, under a name of its own:
  /// `Fleet --hub "host=db1 dbname=fleet" --name north --file north.sqlite --port 8080`.
  @main struct Fleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "Fleet",
      abstract: "One machine of a fleet: a replica of PostgreSQL, its page, and writes.")

    @Option(help: "Where the hub is, as libpq reads it: \"host=db1 dbname=fleet\".")
    var hub: String
    @Option(help: "The machine's name: no other has it, and in every run it is the same.")
    var name: String
    @Option(help: "The machine's file; it is filled where there is none.")
    var file = "fleet.sqlite"
    @Option(help: "The port to listen at; 0 for any that is free.")
    var port = 8080
    @Flag(help: "Sets up the hub's tables, once, and ends.")
    var install = false

    func validate() throws {
      guard (0...65_535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    }

    func run() async throws {
      var logger = Logger(label: "fleet", factory: { StreamLogHandler.standardError(label: $0) })
      logger.logLevel = .warning
      let hub = try PostgresHub(connection: hub, name: name)
      do {
        if install {
          try await hub.install(Machine.tables)
          await hub.close()
        } else {
          try await Machine(hub: hub, file: file, port: port, logger: logger).run()
        }
      } catch {
        logger.critical("\(error)")
        throw ExitCode.failure
      }
    }
  }
#else
  @main struct Fleet {
    static func main() {
      print("Build the example with its traits: swift run --traits Postgres,Server Fleet")
    }
  }
#endif
