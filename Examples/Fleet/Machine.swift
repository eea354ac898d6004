#if Postgres && Server
  import Foundation
  import Hummingbird
  import Logging
  import Sectile
  import SectileHub
  import SectilePostgres
  import SectileServer
  import ServiceLifecycle

  /// What runs on a machine: a replica, a server in front of it.
  struct Machine {
    /// The hub's tables that every machine has.
    static let tables = ["depot", "parcel"]

    let hub: PostgresHub
    let file: String
    let port: Int
    let logger: Logger

    /// Runs until the process is told to end.
    func run() async throws {
      var configuration = ReplicaConfiguration()
      configuration.offlineTables = ["parcel"]
      configuration.writeTimeout = .seconds(5)
      configuration.onEvent = { say($0.line) }
      let replica = try await Replica.open(
        at: file, following: hub, tables: Self.tables.map { TableSubscription($0) },
        configuration: configuration)
      do {
        try await group(replica).run()
      } catch {
        // A group that has begun has closed it already, and then this does nothing.
        try? await replica.close()
        throw error
      }
    }

    /// Services end from the last to the first: streams of pages, then the server, then the
    /// replica.
    private func group(_ replica: Replica) throws -> ServiceGroup {
      let live = LiveRoutes(
        of: replica.store, serving: ["parcels": try LiveRequest(Parcel.list)])
      let router = Router()
      // A service's own middleware comes here: who may read, and who may write.
      Page.add(to: router)
      live.add(to: router.group("live"))
      MachineRoutes(name: hub.name, replica: replica).add(to: router)
      let server = Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { say("listening at http://127.0.0.1:\($0.localAddress?.port ?? 0)/") },
        logger: logger)
      var configuration = ServiceGroupConfiguration(
        services: [ReplicaService(replica: replica, hub: hub), server, live],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
      // The last resort, for a client that sends its request for ever.
      configuration.maximumGracefulShutdownDuration = .seconds(10)
      return ServiceGroup(configuration: configuration)
    }
  }

  /// Closes a replica when everything else has ended.
  private struct ReplicaService: Service {
    let replica: Replica
    let hub: PostgresHub

    func run() async throws {
      try? await gracefulShutdown()
      try await replica.close()
      await hub.close()
      say("ended")
    }
  }

  /// Prints a line at once, with the time.
  private func say(_ text: String) {
    let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: true))
    FileHandle.standardOutput.write(Data("\(time) \(text)\n".utf8))
  }
#endif
