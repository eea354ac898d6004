#if Server
  internal import Hummingbird
  internal import HummingbirdCore
  internal import Logging
  internal import NIOCore
  internal import Sectile
  internal import SectileInspecting
  internal import ServiceLifecycle
  internal import Synchronization

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif

  /// A server of one SQLite file: its page, and the API behind it.
  ///
  /// ```swift
  /// let server = try LiveServer(ServingOptions(file: "app.db")) { print($0) }
  /// try await server.run()
  /// ```
  package final class LiveServer: Sendable {
    private let options: ServingOptions
    private let logger: Logger
    private let sessions: Sessions
    private let core: LiveCore
    private let file: FileRoutes
    private let disclosure: Disclosure
    private let port = BoundPort()
    private let roster: ConnectionRoster
    private let onAddress: @Sendable (_ url: String) -> Void

    // MARK: - Mutable state
    //
    // - `state`: guarded by its mutex.
    private let state = Mutex(State())

    private struct State {
      var group: ServiceGroup?
      var hasStopped = false
    }

    /// The port that is tried first where none is asked for.
    private static let firstPort = 8420
    /// How many are tried.
    private static let portCount = 32

    /// Creates a server; the file is opened, and nothing is listened at yet.
    ///
    /// - Parameters:
    ///   - options: What was chosen.
    ///   - onAddress: Called with the URL when the server answers, and with the next one each time
    ///     one was used.
    /// - Throws: ``ServingError`` for options that contradict each other; `StoreError` where the
    ///   file cannot be read.
    package init(
      _ options: ServingOptions,
      onAddress: @escaping @Sendable (_ url: String) -> Void
    ) throws {
      guard options.needsToken || GateRules.isLoopback(options.host) else {
        throw ServingError(
          code: .usage, description: "\(options.host) is not served without a token",
          hint: "Leave --no-token out, or listen at 127.0.0.1.")
      }
      self.options = options
      // What goes wrong here; what clients do wrong they are told.
      var logger = Logger(label: "sectile") { StreamLogHandler.standardError(label: $0) }
      logger.logLevel = .error
      self.logger = logger
      self.onAddress = onAddress
      let port = port
      sessions = Sessions(isNeeded: options.needsToken) { token in
        onAddress(Self.url(options.host, port.value, token))
      }
      let limits = Self.viewLimits(options)
      var streams = StreamLimits()
      streams.streams = options.streams
      streams.heartbeat = options.heartbeat
      streams.writeTime = options.writeTime
      let source = FileSource(
        path: options.file, isImmutable: options.isImmutable, limits: limits,
        programVersion: options.programVersion)
      file = try FileRoutes(of: source)
      disclosure = Disclosure(of: options.file)
      roster = ConnectionRoster(limit: options.connections)
      core = LiveCore(
        limits: limits, streams: streams, disclosing: disclosure,
        request: { try ViewRequest(anyTable: $0) },
        opening: { try await source.open($0) })
    }

    private static func viewLimits(_ options: ServingOptions) -> ViewLimits {
      var limits = ViewLimits()
      limits.queryTime = options.queryTime
      limits.views = options.views
      limits.graceTime = options.graceTime
      limits.cellBytes = options.cellBytes
      limits.exports = options.exports
      limits.exportTime = options.exportTime
      limits.lookupTime = options.lookupTime
      limits.countTime = options.countTime
      return limits
    }

    private static func url(_ host: String, _ port: Int, _ token: String?) -> String {
      // Nobody can ask for all addresses.
      let host = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
      return "http://\(GateRules.literal(of: host)):\(port)/" + (token.map { "?token=\($0)" } ?? "")
    }

    /// Answers until ``stop()``, or until the task is cancelled.
    ///
    /// - Throws: ``ServingError`` where the address cannot be listened at.
    package func run() async throws {
      var port = options.port ?? Self.firstPort
      let last = options.port == nil ? port + Self.portCount : port
      while true {
        do {
          try await run(at: port)
          break
        } catch let error as IOError where error.errnoCode == EADDRINUSE && port < last {
          port += 1
        } catch let error as IOError {
          await end()
          throw ServingError(
            code: .address, description: "\(options.host):\(port) cannot be listened at: \(error)",
            hint: error.errnoCode == EADDRINUSE
              ? "Choose another port: --port 0 takes any that is free."
              : "--host is an address of this machine.")
        }
      }
    }

    private func end() async {
      await core.end()
      await file.end()
    }

    private func run(at port: Int) async throws {
      var group = ServiceGroupConfiguration(
        services: [
          .init(service: RunningCore(core: core, file: file)),
          .init(
            service: application(at: port), successTerminationBehavior: .gracefullyShutdownGroup),
          .init(service: EndOfAnswers(core: core)),
        ], logger: logger)
      // The last resort.
      group.maximumGracefulShutdownDuration = options.stopTime
      let services = ServiceGroup(configuration: group)
      let hasStopped = state.withLock { state in
        state.group = services
        return state.hasStopped
      }
      if !hasStopped { try await services.run() }
    }

    /// Ends the server: what is being answered is answered, and then ``run()`` returns.
    package func stop() async {
      let group = state.withLock { state in
        state.hasStopped = true
        return state.group
      }
      await group?.triggerGracefulShutdown()
    }

    private var connectionLimits: ConnectionLimits {
      var limits = ConnectionLimits()
      limits.connections = options.connections
      limits.headTimeout = TimeAmount(options.headTime)
      limits.idleTimeout = TimeAmount(options.idleTime)
      limits.writeTimeout = TimeAmount(options.writeTime)
      return limits
    }

    private func application(at port: Int) -> some ApplicationProtocol {
      let rules = GateRules(allowedHosts: options.allowedHosts)
      let limits = connectionLimits
      return Application(
        responder: router().buildResponder(),
        server: HTTPServerBuilder { [roster] responder in
          GuardedChannel(responder: responder, rules: rules, limits: limits, roster: roster)
        },
        configuration: ApplicationConfiguration(address: .hostname(options.host, port: port)),
        onServerRunning: { [options, port = self.port, sessions, onAddress] channel in
          port.value = channel.localAddress?.port ?? 0
          onAddress(Self.url(options.host, port.value, sessions.isNeeded ? sessions.token : nil))
        },
        logger: logger)
    }

    private func router() -> Router<ServingContext> {
      let router = Router(context: ServingContext.self, options: .autoGenerateHeadEndpoints)
      router.add(middleware: RefusalAnswers(disclosure: disclosure))
      router.add(
        middleware: SessionGate(
          sessions: sessions, cookieName: { [port] in "sectile_session_\(port.value)" }))
      for file in PageFile.served {
        router.get(RouterPath(file.path)) { request, _ in file.current().response(to: request) }
      }
      let api = router.group("api")
      let owned = LiveRoute.allCases.filter { !$0.isForAnyTable }
      api.add(owned, of: core) { _, context in context.session }
      for route in LiveRoute.allCases where route.isForAnyTable {
        api.get(RouterPath(route.path)) { [file, core, roster] request, _ in
          let parameters = try QueryParameters(request.uri.query)
          try route.check(parameters)
          switch route {
          case .schema: return try await file.schema(parameters)
          case .explain: return try await file.explain(core.wanted(parameters))
          case .export: return try await file.export(parameters, of: core)
          case .stats: return try await core.stats(roster)
          case .labels: return try await file.labels(parameters)
          case .references: return try await file.references(parameters)
          case .facets: return try await file.facets(core.wanted(parameters), parameters)
          default: return try await file.log(parameters)
          }
        }
      }
      return router
    }
  }

  /// Closes what nobody uses, tells of schemas, and closes everything at the end.
  private struct RunningCore: Service {
    let core: LiveCore
    let file: FileRoutes

    func run() async {
      await cancelWhenGracefulShutdown {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await core.views.sweep() }
          group.addTask { await file.watchSchema { core.streams.tell(.schema) } }
        }
      }
      await core.end()
      await file.end()
    }
  }

  /// Ends first of all what has no end of its own: the server waits for what it answers.
  private struct EndOfAnswers: Service {
    let core: LiveCore

    func run() async {
      try? await gracefulShutdown()
      core.endAnswers()
    }
  }
#endif
