internal import Hummingbird
public import Logging
public import Sectile
internal import SectileServer
internal import SectileService
public import ServiceLifecycle
internal import UnixSignals

/// The service: a store, lists of it that are kept up to date, feeds for clients, a server.
///
/// ```swift
/// let options = ServiceOptions(database: "sample.sqlite")
/// try await ServiceApplication(options, logger: logger, lists: { try await servedLists(in: $0) })
///   .run()
/// ```
public struct ServiceApplication: Service {
  private let options: ServiceOptions
  private let logger: Logger
  private let lists: @Sendable (Store) async throws -> [ServedList]
  private let onRunning: @Sendable (Int) async -> Void

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - options: What an operator chooses.
  ///   - logger: Where everything is logged.
  ///   - lists: Opens the lists that are served, in the store that is open.
  ///   - onRunning: Called with the port when the service answers.
  public init(
    _ options: ServiceOptions, logger: Logger,
    lists: @escaping @Sendable (Store) async throws -> [ServedList],
    onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
  ) {
    self.options = options
    self.logger = logger
    self.lists = lists
    self.onRunning = onRunning
  }

  /// Runs until the process is told to end by SIGTERM or SIGINT, or the caller's group shuts down.
  ///
  /// - Throws: A `StoreError` where the database cannot be opened or closed; what the server
  ///   throws, such as for a port that is taken.
  public func run() async throws {
    var configuration = StoreConfiguration()
    configuration.readerCount = options.readers
    configuration.report(to: logger)
    // Whoever migrates the file today goes on with it: no migration is applied here.
    let store = try await Store.open(at: options.database, configuration: configuration)
    do {
      let lists = try await self.lists(store)
      try await group(store, lists).run()
    } catch {
      // A group that has begun has closed it already, and then this does nothing.
      try? await store.close()
      throw error
    }
  }

  /// Services end from the last to the first: streams, so that the server need not wait for their
  /// clients; the server, when it has answered what it was asked; a backup that is under way; the
  /// store.
  private func group(_ store: Store, _ lists: [ServedList]) -> ServiceGroup {
    let (onRunning, logger) = (onRunning, logger)
    var requests: [String: LiveRequest] = [:]
    for list in lists { requests[list.name] = list.request }
    let live = LiveRoutes(of: store, serving: requests)
    let server = Application(
      router: ServiceRoutes(store: store, lists: lists, live: live).router(),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: "sample"),
      onServerRunning: { await onRunning($0.localAddress?.port ?? 0) },
      logger: logger)
    var services: [any Service] = [StoreService(store, logger: logger)]
    if let folder = options.backups {
      services.append(BackupService(of: store, to: folder, options.backupRules, logger: logger))
    }
    let streams = StreamService { for list in lists { list.finish() } }
    services += [server, live, streams] as [any Service]
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // The last resort, for a client that sends its request for ever.
    configuration.maximumGracefulShutdownDuration = .seconds(10)
    return ServiceGroup(configuration: configuration)
  }
}
