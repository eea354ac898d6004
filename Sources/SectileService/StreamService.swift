#if Service
  public import ServiceLifecycle

  /// Ends the streams of clients when a service is asked to end, so that its server need not wait
  /// for them.
  ///
  /// It stands behind the server in the list of a service group: see ``StoreService``.
  public struct StreamService: Service, CustomStringConvertible {
    /// The service's name, for logs.
    public let description: String
    private let end: @Sendable () async -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - name: A name for logs.
    ///   - end: Ends the streams: finishes a feed, cancels live results.
    public init(_ name: String = "StreamService", end: @escaping @Sendable () async -> Void) {
      description = name
      self.end = end
    }

    /// Waits for the end of the service, and ends the streams.
    public func run() async {
      try? await gracefulShutdown()
      await end()
    }
  }
#endif
