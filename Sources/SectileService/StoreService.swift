#if Service
  public import Logging
  public import SectileStore
  public import ServiceLifecycle

  /// Closes a store when a service ends: last, when nobody uses it any more.
  ///
  /// A service group ends its services in the reverse order of their list. So the store comes first, and
  /// what ends the streams of clients comes last, because a server waits for its open connections:
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [
  ///     StoreService(store, logger: logger),
  ///     server,
  ///     StreamService { feed.finish() },
  ///   ],
  ///   gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// Then the folder holds one file. Where the log had to stay beside it, it is logged why.
  public struct StoreService: Service, CustomStringConvertible {
    private let store: Store
    private let logger: Logger

    /// Creates a service of an open store.
    ///
    /// - Parameters:
    ///   - store: The store, which nobody else closes.
    ///   - logger: Where to log what closing came to.
    public init(_ store: Store, logger: Logger) {
      self.store = store
      self.logger = logger
    }

    /// The service's name, for logs.
    public var description: String { "StoreService(\(store.path ?? "in memory"))" }

    /// Waits for the end of the service, and closes the store.
    ///
    /// - Throws: A `StoreError` where the store cannot be closed.
    public func run() async throws {
      // A group that is cancelled instead of shut down ends here, too.
      try? await gracefulShutdown()
      try await store.close()
      guard let outcome = store.closeOutcome else { return }
      let level: Logger.Level =
        outcome.remainingLog == nil || outcome.remainingLog == .adopted ? .info : .warning
      logger.log(level: level, "\(outcome)")
    }
  }
#endif
