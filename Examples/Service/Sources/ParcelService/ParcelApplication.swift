internal import Hummingbird
public import Logging
internal import Sectile
internal import SectileFeed
internal import SectileService
public import ServiceLifecycle
internal import UnixSignals

/// The service: a store, a list of it that is kept up to date, a feed for clients, a server.
///
/// ```swift
/// try await ParcelApplication(ServiceOptions(database: "parcels.sqlite"), logger: logger).run()
/// ```
public struct ParcelApplication: Service {
  private let options: ServiceOptions
  private let logger: Logger
  private let onRunning: @Sendable (Int) async -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - options: What an operator chooses.
  ///   - logger: Where everything is logged.
  ///   - onRunning: Called with the port when the service answers.
  public init(
    _ options: ServiceOptions, logger: Logger,
    onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
  ) {
    self.options = options
    self.logger = logger
    self.onRunning = onRunning
  }

  /// Runs until the process is told to end by SIGTERM or SIGINT, or the caller's group shuts down.
  ///
  /// - Throws: A `StoreError` where the database cannot be opened or closed; what the server
  ///   throws, such as for a port that is taken.
  public func run() async throws {
    var configuration = StoreConfiguration()
    configuration.report(to: logger)
    let store = try await Store.open(
      at: options.database, configuration: configuration, migrations: Parcel.migrations)
    do {
      let parcels = try store.results(of: Parcel.list)
      try await parcels.loadAndWait()
      try await group(store, parcels).run()
    } catch {
      // A group that has begun has closed it already, and then this does nothing.
      try? await store.close()
      throw error
    }
  }

  /// Services end from the last to the first: streams, so that the server need not wait for their
  /// clients; the server, when it has answered what it was asked; a backup that is under way; the
  /// store.
  private func group(_ store: Store, _ parcels: SectionedResults<Parcel>) -> ServiceGroup {
    let feed = Feed<_, Void>(of: parcels)
    let (onRunning, logger) = (onRunning, logger)
    let routes = ParcelRoutes(
      store: store, parcels: parcels, feed: feed, heartbeat: options.heartbeat)
    let server = Application(
      router: routes.router(),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: "parcels"),
      onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
      logger: logger)
    var services: [any Service] = [StoreService(store, logger: logger)]
    if let folder = options.backups {
      services.append(BackupService(of: store, to: folder, options.backupRules, logger: logger))
    }
    services += [server, StreamService { feed.finish() }] as [any Service]
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // The last resort, for a client that sends its request for ever.
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    return ServiceGroup(configuration: configuration)
  }
}
